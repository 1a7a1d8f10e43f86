// The list of scheduling policies; `policies.cpp` registers them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "axiometer/model/simulator.hpp"

namespace axm {

struct Policy {
  const char *name;
  std::function<std::unique_ptr<Simulator>(const SystemConfig &)> make;
};

const std::vector<Policy> &policies();

} // namespace axm
