// Time accounting of the DRAM bus: every clock of a run in exactly one BusClass. A gap
// between two column commands is classified when it ends, by the waits of the second:
// first for a request, or for a place on its path; then for the bus to turn round; then
// for a row to open, or a refresh to end.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/targets/part_queue.hpp"

namespace axm {

class BusBooks {
public:
  DramStats &stats() { return stats_; }
  const DramStats &stats() const { return stats_; }
  void count(DramCount c, int n = 1) { stats_.counts[c] += n; }

  // The stores, empty before, have got `p` at `t`.
  void filled(const Part &p, Clk t) { first_ = {t, p.requested, p.cause}; }

  // A refresh that was due at `due` ends at `end`; `empty`: no part waits for it.
  void refresh(Clk due, Clk end, bool empty) {
    const Clk begin = std::max(gap_start_, due);
    if (begin > gap_start_) {
      const Clk gap = begin - gap_start_;
      const Clk idle = empty || first_.filled >= begin
                           ? gap
                           : std::clamp<Clk>(first_.filled - gap_start_, 0, gap);
      pending_idle_ += idle;
      if (idle < gap)
        book(kActivatePrecharge, gap - idle);
    }
    book(kRefresh, end - begin);
    gap_start_ = end;
  }

  // Column commands of direction `d` from `when` until `end`; the bus was turned at `turned`.
  [[gnu::always_inline]] void columns(Dir d, Clk when, Clk end, Clk turned) {
    if (when != gap_start_ || pending_idle_ != 0)
      close_gap(d, when, turned);
    book(d == kRead ? kReadData : kWriteData, end - when);
    gap_start_ = end;
    last_dir_ = d;
  }

  // From now on records its entries, so that `finish` can take back those after
  // the end (writes that were answered before they were in the DRAM).
  void near_end() {
    keep_ = true;
    bookings_.push_back(latest_); // it may reach ahead
  }

  // The run does not end before `end`: drops entries before that.
  void goes_on_until(Clk end) {
    auto first = bookings_.end();
    for (Clk excess = gap_start_ - end; excess > 0 && first != bookings_.begin();)
      excess -= (--first)->second;
    bookings_.erase(bookings_.begin(), first);
  }

  // Ends the accounting at `end`.
  void finish(Clk end) {
    stats_.classes[kIdleNoRequest] += pending_idle_;
    pending_idle_ = 0;
    if (end > gap_start_)
      book(kIdleNoRequest, end - gap_start_);
    Clk excess = gap_start_ - end;
    for (; excess > 0 && !bookings_.empty(); bookings_.pop_back()) {
      const auto [cls, clocks] = bookings_.back();
      const Clk back = std::min(excess, clocks);
      stats_.classes[cls] -= back;
      excess -= back;
    }
    gap_start_ = end;
  }

  // The state just after the refresh at `t0` that ends at `end`.
  template <class Archive> void visit(Archive &ar, Clk t0, Clk end) {
    ar.small(last_dir_);
    ar.small(pending_idle_);
    // What ended the last empty time matters for the idle time that is still open.
    std::uint8_t cause = pending_idle_ != 0 ? first_.cause : std::uint8_t{kIdleNoRequest};
    ar.small(cause);
    if (!Archive::kReads)
      return;
    first_ = {t0, t0, cause};
    gap_start_ = end;
  }

private:
  struct First {
    Clk filled = 0, requested = 0;
    std::uint8_t cause = kIdleNoRequest;
  };

  [[gnu::noinline]] void close_gap(Dir d, Clk when, Clk turned) {
    if (pending_idle_ != 0) {
      stats_.classes[first_.cause] += pending_idle_; // long ago: `finish` never takes it back
      pending_idle_ = 0;
    }
    Clk x = gap_start_;
    if (when == x)
      return;
    const auto until = [&](Clk end, int cls) {
      end = std::min(end, when);
      if (end > x) {
        book(cls, end - x);
        x = end;
      }
    };
    if (first_.filled > x) {
      until(first_.requested, first_.cause);
      until(first_.filled, kIdlePath);
    }
    if (d != last_dir_)
      until(turned, d == kWrite ? kReadToWrite : kWriteToRead);
    until(when, kActivatePrecharge);
  }

  void book(int cls, Clk clocks) {
    stats_.classes[cls] += clocks;
    latest_ = {cls, clocks};
    if (keep_)
      bookings_.push_back(latest_);
  }

  DramStats stats_;
  Clk gap_start_ = 0;    // all bus time before this is booked
  Clk pending_idle_ = 0; // idle before a refresh, cause still open
  First first_;          // what ended the last empty time
  Dir last_dir_ = kRead;
  bool keep_ = false;
  std::pair<int, Clk> latest_{kIdleNoRequest, 0};
  std::vector<std::pair<int, Clk>> bookings_;
};

} // namespace axm
