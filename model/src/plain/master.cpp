#include "master.hpp"

#include <algorithm>

namespace axm::plain {

namespace {

// splitmix64 (Steele, Lea, Flood 2014), which draws the addresses of random bursts.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

} // namespace

Master::Master(const SystemConfig &c, std::size_t id, const RepeatStart &start)
    : config_(c.streams[id]), port_(c.ports[static_cast<std::size_t>(config_.port)]),
      clocks_(c.clocks), map_(c.dram), column_bytes_(c.dram.column_bytes),
      request_clocks_(c.paths[static_cast<std::size_t>(port_.path)].request_clocks[config_.dir]),
      data_clocks_(c.dram.timing.CL + c.dram.burst_clocks),
      places_(std::clamp(
          port_.fifo_bytes[config_.dir] / std::min(port_.part_bytes, config_.burst_bytes), 1, 64)),
      launch_(start.launch[id]), stop_(start.stop), pattern_seed_(start.pattern_seed),
      total_(ceil_div(static_cast<std::int64_t>(config_.bytes), config_.burst_bytes)) {}

// ---- bursts --------------------------------------------------------------------

std::uint64_t Master::address_of_burst(std::uint64_t n) const {
  const auto size = static_cast<std::uint64_t>(config_.burst_bytes);
  std::uint64_t offset = n * size;
  if (config_.pattern == Pattern::stride)
    offset = n * config_.stride;
  if (config_.pattern == Pattern::random)
    offset = scramble(pattern_seed_ + n) % (config_.region / size) * size;
  if (config_.region != 0)
    offset %= config_.region;
  return config_.base + offset;
}

void Master::cut_into_parts() {
  const std::size_t n = bursts_.size() - 1;
  const auto size = static_cast<std::uint64_t>(config_.burst_bytes);
  std::uint64_t address = address_of_burst(n);
  std::uint64_t left = std::min(size, config_.bytes - n * size);
  while (left > 0) {
    const auto boundary = static_cast<std::uint64_t>(port_.part_bytes);
    const std::uint64_t bytes = std::min(left, boundary - address % boundary);
    Part p;
    p.burst = n;
    p.ends_burst = bytes == left;
    p.where = map_.locate(address);
    const auto column = static_cast<std::uint64_t>(column_bytes_);
    p.columns = static_cast<int>((address + bytes - 1) / column - address / column + 1);
    p.beats = static_cast<int>(ceil_div(static_cast<std::int64_t>(bytes), port_.width_bytes));
    p.cause = bursts_[n].port_busy ? kIdlePort : kIdleNoRequest;
    parts_.push_back(p);
    address += bytes;
    left -= bytes;
  }
}

// Reads: one address a cycle. Writes: a burst after the last beat of the one before.
// Either way `gap_cycles` idle cycles after the beats of a burst.
bool Master::channel_free(Cycle now) const {
  if (now < launch_)
    return false;
  if (bursts_.empty())
    return true;
  Cycle busy_until = bursts_.back().last_beat; // kNever while its beats still move
  if (config_.dir == kRead) {
    busy_until = bursts_.back().begin;
    if (config_.gap_cycles > 0)
      busy_until += ceil_div(config_.burst_bytes, port_.width_bytes) - 1;
  }
  return now > busy_until + config_.gap_cycles;
}

bool Master::fewer_than_outstanding(Cycle now) const {
  const auto most = static_cast<std::size_t>(config_.outstanding);
  return bursts_.size() < most || bursts_[bursts_.size() - most].done < now;
}

// The write half needs its burst's data; the read half needs room between them.
bool Master::partner_allows(Cycle now, const Master *partner) const {
  if (partner == nullptr)
    return true;
  std::size_t n = bursts_.size();
  if (config_.dir == kWrite)
    return n < partner->bursts_.size() &&
           partner->bursts_[n].last_beat + config_.loopback_cycles <= now;
  const auto ahead = static_cast<std::size_t>(config_.loopback_bursts);
  if (n < ahead)
    return true;
  n -= ahead;
  return n < partner->bursts_.size() && partner->bursts_[n].last_beat < now;
}

void Master::begin_if_possible(Cycle now, const Master *partner) {
  const std::size_t n = bursts_.size();
  if (static_cast<std::int64_t>(n) >= total_)
    return;
  if (now >= stop_) {
    total_ = static_cast<std::int64_t>(n);
    return;
  }
  const bool channel = channel_free(now);
  const bool fewer = fewer_than_outstanding(now);
  if (channel && fewer && partner_allows(now, partner)) {
    // What was it that held the burst up until the cycle before?
    Burst b;
    b.begin = now;
    b.cause = n == 0 ? kLaunch : kMaster;
    b.port_busy = n > 0 && config_.gap_cycles == 0;
    if (channel_was_free_ && !outstanding_were_fewer_) {
      b.cause = kMaster;
      b.port_busy = true;
    } else if (channel_was_free_) { // so it was the partner
      const std::size_t ahead =
          config_.dir == kRead ? static_cast<std::size_t>(config_.loopback_bursts) : 0;
      b.cause = kPartner;
      b.port_busy = partner->bursts_[n - ahead].port_busy;
    }
    bursts_.push_back(b);
    cut_into_parts();
    ++progress_;
  }
  channel_was_free_ = channel && bursts_.size() == n;
  outstanding_were_fewer_ = fewer;
}

// ---- reads ---------------------------------------------------------------------

void Master::addresses(Cycle now, const Master *partner) {
  if (config_.dir != kRead)
    return;
  begin_if_possible(now, partner);
  while (sent_ < parts_.size()) {
    Part &p = parts_[sent_];
    const Cycle begin = bursts_[p.burst].begin;
    if (now < begin + port_.request_cycles[kRead])
      break;
    if (sent_ >= static_cast<std::size_t>(places_)) {
      const Part &before = parts_[sent_ - static_cast<std::size_t>(places_)]; // in the same place
      if (before.last_beat >= now)
        break;
      if (before.last_beat >= begin)
        p.cause = kIdlePort;
    }
    p.requested = clocks_.clk_at(begin);
    p.ready = clocks_.clk_at(now) + request_clocks_;
    ++sent_;
    ++progress_;
  }
}

void Master::read_beats(Cycle now) {
  if (config_.dir != kRead || moved_ == parts_.size())
    return;
  Part &p = parts_[moved_];
  if (p.passed == kNever)
    return;
  if (now < clocks_.cycle_at(p.passed + data_clocks_) + port_.return_cycles)
    return;
  if (!move_beat(p, now))
    return;
  if (p.ends_burst)
    bursts_[p.burst].last_beat = bursts_[p.burst].done = now;
}

// One beat of the part in turn; true if it was the last.
bool Master::move_beat(Part &p, Cycle now) {
  if (beats_moved_ == 0)
    p.first_beat = now;
  ++progress_;
  if (++beats_moved_ < p.beats)
    return false;
  p.last_beat = now;
  beats_moved_ = 0;
  ++moved_;
  return true;
}

// ---- writes --------------------------------------------------------------------

void Master::write_beats(Cycle now, const Master *partner) {
  if (config_.dir != kWrite)
    return;
  begin_if_possible(now, partner);
  // Places fall free in order, in the cycle after the data have gone.
  while (left_ < moved_ && parts_[left_].passed != kNever &&
         clocks_.cycle_at(parts_[left_].passed) < now)
    ++left_;
  if (moved_ == parts_.size())
    return;
  if (beats_moved_ == 0 && moved_ - left_ >= static_cast<std::size_t>(places_))
    return;
  Part &p = parts_[moved_];
  if (!move_beat(p, now))
    return;
  if (p.ends_burst)
    bursts_[p.burst].last_beat = now;
  if (!p.ends_burst && port_.release_whole_burst)
    return;
  for (; sent_ < moved_; ++sent_) {
    Part &s = parts_[sent_];
    s.requested = clocks_.clk_at(now + 1);
    s.ready = clocks_.clk_at(now + 1 + port_.request_cycles[kWrite]) + request_clocks_;
  }
}

// ---- the path's side -----------------------------------------------------------

const Part *Master::offer(Clk now) const {
  if (accepted_ == sent_ || parts_[accepted_].ready > now)
    return nullptr;
  return &parts_[accepted_];
}

void Master::accept(Clk now) {
  Part &p = parts_[accepted_++];
  p.accepted = now;
  if (config_.dir == kWrite && port_.early_response && p.ends_burst)
    bursts_[p.burst].done = clocks_.cycle_at(now + port_.response_clocks);
  ++progress_;
}

void Master::pass(std::size_t index, Clk passed) {
  parts_[index].passed = passed;
  if (config_.dir == kRead || port_.early_response)
    return;
  // Responses are in order: a burst's comes after all data up to its end.
  for (; answered_ < accepted_ && parts_[answered_].passed != kNever; ++answered_) {
    const Part &p = parts_[answered_];
    answered_at_ = std::max(answered_at_, p.passed);
    if (p.ends_burst)
      bursts_[p.burst].done = clocks_.cycle_at(answered_at_ + port_.response_clocks);
  }
}

// ---- results -------------------------------------------------------------------

// Bursts are done in order.
bool Master::complete() const {
  return static_cast<std::int64_t>(bursts_.size()) == total_ &&
         (bursts_.empty() || bursts_.back().done != kNever);
}

Cycle Master::end() const {
  Cycle end = launch_;
  for (const Burst &b : bursts_)
    end = std::max(end, b.done + 1);
  return end;
}

std::uint64_t Master::bytes() const {
  return std::min(config_.bytes, bursts_.size() * static_cast<std::uint64_t>(config_.burst_bytes));
}

} // namespace axm::plain
