// When a source may begin its next burst by its settings: a rate, exact on average, idle time
// between bursts, and an end. A delayed source catches up by at most `kMostLag` of its clock's
// cycles, as streams do.
#pragma once

#include <algorithm>

#include "axiometer/model/config/streams.hpp"
#include "books.hpp"

namespace axm::sources {

// pace: base units for each `bytes` that begin, 0: no rate. gap: least time from one burst's last
// beat or address to the next burst. stop: from when on nothing begins.
struct Throttle {
  Time pace = 0;
  std::int64_t bytes = 1;
  Time gap = 0, cycle = 1, stop = kForever;
  Time free = 0, due = 0, part = 0; // its state: the next burst is due at due + part / bytes

  bool ends() const { return stop < kForever; }
  bool any() const { return pace > 0 || gap > 0; }
  Time from() const { return std::max(free, due + (part > 0 ? 1 : 0)); }
  // `moved` bytes begin, and have been sent at t.
  void begun(Time t, std::int64_t moved) {
    free = t + gap;
    if (due < t - kMostLag * cycle) {
      due = t - kMostLag * cycle;
      part = 0;
    }
    part += moved * pace;
    due += part / bytes;
    part %= bytes;
  }
};

} // namespace axm::sources
