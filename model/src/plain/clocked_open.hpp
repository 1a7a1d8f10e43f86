// A run of Zynq UltraScale+ that masters outside it share, as the executable specification sees it:
// the machine of clocked_machine.hpp, moment by moment, until a burst is served or a limit is
// reached.
#pragma once

#include <memory>

#include "axiometer/model/open_run.hpp"

namespace axm::plain::clocked {

// machine/clocked_open.hpp has its measured part. The trace may be null; it is given when the
// run is finished. std::invalid_argument if the configuration cannot be simulated.
std::unique_ptr<OpenRun> open(const SystemConfig &c, const RepeatStart &start, Trace *trace);

} // namespace axm::plain::clocked
