#include "master.hpp"

#include <algorithm>

namespace axm::plain {

namespace {

constexpr std::uint64_t kMostRandom = std::uint64_t{1} << 31; // bytes that 31 bits reach

// The first 31 bits of an engine's random sequence, the first one lowest.
std::uint64_t first_bits(std::uint64_t pattern_seed, const StreamConfig &s) {
  pattern_seed += static_cast<std::uint64_t>(s.port) * 0x9e3779b97f4a7c15ULL;
  std::uint64_t bits = pattern_seed / (std::uint64_t{1} << 33) % kMostRandom;
  if (bits == 0 || bits == kMostRandom - 1)
    bits = 1;
  return s.dir == kWrite ? kMostRandom - 1 - bits : bits;
}

} // namespace

Master::Master(const SystemConfig &c, std::size_t id, const RepeatStart &start)
    : config_(c.streams[id]), port_(c.ports[static_cast<std::size_t>(config_.port)]),
      clocks_(c.clocks_of(port_)), map_(c.dram), column_bytes_(c.dram.column_bytes),
      request_clocks_(c.paths[static_cast<std::size_t>(port_.path)].request_clocks[config_.dir]),
      data_clocks_(c.data_clocks(port_)),
      places_(std::clamp(
          port_.fifo_bytes[config_.dir] / std::min(port_.part_bytes, config_.burst_bytes), 1, 64)),
      launch_(start.launch[id]), stop_(c.stop_of(config_, start.stop)),
      random_bits_(first_bits(start.pattern_seed, config_)),
      total_(config_.outside
                 ? 0
                 : ceil_div(static_cast<std::int64_t>(config_.bytes), config_.burst_bytes)) {
  const auto beats = ceil_div(config_.burst_bytes, port_.width_bytes);
  if (config_.pace_cycles <= beats * config_.pace_bursts)
    config_.pace_cycles = 0; // no limit
}

// ---- bursts --------------------------------------------------------------------

// Burst n of steps: as many as begin in the region, then from the base again.
std::uint64_t Master::address_in_steps(std::uint64_t n) const {
  const std::uint64_t step = config_.pattern == Pattern::stride
                                 ? config_.stride
                                 : static_cast<std::uint64_t>(config_.burst_bytes);
  if (config_.region == 0)
    return config_.base + n * step;
  std::uint64_t offset = 0;
  if (step != 0)
    offset = n % ((config_.region + step - 1) / step) * step;
  return config_.base + offset;
}

// Burst n lies at bits 28 n to 28 n + 30 of b[i + 31] = b[i] ^ b[i + 3], of which those
// count that stay in the region and leave bursts aligned.
std::uint64_t Master::next_random_address() {
  if (bursts_.size() > 1)
    for (int i = 0; i < 28; ++i)
      random_bits_ =
          random_bits_ / 2 + ((random_bits_ ^ random_bits_ >> 3) & 1) * (kMostRandom / 2);
  std::uint64_t slot = 1;
  while (slot < static_cast<std::uint64_t>(config_.burst_bytes))
    slot *= 2;
  std::uint64_t whole = 1;
  while (whole * 2 <= config_.region && whole < kMostRandom)
    whole *= 2;
  return config_.base + random_bits_ % std::max(whole, slot) / slot * slot;
}

Part &Master::add_part(std::uint64_t address, std::uint64_t bytes, int beats) {
  Part p;
  p.burst = bursts_.size() - 1;
  p.where = map_.locate(address);
  const auto column = static_cast<std::uint64_t>(column_bytes_);
  p.columns = static_cast<int>((address + bytes - 1) / column - address / column + 1);
  p.bytes = bytes;
  p.beats = beats;
  bursts_.back().beats += beats;
  p.cause = bursts_.back().port_busy ? kIdlePort : kIdleNoRequest;
  parts_.push_back(p);
  return parts_.back();
}

void Master::cut_into_parts() {
  const std::size_t n = bursts_.size() - 1;
  const auto size = static_cast<std::uint64_t>(config_.burst_bytes);
  cut(config_.pattern == Pattern::random ? next_random_address() : address_in_steps(n),
      std::min(size, config_.bytes - n * size));
}

void Master::cut(std::uint64_t address, std::uint64_t left) {
  const auto boundary = static_cast<std::uint64_t>(port_.part_bytes);
  bursts_.back().bytes = left;
  while (left > 0) {
    const std::uint64_t bytes = std::min(left, boundary - address % boundary);
    const auto beats = ceil_div(static_cast<std::int64_t>(bytes), port_.width_bytes);
    add_part(address, bytes, static_cast<int>(beats)).ends_burst = bytes == left;
    address += bytes;
    left -= bytes;
  }
}

// The first beat of an unaligned burst is short; a beat belongs to the part of its address.
void Master::cut_what_was_asked() {
  const auto size = static_cast<std::uint64_t>(asked_->beat_bytes);
  const auto boundary = static_cast<std::uint64_t>(port_.part_bytes);
  const std::uint64_t end =
      (asked_->address / size + static_cast<std::uint64_t>(asked_->beats)) * size;
  bursts_.back().bytes = end - asked_->address;
  for (std::uint64_t address = asked_->address; address < end;) {
    const std::uint64_t next = std::min(end, (address / boundary + 1) * boundary);
    const std::uint64_t beats = (next - 1) / size - address / size + 1;
    add_part(address, next - address, static_cast<int>(beats)).ends_burst = next == end;
    address = next;
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

// The rate: bursts begin no faster on average, and late ones catch up.
bool Master::due(Cycle now) const { return (now - launch_) * config_.pace_bursts >= due_; }

bool Master::fewer_than_outstanding(Cycle now) const {
  const auto most = static_cast<std::size_t>(config_.outstanding);
  return bursts_.size() < most || bursts_[bursts_.size() - most].done < now;
}

// The write half needs its burst's data; the read half needs room between them.
bool Master::partner_allows(Cycle now, const Master *partner) const {
  if (partner == nullptr)
    return true;
  if (config_.job.bursts > 0)
    return job_allows(now, *partner);
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

// A job is set up when the one before has been, and there is room for it; results have a place
// some cycles later. It is computed when it is read, and the one before is computed.
void Master::prepare_jobs(Cycle now, const Master &partner) {
  const JobConfig &job = config_.job;
  const auto others = static_cast<std::size_t>(partner.config_.job.bursts);
  if (config_.dir == kRead) {
    const auto ahead = static_cast<std::size_t>(job.ahead);
    while (now >= (placed_.empty() ? launch_ : placed_.back())) {
      if (set_up_.size() >= ahead) {
        const std::size_t last = (set_up_.size() - ahead + 1) * others - 1; // burst of that job
        if (last >= partner.bursts_.size() || partner.bursts_[last].last_beat >= now)
          return;
      }
      set_up_.push_back(now + job.setup_cycles);
      placed_.push_back(set_up_.back() + job.place_cycles);
    }
    return;
  }
  for (;;) {
    const std::size_t burst = computed_.size() * others + static_cast<std::size_t>(job.fill) - 1;
    if (burst >= partner.bursts_.size() || partner.bursts_[burst].last_beat > now)
      return;
    Cycle from = partner.bursts_[burst].last_beat + config_.loopback_cycles;
    if (!computed_.empty())
      from = std::max(from, computed_.back());
    computed_.push_back(from + job.compute_cycles);
  }
}

bool Master::job_allows(Cycle now, const Master &partner) const {
  const std::size_t n = bursts_.size(), own = static_cast<std::size_t>(config_.job.bursts);
  const std::size_t k = n / own, within = n % own;
  const auto moved = [&](std::size_t burst, Cycle latest) {
    return burst < partner.bursts_.size() && partner.bursts_[burst].last_beat <= latest;
  };
  if (config_.dir == kRead) {
    const auto room = static_cast<std::size_t>(config_.loopback_bursts);
    if (room > 0 && n >= room && !moved(n - room, now - 1))
      return false;
    return within > 0 || (k < set_up_.size() && set_up_[k] <= now);
  }
  if (within == 0)
    return k < computed_.size() && computed_[k] <= now && partner.placed_[k] <= now;
  // A FIFO passes on what follows as it was read.
  return config_.loopback_bursts == 0 || within < static_cast<std::size_t>(config_.job.fill) ||
         moved(n, now - config_.loopback_cycles);
}

// What was it that held the burst up until the cycle before?
int Master::cause_of_wait(const Master *partner, bool &port_busy) const {
  const std::size_t n = bursts_.size();
  if (channel_was_free_ && !outstanding_were_fewer_) {
    port_busy = true;
    return kMaster;
  }
  if (channel_was_free_ && partner != nullptr) {
    port_busy = false;
    if (config_.job.bursts > 0)
      return kPartner;
    const std::size_t ahead =
        config_.dir == kRead ? static_cast<std::size_t>(config_.loopback_bursts) : 0;
    port_busy =
        n >= ahead && n - ahead < partner->bursts_.size() && partner->bursts_[n - ahead].port_busy;
    return kPartner;
  }
  port_busy = n > 0 && config_.gap_cycles == 0 && !waited_for_rate_;
  return n == 0 ? kLaunch : kMaster;
}

void Master::begin_if_possible(Cycle now, const Master *partner) {
  if (config_.outside) {
    for (; !waiting_.empty() && waiting_.front().at <= now; waiting_.pop_front()) {
      Burst b;
      b.begin = now;
      b.cause = kMaster;
      bursts_.push_back(b);
      cut(waiting_.front().address, static_cast<std::uint64_t>(waiting_.front().bytes));
      ++progress_;
    }
    return;
  }
  if (outside_) {
    if (asked_)
      begin(now, partner);
    return;
  }
  const std::size_t n = bursts_.size();
  if (static_cast<std::int64_t>(n) >= total_)
    return;
  if (now >= stop_) {
    total_ = static_cast<std::int64_t>(n);
    return;
  }
  if (config_.job.bursts > 0 && now >= launch_)
    prepare_jobs(now, *partner);
  const bool fewer = fewer_than_outstanding(now);
  if (channel_free(now) && due(now) && fewer && partner_allows(now, partner))
    begin(now, partner);
  else
    note_wait(now);
}

void Master::begin(Cycle now, const Master *partner) {
  const bool late = channel_free(now) && !due(now);
  Burst b;
  b.begin = now;
  b.cause = cause_of_wait(partner, b.port_busy);
  bursts_.push_back(b);
  due_ = std::max(due_, (now - launch_ - kMostLag) * config_.pace_bursts) + config_.pace_cycles;
  outside_ ? cut_what_was_asked() : cut_into_parts();
  ++progress_;
  channel_was_free_ = false;
  waited_for_rate_ = late;
}

// What holds the next burst up in a cycle in which none begins.
void Master::note_wait(Cycle now) {
  const bool channel = channel_free(now), on_time = due(now);
  channel_was_free_ = channel && on_time;
  waited_for_rate_ = channel && !on_time;
  outstanding_were_fewer_ = fewer_than_outstanding(now);
}

// ---- outside -------------------------------------------------------------------

std::optional<Cycle> Master::tell() {
  if (!config_.outside || told_ == bursts_.size() || bursts_[told_].done == kNever)
    return std::nullopt;
  return bursts_[told_++].done;
}

// Of the cycle before: a response that is taken now is not.
void Master::ask(const Asked &asked, Cycle now) {
  if (bursts_.empty() || bursts_.back().begin != now - 1)
    note_wait(now - 1);
  asked_ = asked;
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
  if (config_.dir != kRead || !moves_ || !is_due(now))
    return;
  Part &p = parts_[moved_];
  if (move_beat(p, now) && p.ends_burst)
    bursts_[p.burst].done = (bursts_[p.burst].last_beat = now) + config_.between_cycles;
}

// One beat of the part in turn; true if it was the last.
bool Master::move_beat(Part &p, Cycle now) {
  if (beats_moved_ == 0)
    p.first_beat = now;
  if (now != run_from_ + run_beats_) {
    beats_.run(run_from_, run_beats_);
    run_from_ = now;
    run_beats_ = 0;
  }
  ++run_beats_;
  ++progress_;
  if (++beats_moved_ < p.beats)
    return false;
  p.last_beat = now;
  beats_moved_ = 0;
  ++moved_;
  look_what_is_due();
  return true;
}

// ---- writes --------------------------------------------------------------------

// Places fall free in order, in the cycle after the data have gone.
std::size_t Master::places_freed(Cycle now) const {
  std::size_t left = left_;
  while (left < moved_ && now >= parts_[left].due)
    ++left;
  return left;
}

// Whether the engine has no beat yet: the address of a burst of several comes first.
bool Master::held(Cycle now) const {
  const Burst &b = bursts_[parts_[moved_].burst];
  const bool opens = beats_moved_ == 0 && (moved_ == 0 || parts_[moved_ - 1].ends_burst);
  return opens && b.beats > 1 && now < b.begin + config_.address_cycles;
}

bool Master::takes_write_beat(Cycle now, bool begins) const {
  if (config_.dir != kWrite || (moved_ == parts_.size() && !begins))
    return false;
  return beats_moved_ > 0 || moved_ - places_freed(now) < static_cast<std::size_t>(places_);
}

void Master::write_beats(Cycle now, const Master *partner) {
  if (config_.dir != kWrite)
    return;
  begin_if_possible(now, partner);
  left_ = places_freed(now);
  if (config_.outside)
    return store_whole_parts(now);
  if (moved_ == parts_.size() || !takes_write_beat(now, false) || !moves_)
    return;
  if (!outside_ && held(now))
    return;
  Part &p = parts_[moved_];
  if (!move_beat(p, now))
    return;
  if (p.ends_burst)
    bursts_[p.burst].last_beat = now;
  if (!p.ends_burst && port_.release_whole_burst)
    return;
  send_what_moved(now + 1);
}

// Of an outside stream all data of a burst are there: a part is in the FIFO as soon as it has a
// place, and takes the port's data channel no cycle.
void Master::store_whole_parts(Cycle now) {
  while (moved_ < parts_.size() && moved_ - left_ < static_cast<std::size_t>(places_)) {
    Part &p = parts_[moved_++];
    p.first_beat = now;
    p.last_beat = now - 1;
    ++progress_;
    if (p.ends_burst || !port_.release_whole_burst)
      send_what_moved(now);
  }
}

// Parts leave for the path.
void Master::send_what_moved(Cycle from) {
  for (; sent_ < moved_; ++sent_) {
    Part &s = parts_[sent_];
    s.requested = clocks_.clk_at(from);
    s.ready = clocks_.clk_at(from + port_.request_cycles[kWrite]) + request_clocks_;
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
    bursts_[p.burst].done = clocks_.cycle_at(now + port_.response_clocks) + config_.between_cycles;
  look_what_is_due();
  ++progress_;
}

void Master::pass(std::size_t index, Clk passed) {
  parts_[index].passed = passed;
  parts_[index].due = config_.dir == kRead
                          ? clocks_.cycle_at(passed + data_clocks_) + port_.return_cycles
                          : clocks_.cycle_at(passed) + 1;
  if (config_.dir == kRead)
    look_what_is_due();
  if (config_.dir == kRead || port_.early_response)
    return;
  // Responses are in order: a burst's comes after all data up to its end.
  for (; answered_ < accepted_ && parts_[answered_].passed != kNever; ++answered_) {
    const Part &p = parts_[answered_];
    answered_at_ = std::max(answered_at_, p.passed);
    if (p.ends_burst)
      bursts_[p.burst].done =
          clocks_.cycle_at(answered_at_ + port_.response_clocks) + config_.between_cycles;
  }
  look_what_is_due();
}

void Master::look_what_is_due() {
  if (config_.dir == kRead)
    due_from_ = moved_ < parts_.size() ? parts_[moved_].due : kNever;
  else
    due_from_ = responded_ < bursts_.size() ? bursts_[responded_].done : kNever;
}

// ---- results -------------------------------------------------------------------

// Bursts are done in order.
bool Master::complete() const {
  if (outside_)
    return all_begun_are_done();
  return static_cast<std::int64_t>(bursts_.size()) == total_ && all_begun_are_done();
}

Cycle Master::end() const {
  Cycle end = launch_;
  for (const Burst &b : bursts_)
    end = std::max(end, b.done + 1);
  return end;
}

BeatTimes Master::beats() const {
  BeatTimes all = beats_;
  all.run(run_from_, run_beats_);
  return all;
}

std::uint64_t Master::bytes() const {
  std::uint64_t sum = 0;
  for (const Burst &b : bursts_)
    sum += b.bytes;
  return sum;
}

} // namespace axm::plain
