#include "usp_engine.hpp"

#include <algorithm>

namespace axm::plain::usp {

Engine::Engine(const SystemConfig &c, std::size_t stream, const RepeatStart &start)
    : config_(c.streams[stream]), launch_(start.launch[stream]),
      stop_(config_.stop < 0 ? kNever : config_.stop) {
  const int width = c.ports[static_cast<std::size_t>(config_.port)].width_bytes;
  beats_ = (config_.burst_bytes + width - 1) / width;
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
  if (asks_ || sends_ || now < launch_ || now >= stop_ || now < may_ask_)
    return;
  if (in_flight() >= static_cast<std::size_t>(config_.outstanding))
    return;
  asks_ = true;
  asked_ = now;
}

std::uint64_t Engine::take_address(Cycle now) {
  const std::uint64_t at = address(bursts.size());
  bursts.push_back({now});
  asks_ = false;
  if (!reads())
    sends_ = true;
  else if (config_.gap_cycles > 0)
    may_ask_ = asked_ + beats_ + config_.gap_cycles;
  return at;
}

void Engine::sent(Cycle now) {
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
