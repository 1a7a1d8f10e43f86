// A free run: PL cycles and controller clocks in step, from the start until it is measured.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "axiometer/model/usp/chip.hpp"
#include "axiometer/model/usp/measurement.hpp"

namespace axm::usp {

// `books`: of each stream. `step(cycle, now)` is a PL cycle of all masters, which begins in
// controller clock `now`. Throws std::invalid_argument without an end to run to.
template <class Step>
RepeatResult free_run(const SystemConfig &c, Cycle stop, Chip &chip,
                      const std::vector<Books *> &books, Step &&step) {
  if (stop >= kNever)
    throw std::invalid_argument("stop: a free run needs an end");
  Measurement measured(c, stop, books);
  const std::int64_t core = c.clocks.ddr * c.controller.ddrc.clocks;
  const std::int64_t pl = c.clocks.pl;
  const auto waits = [&] {
    return std::ranges::any_of(books, [](const Books *b) { return b->in_flight() > 0; });
  };
  Cycle cycle = 0;
  for (Clk now = 0;; ++now) {
    for (; cycle * pl <= now * core; ++cycle) {
      measured.cycle(cycle, now, chip.counts());
      if (measured.over())
        return measured.result();
      step(cycle, now);
    }
    chip.clock(now);
    measured.clock(chip.bus_class(now, waits));
  }
}

} // namespace axm::usp
