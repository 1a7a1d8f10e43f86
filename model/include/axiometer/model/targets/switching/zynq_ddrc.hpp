// Read/write switching of the Zynq-7000 DDRC, as UG585 (pp. 303-306) describes
// it: each transaction store is normal, critical or hard non-critical. A store
// that waits for `starve_clocks` becomes critical; after `run_length` column
// commands served as critical it is hard non-critical for
// `min_non_critical_clocks`. The controller stays with the current store until
// that is empty, or the other is critical while the current is not.
//
// High-priority reads (section 10.4.6) have their own store, and reads are
// critical if either of their stores is. Those of high priority come first,
// unless only the others are critical: UG585 does not define how the two compete.
#pragma once

#include <algorithm>

#include "axiometer/model/targets/controller.hpp"

namespace axm {

class ZynqDdrc {
public:
  static constexpr const char *kName = kZynqDdrc;
  struct Limits {
    int starve_clocks = 1;
    int run_length = 1;
    int min_non_critical_clocks = 0;
  };
  struct Keys {
    Limits limits, high;
    int high_entries = 0;
    Windows windows;
  };
  explicit ZynqDdrc(const Keys &keys) : limits_{keys.limits, keys.high} {}

  Dir mode() const { return mode_; }
  // Of reads, whether those of high priority come first.
  bool high_first() const { return high_first_; }

  // A store has become non-empty: kRead, kWrite or kHighReads.
  void filled(int store, Clk t) { store_[store].waiting_since = t; }

  // `columns` commands of a store are served from `t` on. True if `decide` may now answer
  // otherwise than it did before, though the same stores wait.
  bool served(int store, int columns, bool now_empty, Clk t, Clk end) {
    Store &s = store_[store];
    const Limits &l = limits(store);
    update(store, true, t);
    s.waiting_since = end;
    if (s.state == kCritical) {
      s.served += columns;
      if (s.served >= l.run_length) {
        s.state = kResting;
        s.until = end + l.min_non_critical_clocks;
      } else if (now_empty) {
        s.state = kNormal;
      }
    }
    return store_[store == kWrite ? kRead : kWrite].state == kCritical;
  }

  // The direction to serve at `t`, and of reads which come first.
  Dir decide(bool read_waits, bool write_waits, Clk t, bool high_waits = false) {
    const auto is_critical = [&](int store, bool store_waits) {
      update(store, store_waits, t);
      return store_[store].state == kCritical;
    };
    const auto critical = [&](Dir d) {
      return d == kWrite
                 ? is_critical(kWrite, write_waits)
                 : is_critical(kRead, read_waits) || (high_waits && is_critical(kHighReads, true));
    };
    const Dir o = other(mode_);
    const bool reads_wait = read_waits || high_waits;
    const bool mine = mode_ == kRead ? reads_wait : write_waits;
    const bool others = mode_ == kRead ? write_waits : reads_wait;
    if (others && (!mine || (critical(o) && !critical(mode_))))
      mode_ = o;
    high_first_ = high_waits && (is_critical(kHighReads, true) || !is_critical(kRead, read_waits));
    return mode_;
  }

  // The next clock after `t` at which `decide` may answer otherwise though
  // nothing else happens; only called while both stores wait.
  Clk next_change(Clk t) const { return turns_critical(other(mode_), t); }
  // The same with three stores, whichever wait.
  Clk next_change_of_three(Clk t) const {
    return std::min(
        {turns_critical(kRead, t), turns_critical(kWrite, t), turns_critical(kHighReads, t)});
  }

  // What no longer matters is written as nothing, so that it does not hide a recurrence.
  template <class Archive> void visit(Archive &ar, bool read_waits, bool write_waits, bool high) {
    ar.small(mode_);
    const bool waits[3] = {read_waits, write_waits, high};
    for (int d = 0; d < 3; ++d) {
      Store &s = store_[d];
      ar.small(s.state);
      if (s.state == kCritical)
        ar.small(s.served);
      if (s.state == kResting)
        ar.clk(s.until);
      if (s.state != kCritical && waits[d])
        ar.exact_clk(s.waiting_since);
    }
  }

private:
  enum State : std::uint8_t { kNormal, kCritical, kResting };
  struct Store {
    State state = kNormal;
    Clk waiting_since = 0;
    int served = 0;
    Clk until = 0;
  };

  const Limits &limits(int store) const { return limits_[store >> 1]; }

  void update(int store, bool waits, Clk t) {
    Store &s = store_[store];
    if (s.state == kResting && t >= s.until)
      s.state = kNormal;
    if (s.state == kNormal && waits && t >= s.waiting_since + limits(store).starve_clocks) {
      s.state = kCritical;
      s.served = 0;
    }
  }

  Clk turns_critical(int store, Clk t) const {
    const Store &s = store_[store];
    if (s.state == kCritical)
      return kNever;
    const Clk c = s.waiting_since + limits(store).starve_clocks;
    const Clk when = s.state == kResting ? std::max(s.until, c) : c;
    return when > t ? when : kNever;
  }

  Limits limits_[2]; // of low-priority reads and writes, of high-priority reads
  Dir mode_ = kRead;
  bool high_first_ = false;
  Store store_[3];
};

} // namespace axm
