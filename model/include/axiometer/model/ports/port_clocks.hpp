// The clocks of ports, each with its cycles from 0: who steps them, and when, is outside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "axiometer/model/config.hpp"

namespace axm::clocked {

class PortClocks {
public:
  explicit PortClocks(const SystemConfig &c) {
    for (const PortConfig &p : c.ports) {
      const std::int64_t period = c.clocks_of(p).pl;
      const auto at = std::ranges::find(clocks_, period, &Clock::period);
      of_port_.push_back(static_cast<std::size_t>(at - clocks_.begin()));
      if (at == clocks_.end())
        clocks_.push_back({period, 0, 0});
    }
  }

  std::size_t count() const { return clocks_.size(); }
  // The number of a port's clock.
  std::size_t of(int port) const { return of_port_[static_cast<std::size_t>(port)]; }

  // The next cycle of a clock, and when the first of all begins (base units).
  Cycle next(std::size_t clock) const { return clocks_[clock].cycle; }
  std::int64_t due() const { return std::ranges::min_element(clocks_, {}, &Clock::due)->due; }
  // `skipped(clock, cycles)` for each clock: how many of its cycles begin before `time`, which are
  // not to be stepped.
  template <class Skipped> void skip_before(std::int64_t time, Skipped &&skipped) {
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      Clock &c = clocks_[k];
      const Cycle cycles = std::max<Cycle>(0, ceil_div(time - c.due, c.period));
      skipped(k, cycles);
      c.cycle += cycles;
      c.due += cycles * c.period;
    }
  }

  // `step(clock, cycle)` for all cycles that begin before `time` (base units) and have not been
  // stepped.
  template <class Step> void run_before(std::int64_t time, Step &&step) {
    for (std::size_t k = 0; k < clocks_.size(); ++k)
      for (Clock &c = clocks_[k]; c.due < time; c.due += c.period)
        step(k, c.cycle++);
  }

private:
  struct Clock {
    std::int64_t period = 0; // base units
    std::int64_t due = 0;    // when its next cycle begins
    Cycle cycle = 0;         // the number of that
  };

  std::vector<Clock> clocks_;
  std::vector<std::size_t> of_port_;
};

} // namespace axm::clocked
