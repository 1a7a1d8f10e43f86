// The list of scheduling policies; `policies.cpp` registers them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "axiometer/model/simulator.hpp"
#include "axiometer/model/stepped_model.hpp"

namespace axm {

struct Policy {
  const char *name;
  std::function<std::unique_ptr<Simulator>(const SystemConfig &)> make;
  // The same chip with its AXI side open.
  std::function<std::unique_ptr<SteppedModel>(const SystemConfig &, const RepeatStart &)> step;
  // The executable specification; the trace may be null.
  std::function<RepeatResult(const SystemConfig &, const RepeatStart &, Trace *)> plain;
};

const std::vector<Policy> &policies();
// The configuration's; std::invalid_argument if there is none of its name.
const Policy &policy_of(const SystemConfig &config);

} // namespace axm
