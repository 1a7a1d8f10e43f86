// The clocks of a configuration's streams, and the phase of each at a moment: the state of a run
// recurs only in the same phase of all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "axiometer/model/clock_map.hpp"
#include "axiometer/model/config.hpp"

namespace axm {

class StreamClocks {
public:
  explicit StreamClocks(const SystemConfig &c) : StreamClocks(c.clocks.ddr, periods_of(c)) {}
  // Base units: the period of the DRAM's clock, and of that of each stream.
  StreamClocks(std::int64_t ddr, const std::vector<std::int64_t> &of_streams) : ddr_(ddr) {
    for (const std::int64_t period : of_streams) {
      const auto at = std::find(periods_.begin(), periods_.end(), period);
      which_.push_back(static_cast<std::size_t>(at - periods_.begin()));
      if (at != periods_.end())
        continue;
      periods_.push_back(period);
      maps_.emplace_back(ClockRatio{ddr_, period});
    }
  }

  std::int64_t ddr() const { return ddr_; }
  // Clocks that differ, and the one that a stream has.
  std::size_t several() const { return periods_.size(); }
  std::size_t which(std::size_t stream) const { return which_[stream]; }
  std::int64_t period(std::size_t stream) const { return periods_[which_[stream]]; }

  // Base units since the latest edge of a clock, at DRAM clock `t`.
  std::int64_t phase(std::size_t clock, Clk t) const { return t * ddr_ % periods_[clock]; }
  // The cycle of a stream in which `t` falls.
  Cycle cycle(std::size_t stream, Clk t) const { return maps_[which_[stream]].clk_to_cycle(t); }

private:
  static std::vector<std::int64_t> periods_of(const SystemConfig &c) {
    std::vector<std::int64_t> found;
    for (const StreamConfig &s : c.streams)
      found.push_back(c.clocks_of(s).pl);
    return found;
  }

  std::int64_t ddr_;
  std::vector<std::int64_t> periods_; // each once, in the order of the streams
  std::vector<ClockMap> maps_;
  std::vector<std::size_t> which_; // of each stream
};

} // namespace axm
