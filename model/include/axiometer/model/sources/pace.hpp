// The requested rate of a master, exact (docs/keys.md: `pace_cycles`): when its next
// burst is due. A fraction of a cycle is carried over, so that no rounding adds up. Not for: idle
// cycles between bursts (`gap_cycles`), which are whole and are never caught up.
#pragma once

#include "axiometer/model/config/streams.hpp"

namespace axm {

class Pace {
public:
  // At a port of that width; where its beats take as long, the rate limits nothing.
  Pace(const StreamConfig &s, int width_bytes)
      : bursts_(s.pace_bursts),
        any_(s.pace_cycles > ceil_div(s.burst_bytes, width_bytes) * s.pace_bursts),
        cycles_(any_ ? s.pace_cycles / s.pace_bursts : 0), rest_(s.pace_cycles % s.pace_bursts) {}

  void start(Cycle launch) {
    due_ = launch;
    part_ = 0;
  }
  bool any() const { return any_; }
  // From when on the next burst may begin; of a master without a rate, always.
  Cycle from() const { return due_ + (part_ > 0 ? 1 : 0); }
  void begun(Cycle now) {
    if (due_ < now - kMostLag) {
      due_ = now - kMostLag;
      part_ = 0;
    }
    due_ += cycles_;
    part_ += rest_;
    if (part_ >= bursts_) {
      part_ -= bursts_;
      ++due_;
    }
  }
  // For the recognition of recurrence: how late it is matters, and the fraction.
  template <class Archive> void visit(Archive &ar) {
    ar.exact_cycle(due_);
    ar.small(part_);
  }

private:
  Cycle bursts_;
  bool any_;
  Cycle cycles_, rest_;      // of a burst: whole cycles, and rest_ / bursts_
  Cycle due_ = 0, part_ = 0; // due at due_ + part_ / bursts_
};

} // namespace axm
