// A free run: cycles of the ports and controller clocks in step, from the start until it is
// measured.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "axiometer/model/accounting/measurement.hpp"
#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/machine/watchdog.hpp"
#include "axiometer/model/need.hpp"
#include "axiometer/model/ports/port_clocks.hpp"

namespace axm::clocked {

// Controller clocks from one look at the progress to the next.
inline constexpr Clk kWatched = 4096;

// Throws std::runtime_error where no beat has moved for longer than the figures explain.
inline void watch(const SystemConfig &c, Watchdog &dog, Clk now,
                  const std::vector<Books *> &books) {
  std::int64_t progress = 0; // a burst from outside may begin after any time without beats
  for (const Books *b : books)
    progress += b->beats() + b->issued;
  if (!dog.stuck(now * c.controller.dram_clocks, progress))
    return;
  const auto waits = std::ranges::find_if(books, [](const Books *b) { return b->in_flight() > 0; });
  if (waits == books.end())
    halted(c, 0, dog.patience(), "it begins no burst");
  halted(c, static_cast<std::size_t>(waits - books.begin()), dog.patience(),
         "bursts in flight do not complete");
}

// From when on no stream begins a burst by itself (base units).
inline std::int64_t last_stop(const SystemConfig &c) {
  std::int64_t last = 0;
  for (const StreamConfig &s : c.streams)
    if (!s.outside)
      last = std::max(last, s.stop < 0 ? kNever : s.stop * c.clocks_of(s).pl);
  return last;
}

// `books`: of each stream. `step(clock, cycle, now)` is a cycle of all masters at ports of that
// clock (`clocks`), which begins in controller clock `now`. Throws std::invalid_argument without an
// end to run to.
template <class Step>
RepeatResult free_run(const SystemConfig &c, const RepeatStart &start, Chip &chip,
                      const std::vector<Books *> &books, PortClocks clocks, Step &&step) {
  check_start(c, start);
  need(start.stop < kNever, "stop", "a free run needs an end");
  Measurement measured(c, start.stop, books);
  Watchdog dog(c, start);
  const std::int64_t core = c.clocks.ddr * c.controller.dram_clocks;
  const std::int64_t pl = c.clocks.pl;
  const auto waits = [&] {
    return std::ranges::any_of(books, [](const Books *b) { return b->in_flight() > 0; });
  };
  const std::int64_t stopped = last_stop(c);
  for (Clk now = 0;; ++now) {
    const std::int64_t time = now * core;
    const auto run_before = [&](std::int64_t until) {
      clocks.run_before(until, [&](std::size_t clock, Cycle cycle) { step(clock, cycle, now); });
    };
    while (measured.next() * pl <= time) {
      run_before(measured.next() * pl);
      measured.cycle(measured.next(), now, chip.counts());
      if (measured.over())
        return measured.result();
    }
    run_before(time + 1);
    if (now % kWatched == 0 && (time < stopped || waits()))
      watch(c, dog, now, books);
    chip.clock(now);
    measured.clock(chip.bus_class(now, waits));
  }
}

} // namespace axm::clocked
