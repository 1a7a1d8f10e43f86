#include "axiometer/model/sources/stream_bursts.hpp"

#include <bit>

namespace axm {

namespace {

// Accounts for the cycles from `x` up to the smaller of `until` and `end`.
void book(StreamStats &st, Cycle &x, Cycle until, Cycle end, int cls) {
  const Cycle more = std::max(std::min(until, end) - x, Cycle{0}); // no branch: hard to predict
  st.classes[cls] += more;
  x += more;
}

} // namespace

Stream::Stream(int id, const SystemConfig &c)
    : id_(id), s_(c.streams[id]), port_(c.ports[s_.port]), clocks_(c.clocks_of(c.streams[id])),
      map_(c.dram), addresses_(s_), pace_(s_, port_.width_bytes),
      width_shift_(std::countr_zero(static_cast<unsigned>(port_.width_bytes))),
      request_clocks_(c.paths[port_.path].request_clocks[s_.dir]),
      data_clocks_(c.data_clocks(port_)), column_clocks_(c.paths[port_.path].column_clocks),
      column_bytes_(c.dram.column_bytes), high_(c.paths[port_.path].high(s_.dir)) {
  const int unit = std::min(port_.part_bytes, s_.burst_bytes);
  fifo_parts_ = std::clamp(port_.fifo_bytes[s_.dir] / unit, 1, kRing);
  const int ahead = std::max(s_.outstanding, s_.partner >= 0 ? s_.loopback_bursts : 0);
  parts_mask_ = static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(fifo_parts_))) - 1;
  // An outside stream begins nothing by itself, and a requested burst when it has a place in the
  // FIFO.
  if (s_.outside)
    s_.outstanding = 0;
  if (s_.outside || s_.job.bursts > 0)
    always_ = kAny;
  onward_ = !s_.outside && s_.pattern == Pattern::sequential && s_.region == 0;
  plain_ = s_.job.bursts == 0 && s_.gap_cycles == 0 && !pace_.any();
  const auto part_bytes = static_cast<std::uint64_t>(port_.part_bytes);
  const auto burst_bytes = static_cast<std::uint64_t>(s_.burst_bytes);
  const auto aligned = [&](std::uint64_t bytes) { return bytes % part_bytes == 0; };
  if (plain_ && !s_.outside && aligned(s_.base) && aligned(burst_bytes) &&
      port_.part_bytes % c.dram.column_bytes == 0 && s_.bytes % burst_bytes == 0 &&
      (s_.pattern != Pattern::stride || aligned(s_.stride)) &&
      (s_.dir == kRead || (port_.release_whole_burst && s_.address_cycles == 0)))
    whole_parts_ = static_cast<int>(burst_bytes / part_bytes);
  part_beats_ = ((port_.part_bytes - 1) >> width_shift_) + 1;
  part_channel_clocks_ = channel_clocks(part_bytes, column_clocks_, column_bytes_);
  for (Flight &f : ring_) {
    f.part.stream = static_cast<std::uint16_t>(id_);
    f.part.high = high_;
    f.part.columns = map_.columns(0, part_bytes);
    f.beats = static_cast<std::uint16_t>(part_beats_);
    f.bytes = static_cast<std::uint32_t>(part_bytes);
    f.channel_clocks = part_channel_clocks_;
  }
  bursts_mask_ =
      s_.outside ? parts_mask_
                 : static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(ahead) + 1U)) - 1;
}

void Stream::start(Cycle launch, Cycle stop, std::uint64_t pattern_seed, LatencyLog *log) {
  bursts_ = s_.outside ? 0 : ceil_div(static_cast<std::int64_t>(s_.bytes), s_.burst_bytes);
  asked_.clear();
  outside_bytes_ = 0;
  launch_ = launch;
  stop_ = stop;
  addresses_.start(pattern_seed);
  pace_.start(launch);
  log_ = log;
  bursts_issued_ = bursts_cut_ = bursts_done_ = 0;
  filled_ = visible_ = accepted_ = retired_ = 0;
  next_address_ = addresses_.at(0);
  burst_left_ = 0;
  news_ = 0;
  waits_for_ = kAny;
  previous_begin_ = previous_last_ = launch - 1;
  previous_leave_ = 0;
  job_free_ = s_.dir == kRead ? launch : 0;
  jobs_.fill({});
  room_.fill({});
  burst_.fill({});
  end_ = launch;
  stats_ = {};
  stats_.classes[kLaunch] = launch;
}

