// The host's commands to the co-simulation itself, not to the agent: lines that begin
// with "!" on the same input. Each is answered by one such line,
// "!ok ..." or "!error <what is wrong>".
//
//   !start first_refresh=N pattern_seed=N launch=C,C,... arrivals=ADDRESS@C,...
//                 a new chip; writes to these register addresses arrive at these PL cycles
//   !start ... origin=N refresh_phase=N
//                 the same for a port of the processor's side (chip.hpp)
//   !fill|check seed=N
//                 as much of a slave's memory as a transfer moves
//   !transfer seed=N pl_phase=N refresh_phase=N
//                 the processor at a slave: the result, as one JSON object
//   !result       the chip's time accounting of the run, as one JSON object
//   !fault port=P channel=aw|w|b|ar|r kind=... burst=N clocks=N
//   !clear        forgets all faults
//   !idle N       lets N PL clocks pass
//   !time         PL clocks since the beginning, and violations of the AXI rules so far
#pragma once

#include <string>

#include "simulation.hpp"

namespace axm::cosim {

// `line` without the "!". Never throws.
std::string control(Simulation &simulation, const std::string &line);

} // namespace axm::cosim
