// The list of scheduling policies; `policies.cpp` registers them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "axiometer/model/open_run.hpp"
#include "axiometer/model/simulator.hpp"

namespace axm {

// The parts of a policy's machine, for code that writes its configurations.
struct MachineParts {
  bool multiplexers = false;  // several streams of a direction share a port in turns
  bool arbiter = false;       // paths compete for the stores: traffic classes, time-outs
  bool measures_part = false; // of a run: streams go on without an end of their own
  bool remembers = false;     // what recurs, and when beats moved
};

struct Policy {
  const char *name;
  MachineParts parts;
  std::function<std::unique_ptr<Simulator>(const SystemConfig &)> make;
  // The executable specification; the trace may be null.
  std::function<RepeatResult(const SystemConfig &, const RepeatStart &, Trace *)> plain;
  // Both again, with bursts from outside; what comes is right (open_run.cpp looks).
  std::function<std::unique_ptr<OpenRun>(const SystemConfig &, const RepeatStart &,
                                         const RunOptions &)>
      open;
  std::function<std::unique_ptr<OpenRun>(const SystemConfig &, const RepeatStart &, Trace *)>
      open_plain;
};

const std::vector<Policy> &policies();
// The configuration's; std::invalid_argument if there is none of its name.
const Policy &policy_of(const SystemConfig &config);

} // namespace axm