void Stream::open_burst() {
  if (s_.outside) {
    next_address_ = asked_.front().address;
    burst_left_ = static_cast<std::uint64_t>(asked_.front().bytes);
    asked_.pop_front();
    return;
  }
  next_address_ = begin_address();
  const auto before = static_cast<std::uint64_t>(bursts_cut_) * s_.burst_bytes;
  burst_left_ = std::min<std::uint64_t>(s_.burst_bytes, s_.bytes - before);
}

// Row and bank of an address, whose page is not that of the one before.
void Stream::find_place(std::uint64_t address) {
  page_ = map_.page(address);
  place_ = map_.locate(address);
}

void Stream::locate(Flight &f) {
  if (map_.page(f.address) != page_)
    find_place(f.address);
  f.part.row = place_.row;
  f.part.bank = place_.bank;
  f.part.column = map_.column(f.address);
}

// Cuts the next part, up to a multiple of part_bytes, off the open burst; its times are left open.
inline Flight &Stream::next_part(const Burst &of) {
  Flight &f = ring_[filled_ & parts_mask_];
  f.address = next_address_;
  const auto part_bytes = static_cast<std::uint64_t>(port_.part_bytes);
  const std::uint64_t room = part_bytes - (next_address_ & (part_bytes - 1));
  const std::uint64_t bytes = std::min(room, burst_left_);
  f.part.index = static_cast<std::uint32_t>(filled_++);
  f.part.columns = map_.columns(next_address_, bytes);
  f.part.cause = of.port_busy ? kIdlePort : kIdleNoRequest;
  locate(f);
  f.beats = static_cast<std::uint16_t>(((bytes - 1) >> width_shift_) + 1);
  f.bytes = static_cast<std::uint32_t>(bytes);
  f.channel_clocks = bytes == part_bytes ? part_channel_clocks_
                                         : channel_clocks(bytes, column_clocks_, column_bytes_);
  next_address_ += bytes;
  burst_left_ -= bytes;
  f.ends_burst = burst_left_ == 0;
  return f;
}

template <Dir d> Cycle Stream::job_begin(std::int64_t n, const Stream &partner) {
  const JobConfig &of = s_.job;
  const std::int64_t k = n / of.bursts, within = n % of.bursts;
  const std::int64_t others = partner.s_.job.bursts;
  Cycle begin = 0;
  if (d == kRead) {
    if (s_.loopback_bursts > 0 && n >= s_.loopback_bursts) { // room in the FIFO between them
      const std::int64_t gone = n - s_.loopback_bursts;
      if (partner.bursts_ <= gone)
        stop_after(n);
      if (partner.bursts_cut_ <= gone)
        return kNever;
      begin = partner.burst(gone).last + 1;
    }
    if (within > 0)
      return begin;
    Cycle turn = job_free_;
    if (k >= of.ahead) {
      const std::int64_t gone = (k - of.ahead + 1) * others;
      if (partner.bursts_ < gone)
        stop_after(n);
      if (partner.bursts_cut_ < gone)
        return kNever;
      turn = std::max(turn, partner.job(k - of.ahead).moved + 1);
    }
    job_next_ = turn + of.setup_cycles + of.place_cycles;
    return std::max(begin, turn + of.setup_cycles);
  }
  const std::int64_t first = k * others + of.fill - 1;
  const std::int64_t needs = std::max(first, k * others + std::min(within, others - 1));
  if (partner.bursts_ <= needs)
    stop_after(n);
  if (partner.bursts_done_ <= needs)
    return kNever;
  if (needs > first)
    begin = partner.burst(needs).last + s_.loopback_cycles;
  if (within > 0)
    return begin;
  const Job &read = partner.job(k);
  job_next_ = std::max(job_free_, read.moved + s_.loopback_cycles) + of.compute_cycles;
  return std::max({begin, job_next_, read.placed});
}

template <Dir d> void Stream::job_begun(std::int64_t n) {
  if (n % s_.job.bursts > 0)
    return;
  job_free_ = job_next_;
  if (d == kRead)
    job(n / s_.job.bursts).placed = job_next_;
}

template Cycle Stream::job_begin<kRead>(std::int64_t, const Stream &);
template Cycle Stream::job_begin<kWrite>(std::int64_t, const Stream &);
template void Stream::job_begun<kRead>(std::int64_t);
template void Stream::job_begun<kWrite>(std::int64_t);

