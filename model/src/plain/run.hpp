// A run of the executable specification of the Zynq-7000 and the Cyclone V.
#pragma once

#include <memory>

#include "axiometer/model/open_run.hpp"
#include "axiometer/model/simulator.hpp"

namespace axm::plain {

// `trace` may be null. std::invalid_argument names the value that cannot be simulated.
RepeatResult run(const SystemConfig &config, const RepeatStart &start, Trace *trace);
// The same with bursts from outside.
std::unique_ptr<OpenRun> open(const SystemConfig &config, const RepeatStart &start, Trace *trace);

} // namespace axm::plain
