// Accesses of software that break a rule of the engine's document.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include "rules.hpp"

namespace axm::vendor {

class Objections {
public:
  // `out` gets a line for each of the first few of a rule, `objection: <rule>: <what>; <sentence>
  // [<source>]`, with the source in the document of this kind.
  Objections(std::ostream &out, Kind kind) : out_(out), kind_(kind) {}

  void raise(Rule rule, const std::string &what);
  std::uint64_t all() const;
  // How many there were of each rule; nothing if there were none.
  void summary() const;

private:
  std::ostream &out_;
  Kind kind_;
  std::array<std::uint64_t, kRules.size()> counts_{};
};

std::string hex(std::uint64_t value);

} // namespace axm::vendor
