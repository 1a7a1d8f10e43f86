// Where bursts begin, against the definition in docs/hardware.md.
#include "axiometer/model/sources/burst_addresses.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"

using namespace axm;

namespace {

StreamConfig stream(Pattern pattern, std::uint64_t region) {
  StreamConfig s;
  s.pattern = pattern;
  s.region = region;
  s.base = 4096;
  s.bytes = 1 << 20;
  s.burst_bytes = 128;
  return s;
}

} // namespace

TEST(steps_begin_again_after_the_last_one_in_the_region) {
  StreamConfig s = stream(Pattern::stride, 1000);
  s.stride = 300;
  const BurstAddresses a(s);
  for (std::int64_t n = 0; n < 20; ++n)
    CHECK_EQ(a.at(n), 4096 + static_cast<std::uint64_t>(n % 4) * 300);
  CHECK_EQ(a.span(128), 900U + 128);
}

TEST(a_sequence_without_a_region_goes_on) {
  const BurstAddresses a(stream(Pattern::sequential, 0));
  CHECK_EQ(a.at(1'000'000), 4096U + 128'000'000);
  CHECK_EQ(a.span(128), 0U);
}

TEST(a_step_beyond_the_region_stays_at_the_base) {
  StreamConfig s = stream(Pattern::stride, 1000);
  for (const std::uint64_t stride : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{4096}}) {
    s.stride = stride;
    CHECK_EQ(BurstAddresses(s).at(7), 4096U);
  }
}

// Bit by bit, as the sequence is defined.
TEST(random_bursts_are_28_steps_of_the_sequence_apart) {
  for (const Dir dir : {kRead, kWrite}) {
    StreamConfig s = stream(Pattern::random, 1 << 20);
    s.dir = dir;
    s.port = 3;
    const std::uint64_t seed = 0x123456789abcdef0ULL;
    std::uint64_t first = (seed + 3 * 0x9e3779b97f4a7c15ULL) >> 33;
    if (dir == kWrite)
      first ^= 0x7fffffff;
    std::vector<int> b;
    for (int k = 0; k < 31; ++k)
      b.push_back(first >> k & 1);
    BurstAddresses a(s);
    a.start(seed);
    for (std::size_t n = 0; n < 100; ++n) {
      while (b.size() < 28 * n + 31)
        b.push_back(b[b.size() - 31] ^ b[b.size() - 28]);
      std::uint64_t offset = 0;
      for (std::size_t k = 7; k < 20; ++k) // from a burst's size to below the region's
        offset |= static_cast<std::uint64_t>(b[28 * n + k]) << k;
      CHECK_EQ(a.at(0), 4096 + offset);
      a.advance();
    }
    CHECK_EQ(a.span(128), 1U << 20);
  }
}

TEST(random_bursts_stay_in_regions_that_are_no_power_of_two) {
  for (const std::uint64_t region : {96U, 128U, 255U, 256U, 300U, 5000U}) {
    StreamConfig s = stream(Pattern::random, region);
    s.burst_bytes = 96;
    BurstAddresses a(s);
    a.start(99);
    std::uint64_t most = 0;
    for (int n = 0; n < 2000; ++n, a.advance()) {
      CHECK_EQ(a.at(n) % 128, 0U);
      most = std::max(most, a.at(n) - 4096);
    }
    CHECK_EQ(most + 96, a.span(96));
    CHECK(most + 96 <= region || region < 96);
  }
}

TEST(no_seed_is_stuck) {
  StreamConfig s = stream(Pattern::random, 1 << 20);
  for (const Dir dir : {kRead, kWrite})
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x7fffffff} << 33}) {
      s.dir = dir;
      BurstAddresses a(s);
      a.start(seed);
      const std::uint64_t at = a.at(0);
      int moved = 0;
      for (int n = 0; n < 10; ++n, a.advance())
        moved += a.at(0) != at;
      CHECK(moved > 3);
    }
}
