#include "clocked_engine.hpp"

#include <algorithm>

namespace axm::plain::clocked {

Engine::Engine(const SystemConfig &c, std::size_t stream, const RepeatStart &start)
    : config_(c.streams[stream]), launch_(start.launch[stream]),
      stop_(config_.stop < 0 ? kNever : config_.stop) {
  width_ = c.ports[static_cast<std::size_t>(config_.port)].width_bytes;
  beats_ = (config_.burst_bytes + width_ - 1) / width_;
  if (config_.outside) {
    launch_ = 0;
    config_.outstanding = 64; // all requests, as the interface takes them
  }
  if (config_.pace_cycles <= beats_ * config_.pace_bursts)
    config_.pace_cycles = 0; // its beats take as long
  // SEED of the port, and for writes its complement.
  std::uint64_t seed = start.pattern_seed;
  for (int p = 0; p < config_.port; ++p)
    seed += 0x9E3779B97F4A7C15ULL;
  seed >>= 33;
  if (seed == 0 || seed == 0x7fffffff)
    seed = 1;
  for (int k = 0; k < 31; ++k)
    random_.push_back(((seed >> k & 1) != 0) == reads());
}

void Engine::begin(Cycle now) {
  if (asks_ || sends_ || all_begun() || now < launch_ || now >= stop_ || now < may_ask_ ||
      (now - launch_) * config_.pace_bursts < due_)
    return;
  if (in_flight() >= static_cast<std::size_t>(config_.outstanding) || waits_for_job(now) ||
      (config_.outside && (outside.empty() || outside.front().from > now)))
    return;
  asks_ = true;
  asked_ = now;
}

Engine::Request Engine::take_address(Cycle now) {
  Request taken{now, 0, config_.burst_bytes};
  if (config_.outside) {
    taken = outside.front();
    outside.pop_front();
  } else {
    taken.address = address(bursts.size());
    const std::uint64_t left =
        config_.bytes - bursts.size() * static_cast<std::uint64_t>(config_.burst_bytes);
    const auto width = static_cast<std::uint64_t>(width_);
    if (left < static_cast<std::uint64_t>(config_.burst_bytes)) // the last beat may be in part
      taken.bytes = static_cast<int>((left + width - 1) / width * width);
  }
  bursts.push_back({now});
  asks_ = false;
  due_ = std::max(due_, (now - launch_ - kMostLag) * config_.pace_bursts) + config_.pace_cycles;
  if (!reads())
    sends_ = true;
  else if (config_.gap_cycles > 0)
    may_ask_ = asked_ + beats_ + config_.gap_cycles;
  return taken;
}

void Engine::answered(Cycle now) {
  answers_.push_back(now + config_.between_cycles);
  if (reads())
    moved(now);
  completed(now);
}

void Engine::completed(Cycle now) {
  for (; complete_ < answers_.size() && answers_[complete_] <= now; ++complete_)
    bursts[complete_].done = answers_[complete_];
}

void Engine::moved(Cycle now) {
  if (partner_ != nullptr)
    moved_.push_back(now);
}

// What the other half does in a cycle is seen in the next one.
bool Engine::has_moved(std::size_t burst, Cycle latest) const {
  return burst < moved_.size() && moved_[burst] <= latest;
}

// A job is set up when the one before has a place, and there is room for it; results have a place
// some cycles later. It is computed when it is read, and the one before is computed.
void Engine::prepare_jobs(Cycle now) {
  const JobConfig &job = config_.job;
  const auto others = static_cast<std::size_t>(partner_->config_.job.bursts);
  for (;;) {
    const std::size_t k = ready_.size(), ahead = static_cast<std::size_t>(job.ahead);
    Cycle from = reads() && k == 0 ? launch_ : free_;
    if (reads() && k >= ahead) {
      const std::size_t last = (k - ahead + 1) * others - 1; // burst of the job that makes room
      if (!partner_->has_moved(last, now - 1))
        return;
      from = std::max(from, partner_->moved_[last] + 1);
    } else if (!reads()) {
      const std::size_t last = k * others + static_cast<std::size_t>(job.fill) - 1;
      if (!partner_->has_moved(last, now - 1))
        return;
      from = std::max(from, partner_->moved_[last] + std::max(1, config_.loopback_cycles));
    }
    ready_.push_back(from + (reads() ? job.setup_cycles : job.compute_cycles));
    free_ = ready_.back() + (reads() ? job.place_cycles : 0);
  }
}

bool Engine::waits_for_job(Cycle now) {
  if (partner_ == nullptr)
    return false;
  prepare_jobs(now);
  const JobConfig &job = config_.job;
  const std::size_t n = bursts.size(), k = n / static_cast<std::size_t>(job.bursts);
  const std::size_t within = n % static_cast<std::size_t>(job.bursts);
  const auto room = static_cast<std::size_t>(config_.loopback_bursts);
  if (reads() && room > 0 && n >= room && !partner_->has_moved(n - room, now - 1))
    return true;
  if (within == 0) {
    const bool ready = k < ready_.size() && ready_[k] <= now;
    return !ready || (!reads() && partner_->ready_[k] + job.place_cycles > now);
  }
  // A FIFO passes on what follows as it was read.
  return !reads() && room > 0 && within >= static_cast<std::size_t>(job.fill) &&
         !partner_->has_moved(n, now - std::max(1, config_.loopback_cycles));
}

void Engine::sent(Cycle now) {
  moved(now);
  sends_ = false;
  may_ask_ = now + 1 + config_.gap_cycles;
}

std::uint64_t Engine::address(std::size_t number) {
  if (config_.pattern == Pattern::random)
    return config_.base + random_offset(number);
  const auto step = config_.pattern == Pattern::stride
                        ? config_.stride
                        : static_cast<std::uint64_t>(config_.burst_bytes);
  std::uint64_t bursts_in_region = 0;
  do
    ++bursts_in_region;
  while (step > 0 && bursts_in_region * step < config_.region);
  return config_.base + number % bursts_in_region * step;
}

std::uint64_t Engine::random_offset(std::size_t number) {
  while (random_.size() < 28 * number + 31) {
    const std::size_t k = random_.size() - 31;
    random_.push_back(random_[k] != random_[k + 3]);
  }
  std::uint64_t offset = 0;
  for (int k = 0; k < 31; ++k) {
    const std::uint64_t bit = 1ULL << k;
    // From a burst's size, rounded up to a power of two, to below the region's, rounded down.
    if (bit >= static_cast<std::uint64_t>(config_.burst_bytes) && 2 * bit <= config_.region &&
        random_[28 * number + static_cast<std::size_t>(k)])
      offset += bit;
  }
  return offset;
}

} // namespace axm::plain::clocked
