// Bounds of every number of a configuration, whatever the other numbers are (config/bounds.hpp),
// and of a few combinations, so that no sum, product or shift overflows and nothing divides by
// zero. SystemConfig::check checks other conditions between numbers. A platform's figures have
// narrower bounds (src/axiometer/platform/limits.toml).
#pragma once

#include <algorithm>

#include "axiometer/model/config.hpp"

namespace axm {

// Throws std::invalid_argument that names the value and its range.
void check_limits(const SystemConfig &c);

// The last DRAM clock, and the last cycle of any port, within the time counter.
inline Clk most_clocks(const SystemConfig &c) { return kMostTime / c.clocks.ddr; }
inline Cycle most_cycles(const SystemConfig &c) {
  std::int64_t slowest = c.clocks.pl;
  for (const PortConfig &p : c.ports)
    slowest = std::max(slowest, p.period);
  return kMostTime / slowest;
}

// The same of a start: std::invalid_argument if the run is too long for the time counter.
void check_start(const SystemConfig &c, const RepeatStart &start);

} // namespace axm
