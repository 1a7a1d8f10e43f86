// The part of Stream that the recognition of recurrence needs.
#pragma once

#include "axiometer/model/sources/stream.hpp"

namespace axm {

template <class Archive> void Stream::visit(Archive &ar, const Progress &at) {
  bool is_over = over();
  ar.small(is_over);
  if (is_over)
    return;
  Cycle launch = launch_;
  ar.cycle(launch); // only while it is ahead; afterwards it is a statistic
  if (Archive::kReads) {
    bursts_done_ = at.bursts_done;
    retired_ = at.parts_retired;
    end_ = at.end;
  }
  bool issued_all = all_issued();
  ar.small(issued_all);
  const auto count = [&](std::int64_t &n, std::int64_t base) {
    std::int64_t d = n - base;
    ar.small(d);
    n = base + d;
  };
  count(bursts_issued_, bursts_done_);
  count(bursts_cut_, bursts_done_);
  if (Archive::kReads) {
    news_ = 0;
    waits_for_ = kAny;
  }
  count(filled_, retired_);
  count(visible_, retired_);
  count(accepted_, retired_);
  auto offset = static_cast<std::int64_t>(next_address_ - at.position);
  ar.small(offset);
  next_address_ = at.position + static_cast<std::uint64_t>(offset);
  ar.small(burst_left_);
  // Bounds reach as far into the past as what is added to them.
  const auto cycle_plus = [&](Cycle &c, Cycle more) {
    c += more;
    ar.cycle(c);
    c -= more;
  };
  cycle_plus(previous_begin_, s_.gap_cycles + ceil_div(s_.burst_bytes, port_.width_bytes));
  if (pace_.any())
    pace_.visit(ar);
  ar.exact_cycle(previous_last_);
  ar.clk(previous_leave_);
  for (std::int64_t m = retired_; m < filled_; ++m) {
    Flight &f = ring_[m & parts_mask_];
    auto delta = static_cast<std::int64_t>(f.address - at.position);
    ar.small(delta);
    f.address = at.position + static_cast<std::uint64_t>(delta);
    ar.exact_clk(f.part.requested);
    ar.exact_clk(f.ready);
    std::uint32_t shape =
        f.beats | f.part.columns << 16 | f.part.cause << 24 | (f.ends_burst ? 1U << 30 : 0U);
    ar.small(shape);
    f.beats = static_cast<std::uint16_t>(shape);
    f.part.columns = static_cast<std::uint8_t>(shape >> 16);
    f.part.cause = shape >> 24 & 0x3f;
    f.ends_burst = shape >> 30 & 1;
    ar.small(f.bytes);
    if (Archive::kReads) {
      f.part.index = static_cast<std::uint32_t>(m);
      f.channel_clocks = channel_clocks(f.bytes, column_clocks_, column_bytes_);
      locate(f);
    }
    if (m >= accepted_)
      continue;
    ar.exact_clk(f.accepted);
    ar.exact_clk(f.first);
    ar.exact_clk(f.last);
  }
  for (std::int64_t m = filled_ - fifo_parts_; m < retired_; ++m) {
    Place &p = room_[m & parts_mask_];
    if (s_.dir == kRead) {
      ar.cycle(p.free);
      continue;
    }
    for (Clk *const of : {&p.free, &p.accepted}) {
      Cycle there = clocks_.cycle_at(*of) + 1;
      ar.cycle(there);
      *of = clocks_.latest_clk(there - 1);
    }
  }
  if (s_.job.bursts > 0) {
    std::int64_t within = bursts_done_ % s_.job.bursts; // the same wherever this state is placed
    ar.small(within);
    // What a job waits for is added up over as many as the pair holds.
    const Cycle each = Cycle{s_.job.setup_cycles} + s_.job.place_cycles + s_.job.compute_cycles;
    const Cycle reach = (s_.job.ahead + 1) * each + s_.loopback_cycles;
    cycle_plus(job_free_, reach);
    const std::int64_t at_job = bursts_done_ / s_.job.bursts;
    for (std::int64_t k = at_job - s_.job.ahead; k <= at_job + s_.job.ahead; ++k) {
      if (k < 0)
        continue;
      cycle_plus(job(k).moved, reach);
      cycle_plus(job(k).placed, reach);
    }
  }
  const std::int64_t window = std::max(s_.outstanding, s_.partner >= 0 ? s_.loopback_bursts : 0);
  for (std::int64_t n = bursts_issued_ - window; n < bursts_issued_; ++n) {
    Burst &b = burst(n);
    std::uint8_t cause = b.cause | (b.port_busy ? 0x10 : 0);
    ar.small(cause);
    b.cause = cause & 0xf;
    b.port_busy = cause & 0x10;
    if (n >= bursts_done_)
      ar.exact_cycle(b.begin);
    cycle_plus(b.last, s_.partner >= 0 ? s_.loopback_cycles : 0);
    ar.cycle(b.done);
  }
}

} // namespace axm
