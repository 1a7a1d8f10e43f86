// Where the time went, worked out after the run, clock by clock and cycle by
// cycle, from the moments that were written down.
#pragma once

#include <array>

#include "controller.hpp"
#include "master.hpp"

namespace axm::plain {

// The class of each DRAM clock before `end`, counted.
std::array<std::int64_t, kBusClasses> bus_time(const Controller &c, const SystemConfig &config,
                                               Clk end);

// The class of each cycle of its port before `end`, counted.
std::array<std::int64_t, kStreamClasses> stream_time(const Master &m, const ClockRatio &clocks,
                                                     Cycle end);

} // namespace axm::plain
