// The members of Stream that run for every burst: its begin, and its division into parts.
#pragma once

#include <algorithm>

#include "axiometer/model/sources/stream.hpp"

namespace axm {

template <> void Stream::cut<kRead>(Burst &b, bool opens);
template <> void Stream::cut<kWrite>(Burst &b, bool opens);

// The next burst's address (read) or first beat (write), as soon as everything
// that it waits for is known.
template <Dir d, bool plain> inline bool Stream::begin_burst(const Stream *partner) {
  const std::int64_t n = bursts_issued_;
  const bool jobs = !plain && s_.job.bursts > 0;
  if (d == kWrite && !jobs && partner != nullptr && partner->bursts_ < bursts_)
    stop_after(partner->bursts_);
  if (n >= bursts_)
    return false;
  if (n - bursts_done_ >= s_.outstanding) {
    waits_for_ |= kBurstDone;
    return false;
  }
  constexpr bool reads = d == kRead;
  Cycle job = 0;
  if (jobs) {
    job = job_begin<d>(n, *partner);
    if (job == kNever)
      return false;
  } else if (partner != nullptr) {
    // The write half needs the data of its read half; the read half needs room
    // in the FIFO between them.
    if (reads && partner->bursts_ <= n - s_.loopback_bursts)
      stop_after(n); // it has stopped
    if (reads ? partner->bursts_cut_ <= n - s_.loopback_bursts : partner->bursts_done_ <= n) {
      waits_for_ |= kPartnerNews;
      return false;
    }
  }
  Burst b;
  const Cycle channel = reads ? previous_begin_ + 1 : previous_last_ + 1;
  b.begin = std::max(launch_, channel);
  b.port_busy = n > 0;
  b.cause = n > 0 ? kMaster : kLaunch;
  if (!plain && s_.gap_cycles > 0 && n > 0) {
    const Cycle beats = reads ? ceil_div(s_.burst_bytes, port_.width_bytes) - 1 : 0;
    b.begin = std::max(b.begin, channel + beats + s_.gap_cycles);
    b.port_busy = false;
  }
  if (!plain && pace_.any() && pace_.from() > b.begin) {
    b.begin = pace_.from();
    b.port_busy = false;
  }
  if (n >= s_.outstanding) {
    const Cycle c = burst(n - s_.outstanding).done + 1;
    if (c > b.begin) {
      b.begin = c;
      b.port_busy = true;
      b.cause = kMaster;
    }
  }
  if (!plain && job > b.begin) {
    b.begin = job;
    b.port_busy = false; // it is the master's own work
    b.cause = kPartner;
  }
  if (partner != nullptr && !jobs && (!reads || n >= s_.loopback_bursts)) {
    const Burst &p = partner->burst(reads ? n - s_.loopback_bursts : n);
    const Cycle c = p.last + (reads ? 1 : s_.loopback_cycles);
    if (c > b.begin) {
      b.begin = c;
      b.port_busy = p.port_busy; // the pair is as fast as its slower half
      b.cause = kPartner;
    }
  }
  if (b.begin >= stop_) {
    stop_after(n);
    return false;
  }
  if (jobs)
    job_begun<d>(n);
  if (!plain && pace_.any())
    pace_.begun(b.begin);
  previous_begin_ = b.begin;
  burst(n) = b;
  ++bursts_issued_;
  return true;
}

// Where the next burst to be cut begins.
inline std::uint64_t Stream::begin_address() {
  if (onward_)
    return next_address_;
  // The random sequence is the one thing that is not a function of the burst's number.
  if (bursts_cut_ > 0 && s_.pattern == Pattern::random)
    addresses_.advance();
  return addresses_.at(bursts_cut_);
}

// Cuts a burst at once, if its parts have places in the FIFO and wait for none of them. False if
// they do, and nothing was done.
template <Dir d> inline bool Stream::cut_whole(Burst &b) {
  const std::int64_t parts = whole_parts_, begin = filled_, end = begin + parts;
  if (end - retired_ > fifo_parts_)
    return false;
  const std::int64_t free = room_[(end - 1 - fifo_parts_) & parts_mask_].free;
  Clk requested = 0, ready = 0;
  if constexpr (d == kRead) {
    if (end > fifo_parts_ && free > b.begin)
      return false;
    // No part before it is ready later: places come free in order.
    requested = clocks_.clk_at(b.begin);
    ready = clocks_.clk_at(b.begin + port_.request_cycles[kRead]) + request_clocks_;
  } else {
    const Cycle x = previous_last_ + 1, first = std::max(x, b.begin);
    if ((end > fifo_parts_ && clocks_.is_at_or_after(free, first)) || beats_ != nullptr)
      return false;
    const Cycle beats = parts * part_beats_, next = first + beats;
    stats_.classes[b.cause] += first - x;
    stats_.classes[kData] += beats;
    b.last = previous_last_ = next - 1;
    requested = clocks_.clk_at(next);
    ready = clocks_.clk_at(next + port_.request_cycles[kWrite]) + request_clocks_;
    news_ |= kPartnerNews;
  }
  const std::uint64_t address = begin_address();
  const std::uint64_t part_bytes = ring_[0].bytes;
  const std::uint8_t cause = b.port_busy ? kIdlePort : kIdleNoRequest;
  next_address_ = address + static_cast<std::uint64_t>(parts) * part_bytes;
  if (map_.page(address) != page_)
    find_place(address);
  Location at = place_;
  at.column = map_.column(address);
  const int columns = ring_[0].part.columns;
  const bool one_row = at.column + parts * columns <= map_.row_columns();
  const std::int64_t mask = parts_mask_;
  for (std::int64_t k = 0; k != parts; ++k) {
    Flight &f = ring_[(begin + k) & mask];
    f.part.row = at.row;
    f.part.bank = at.bank;
    f.part.column = at.column;
    f.part.cause = cause;
    f.part.index = static_cast<std::uint32_t>(begin + k);
    f.part.requested = requested;
    f.address = address + static_cast<std::uint64_t>(k) * part_bytes;
    f.ready = ready;
    f.ends_burst = false;
    at.column = static_cast<std::uint16_t>(at.column + columns);
    if (!one_row) [[unlikely]]
      at = map_.locate(f.address + part_bytes);
  }
  ring_[(end - 1) & mask].ends_burst = true;
  ++bursts_cut_;
  visible_ = filled_ = end;
  return true;
}

template <Dir d> inline void Stream::proceed(const Stream *partner) {
  waits_for_ = always_;
  if (d == kRead)
    while (begin_burst<d>(partner)) {
    }
  if (whole_parts_ != 0 && burst_left_ == 0) [[likely]]
    do {
      if (bursts_cut_ == bursts_issued_ && !(d == kWrite && begin_burst<d, true>(partner)))
        return;
    } while (cut_whole<d>(burst(bursts_cut_)));
  while (filled_ - retired_ < fifo_parts_) {
    const bool opens = burst_left_ == 0;
    if (opens) {
      if (bursts_cut_ == bursts_issued_ && !(d == kWrite && begin_burst<d>(partner)) &&
          !begin_asked())
        return;
      open_burst();
    }
    cut<d>(burst(bursts_cut_), opens);
  }
  waits_for_ |= kPlace;
  // The next burst begins even if the FIFO has no place for it yet; what it waited
  // for is known now and may be forgotten when it has one.
  if (d == kWrite && burst_left_ == 0 && bursts_cut_ == bursts_issued_)
    begin_burst<d>(partner);
}

} // namespace axm
