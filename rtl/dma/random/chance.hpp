// Random numbers of the bench: the same seed gives the same run everywhere.
#pragma once
#include <cstdint>

class Chance {
public:
  explicit Chance(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  std::uint64_t word() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545F4914F6CDD1Du;
  }
  // A number from low to high, both included.
  unsigned between(unsigned low, unsigned high) {
    return low + static_cast<unsigned>((word() >> 33) % (high - low + 1));
  }
  bool percent(unsigned chance) { return (word() >> 33) % 100 < chance; }

private:
  std::uint64_t state_;
};
