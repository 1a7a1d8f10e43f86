// Read/write switching of the Zynq-7000 DDRC, as UG585 (pp. 303-306) describes
// it: each transaction store is normal, critical or hard non-critical. A store
// that waits for `starve_clocks` becomes critical; after `run_length` column
// commands served as critical it is hard non-critical for
// `min_non_critical_clocks`. The controller stays with the current store until
// that is empty, or the other is critical while the current is not.
#pragma once

#include <algorithm>

#include "axiometer/model/config.hpp"

namespace axm {

class ZynqDdrc {
public:
  static constexpr const char *kName = "zynq-ddrc";
  explicit ZynqDdrc(const ControllerConfig &c)
      : starve_(c.starve_clocks), run_length_(c.run_length), rest_(c.min_non_critical_clocks) {}

  Dir mode() const { return mode_; }

  // A store has become non-empty.
  void filled(Dir d, Clk t) { store_[d].waiting_since = t; }

  // `columns` commands of `d` are served from `t` on. True if `decide` may now answer
  // otherwise than it did before, though both stores wait as they did.
  bool served(Dir d, int columns, bool now_empty, Clk t, Clk end) {
    Store &s = store_[d];
    update(s, true, t);
    s.waiting_since = end;
    if (s.state == kCritical) {
      s.served += columns;
      if (s.served >= run_length_) {
        s.state = kResting;
        s.until = end + rest_;
      } else if (now_empty) {
        s.state = kNormal;
      }
    }
    return store_[other(d)].state == kCritical;
  }

  // The direction to serve at `t`.
  Dir decide(bool read_waits, bool write_waits, Clk t) {
    const bool waits[2] = {read_waits, write_waits};
    const Dir o = other(mode_);
    if (!waits[o])
      return mode_;
    if (!waits[mode_])
      return mode_ = o;
    update(store_[o], true, t);
    if (store_[o].state != kCritical)
      return mode_;
    update(store_[mode_], true, t);
    if (store_[mode_].state == kCritical)
      return mode_;
    return mode_ = o;
  }

  // The next clock after `t` at which `decide` may answer otherwise though
  // nothing else happens; only asked while both stores wait.
  Clk next_change(Clk t) const {
    const Store &s = store_[other(mode_)];
    if (s.state == kCritical)
      return kNever;
    const Clk c = s.waiting_since + starve_;
    const Clk when = s.state == kResting ? std::max(s.until, c) : c;
    return when > t ? when : kNever;
  }

  // What no longer matters is written as nothing, so that it does not hide a recurrence.
  template <class Archive> void visit(Archive &ar, bool read_waits, bool write_waits) {
    ar.small(mode_);
    const bool waits[2] = {read_waits, write_waits};
    for (int d = 0; d < 2; ++d) {
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

  void update(Store &s, bool waits, Clk t) const {
    if (s.state == kResting && t >= s.until)
      s.state = kNormal;
    if (s.state == kNormal && waits && t >= s.waiting_since + starve_) {
      s.state = kCritical;
      s.served = 0;
    }
  }

  Clk starve_;
  int run_length_;
  Clk rest_;
  Dir mode_ = kRead;
  Store store_[2];
};

} // namespace axm
