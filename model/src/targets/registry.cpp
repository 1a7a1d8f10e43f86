#include "axiometer/model/targets/registry.hpp"

#include <stdexcept>

#include "axiometer/model/config/controller.hpp"

namespace axm {

template <class Part> const Part &part_of(const ControllerConfig &c) {
  std::string known;
  for (const Part &p : registered<Part>()) {
    if (c.policy == p.name)
      return p;
    known += (known.empty() ? "" : ", ") + std::string(p.name);
  }
  throw std::invalid_argument("controller.policy: \"" + c.policy + "\" is unknown; known are " +
                              known);
}

template const ControllerPart &part_of(const ControllerConfig &);
template const PlainTwin &part_of(const ControllerConfig &);

int *ControllerConfig::find(const std::string &key) {
  int *found = nullptr;
  const auto look = [&](const char *of, KeyMember member, const About &, const char *) {
    if (member.number != nullptr && key == of)
      found = member.number;
  };
  part_of<ControllerPart>(*this).visit({look}, *this);
  return found;
}

int &ControllerConfig::number(const std::string &key) {
  if (int *found = find(key))
    return *found;
  throw std::logic_error("the controller " + policy + " has no number " + key);
}

int ControllerConfig::number(const std::string &key) const {
  return ControllerConfig(*this).number(key);
}

int ControllerConfig::number(const std::string &key, int otherwise) const {
  ControllerConfig mine = *this;
  const int *found = mine.find(key);
  return found == nullptr ? otherwise : *found;
}

} // namespace axm
