// The members of Stream that run for every part that the controller takes or has served.
#pragma once

#include "axiometer/model/sources/stream.hpp"

namespace axm {

template <Dir d> inline void Stream::complete_burst(Cycle at_port) {
  if (d == kRead)
    news_ |= kPartnerNews;
  const Cycle done = at_port + s_.between_cycles;
  Burst &b = burst(bursts_done_++);
  b.done = done;
  end_ = std::max(end_, done + 1);
  const Cycle latency = done - b.begin;
  const int bin = Histogram::bin(latency);
  ++stats_.bursts;
  stats_.latency_sum += latency;
  ++stats_.latency[bin];
  if (log_->on)
    log_->note(id_, bin);
  if (b.bytes > 0) [[unlikely]]
    tell_served(b);
}

template <Dir d> inline Flight &Stream::accept(Clk t) {
  Flight &f = ring_[accepted_++ & parts_mask_];
  f.accepted = t;
  f.first = f.last = kNever;
  if (d == kWrite && port_.early_response && f.ends_burst)
    complete_burst<d>(clocks_.cycle_at(t + port_.response_clocks));
  return f;
}

// Read data leaves the port in the order of the addresses.
template <> inline void Stream::retire<kRead>() {
  const Flight &f = ring_[retired_ & parts_mask_];
  const Cycle there = clocks_.cycle_at(f.last + data_clocks_) + port_.return_cycles;
  const Cycle x = previous_last_ + 1, first = std::max(x, there);
  if (first > x)
    wait_for_data(f, burst(bursts_done_), x, first);
  stats_.classes[kData] += f.beats;
  previous_last_ = first + f.beats - 1;
  if (beats_ != nullptr)
    note_beats(first, f.beats);
  room_[retired_++ & parts_mask_].free = previous_last_ + 1;
  if (f.ends_burst) {
    burst(bursts_done_).last = previous_last_;
    if (!plain_ && s_.job.bursts > 0 && bursts_done_ % s_.job.bursts == s_.job.fill - 1)
      job(bursts_done_ / s_.job.bursts).moved = previous_last_;
    complete_burst<kRead>(previous_last_);
  }
}

// A place in the write FIFO is free once the data has gone, in order.
template <> inline void Stream::retire<kWrite>() {
  const Flight &f = ring_[retired_ & parts_mask_];
  previous_leave_ = std::max(previous_leave_, f.last);
  room_[retired_++ & parts_mask_] = {f.accepted, previous_leave_};
  if (f.ends_burst && !port_.early_response)
    complete_burst<kWrite>(clocks_.cycle_at(previous_leave_ + port_.response_clocks));
}

template <Dir d, bool in_order> inline unsigned Stream::given(const InFlight &part) {
  const std::int64_t done = bursts_done_;
  if (in_order) {
    retire<d>();
  } else {
    if (&part != &ring_[retired_ & parts_mask_])
      return 0;
    do
      retire<d>();
    while (retired_ < accepted_ && ring_[retired_ & parts_mask_].last != kNever);
  }
  return kPlace | (bursts_done_ != done ? kBurstDone : 0U);
}

} // namespace axm
