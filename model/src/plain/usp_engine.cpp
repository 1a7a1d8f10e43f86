#include "usp_engine.hpp"

#include <algorithm>

namespace axm::plain::usp {

Engine::Engine(const SystemConfig &c, std::size_t stream, const RepeatStart &start)
    : config_(c.streams[stream]), launch_(start.launch[stream]),
      stop_(config_.stop < 0 ? kNever : config_.stop) {
  const int width = c.ports[static_cast<std::size_t>(config_.port)].width_bytes;
  beats_ = (config_.burst_bytes + width - 1) / width;
  if (config_.outside) {
    launch_ = 0;
    config_.outstanding = 64; // whatever was asked for, as the interface takes it
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
  if (asks_ || sends_ || now < launch_ || now >= stop_ || now < may_ask_ ||
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

void Engine::completed(Cycle now) {
  bursts[complete_++].done = now;
  if (reads())
    moved(now);
}

void Engine::moved(Cycle now) {
  const auto job = static_cast<std::size_t>(config_.job.bursts);
  if (job > 0 && ++moved_ % job == 0)
    jobs_.push_back(now);
}

// What the other half does in a cycle is seen in the next one.
bool Engine::waits_for_job(Cycle now) {
  if (partner_ == nullptr)
    return false;
  const auto job = static_cast<std::size_t>(config_.job.bursts);
  const std::size_t k = bursts.size() / job;
  if (bursts.size() % job > 0)
    return false;
  const std::vector<Cycle> &others = partner_->jobs_;
  if (reads()) {
    const auto ahead = static_cast<std::size_t>(config_.job.ahead);
    return k >= ahead && (k - ahead >= others.size() || others[k - ahead] >= now);
  }
  while (computed_.size() < others.size() && others[computed_.size()] < now) {
    Cycle from = others[computed_.size()] + std::max(1, config_.loopback_cycles);
    if (!computed_.empty() && computed_.back() > from)
      from = computed_.back();
    computed_.push_back(from + config_.job.compute_cycles);
  }
  return k >= computed_.size() || computed_[k] > now;
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

} // namespace axm::plain::usp
