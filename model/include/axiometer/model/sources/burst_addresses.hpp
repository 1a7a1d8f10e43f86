// Where the bursts of an engine begin, as the traffic generator of rtl/ does it;
// docs/hardware.md, "Where bursts begin", is the definition.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "axiometer/model/config.hpp"

namespace axm {

class BurstAddresses {
public:
  explicit BurstAddresses(const StreamConfig &s)
      : base_(s.base), random_(s.pattern == Pattern::random), complement_(s.dir == kWrite),
        port_(static_cast<std::uint64_t>(s.port)),
        step_(s.pattern == Pattern::stride ? s.stride : static_cast<std::uint64_t>(s.burst_bytes)) {
    if (random_) {
      const std::uint64_t whole = std::bit_floor(std::min<std::uint64_t>(s.region, 1ULL << 31));
      const std::uint64_t slot = std::bit_ceil(step_);
      mask_ = whole > slot ? whole - slot : 0;
    } else if (s.region != 0) {
      lap_ = step_ == 0 ? 1 : (s.region - 1) / step_ + 1;
    }
  }

  void start(std::uint64_t pattern_seed) {
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15ULL;
    const auto seed =
        static_cast<std::uint32_t>((pattern_seed + port_ * kGoldenRatio) >> 33 & kBits);
    state_ = seed == 0 || seed == kBits ? 1 : seed;
    if (complement_)
      state_ = ~state_ & kBits;
  }

  // Of burst n. Read random ones in order, with `advance` between two.
  std::uint64_t at(std::int64_t n) const {
    if (random_)
      return base_ + (state_ & mask_);
    const auto k = static_cast<std::uint64_t>(n);
    return base_ + (lap_ == 0 ? k : k % lap_) * step_;
  }
  void advance() { state_ = ((state_ ^ state_ << 3) & kBits & ~7U) | state_ >> 28; }

  // How far above the base the region's last burst ends; 0: there is no region.
  std::uint64_t span(std::uint64_t burst_bytes) const {
    if (random_)
      return mask_ + burst_bytes;
    return lap_ == 0 ? 0 : (lap_ - 1) * step_ + burst_bytes;
  }

private:
  static constexpr std::uint32_t kBits = 0x7fffffff;

  std::uint64_t base_;
  bool random_, complement_;
  std::uint64_t port_;
  std::uint64_t step_;
  std::uint64_t lap_ = 0; // bursts from base to base; 0: it never comes again
  std::uint64_t mask_ = 0;
  std::uint32_t state_ = 1;
};

} // namespace axm
