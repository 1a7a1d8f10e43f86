// The memory controller of a configuration: what every controller has, and the keys of its own,
// which its file in src/targets/ gives (targets/registry.hpp).
#pragma once

#include <any>
#include <stdexcept>
#include <string>

#include "axiometer/model/config/key.hpp"
#include "axiometer/model/targets/registry.hpp"

namespace axm {

struct ControllerConfig {
  std::string policy;
  int entries[2] = {32, 32};
  int dram_clocks = 1; // of a clock of the controller

  // The policy's own keys.
  template <class Keys> const Keys &keys() const {
    const Keys *own = std::any_cast<Keys>(&own_);
    return own != nullptr ? *own : throw std::logic_error("the keys are not of " + policy);
  }
  template <class Keys> Keys &keys() {
    if (std::any_cast<Keys>(&own_) == nullptr)
      own_ = Keys{};
    return *std::any_cast<Keys>(&own_);
  }
  // A whole number of them; std::logic_error if there is none, or what it is otherwise.
  int &number(const std::string &key);
  int number(const std::string &key) const;
  int number(const std::string &key, int otherwise) const;

private:
  int *find(const std::string &key);
  std::any own_;
};

template <class V> void visit(V &v, ControllerConfig &c) {
  AnyWord policy;
  for (const ControllerPart &part : registered<ControllerPart>()) {
    const int number = static_cast<int>(policy.of.size());
    policy.of.push_back({part.name, number});
    if (c.policy == part.name)
      policy.value = number;
  }
  v("policy", policy, {}, "the controller, by the name of its file in model/src/targets/");
  if (policy.value >= 0)
    c.policy = policy.of[static_cast<std::size_t>(policy.value)].name;
  v("read_entries", c.entries[kRead], {1, 64, "commands"},
    "column commands that the read store holds; at most 48 where there are no classes");
  v("write_entries", c.entries[kWrite], {1, 64, "commands"},
    "column commands that the write store holds; at most 48 where there are no classes");
  for (const ControllerPart &part : registered<ControllerPart>())
    v.only(c.policy, part.name, [&] {
      ControllerConfig others;
      part.visit(any_visitor(v), c.policy == part.name ? c : others);
    });
}

} // namespace axm