// An outside stream's next burst, if there is one. Until then it is its master that waits.
bool Stream::begin_asked() {
  if (asked_.empty())
    return false;
  Burst b;
  b.begin = asked_.front().at;
  b.cause = kMaster;
  b.bytes = asked_.front().bytes;
  burst(bursts_issued_++) = b;
  return true;
}

// Cuts the open burst, as far as there are places in the FIFO.
template <> void Stream::cut<kRead>(Burst &b, bool) {
  // Of a part that waits for nothing else.
  const Clk requested = clocks_.clk_at(b.begin);
  const Clk ready = clocks_.clk_at(b.begin + port_.request_cycles[kRead]) + request_clocks_;
  while (burst_left_ > 0 && filled_ - retired_ < fifo_parts_) {
    const std::int64_t n = filled_;
    Flight &f = next_part(b);
    f.part.requested = requested;
    f.ready = ready;
    // A part requests only once its place in the port's data FIFO is free.
    const Cycle free = room_[(n - fifo_parts_) & parts_mask_].free;
    if (n >= fifo_parts_ && free > b.begin) {
      f.part.cause = kIdlePort;
      f.ready = std::max(f.ready, clocks_.clk_at(free) + request_clocks_);
    }
    if (n > retired_)
      f.ready = std::max(f.ready, ring_[(n - 1) & parts_mask_].ready);
    if (f.ends_burst)
      ++bursts_cut_;
  }
  visible_ = filled_;
}

template <> void Stream::cut<kWrite>(Burst &b, bool opens) {
  while (burst_left_ > 0 && filled_ - retired_ < fifo_parts_) {
    const Place &room = room_[(filled_ - fifo_parts_) & parts_mask_];
    const Cycle free = filled_ >= fifo_parts_ ? clocks_.cycle_at(room.free) + 1 : 0;
    Flight &f = next_part(b);
    Cycle x = previous_last_ + 1;
    // The first beat of a burst of several may be late.
    const bool several = std::exchange(opens, false) && !(f.ends_burst && f.beats == 1);
    if (s_.outside)
      f.beats = 0; // they have passed before: all data are there when the burst begins
    const Cycle own = b.begin + (several ? s_.address_cycles : 0);
    const Cycle first = std::max({x, own, free});
    if (first > x) {
      book(stats_, x, b.begin, first, b.cause);
      if (first > x && filled_ > fifo_parts_)
        book(stats_, x, clocks_.cycle_at(room.accepted), first, kPath);
      book(stats_, x, free, first, kController);
      book(stats_, x, first, first, kMaster);
    }
    stats_.classes[kData] += f.beats;
    b.last = previous_last_ = first + f.beats - 1;
    if (beats_ != nullptr)
      note_beats(first, f.beats);
    if (!f.ends_burst && port_.release_whole_burst) {
      f.part.requested = f.ready = kNever; // not known yet
      continue;
    }
    f.part.requested = clocks_.clk_at(b.last + 1);
    f.ready = clocks_.clk_at(b.last + 1 + port_.request_cycles[kWrite]) + request_clocks_;
    for (; visible_ < filled_; ++visible_) {
      Flight &leaves = ring_[visible_ & parts_mask_];
      leaves.part.requested = f.part.requested;
      leaves.ready = f.ready;
    }
    if (f.ends_burst) {
      ++bursts_cut_;
      news_ |= kPartnerNews;
      if (s_.job.bursts > 0 && bursts_cut_ % s_.job.bursts == 0)
        job(bursts_cut_ / s_.job.bursts - 1).moved = b.last;
    }
  }
}

void Stream::note_beats(Cycle first, Cycle beats) { beats_->run(first, beats); }

// Why there was no beat of a read burst from `x` on, before `first`.
void Stream::wait_for_data(const Flight &f, const Burst &b, Cycle x, Cycle first) {
  const auto until = [&](Clk moment, StreamClass cause) {
    if (x != first) // or there is nothing left to book
      book(stats_, x, clocks_.clk_to_cycle(moment), first, cause);
  };
  book(stats_, x, b.begin, first, b.cause);
  until(f.ready, kLatency);
  until(f.accepted, kPath);
  until(f.first, kController);
  book(stats_, x, first, first, kLatency);
}

} // namespace axm
