#include <limits>

#include "axiometer/model/machine/memoisation.hpp"
#include "check.hpp"

using namespace axm;

namespace {

Contribution contribution(std::int64_t seed) {
  Contribution c;
  c.sums.streams.resize(3);
  for (auto &v : c.sums.dram.classes)
    v = seed++;
  for (auto &v : c.sums.dram.counts)
    v = -seed++;
  for (auto &s : c.sums.streams) {
    for (auto &v : s.classes)
      v = seed += 100;
    s.bursts = seed++;
    s.latency_sum = 1000 * seed++;
  }
  return c;
}

// Of one stream, with a burst each 10 cycles.
Segment segment(Clk clocks, int bursts, std::int64_t phase) {
  Segment s;
  pack(s.key, phase);
  s.clocks = clocks;
  s.intervals = 1;
  s.steps.push_back({bursts, bursts, 128 * bursts, bursts + 2, 10 * bursts, true});
  Contribution c;
  c.sums.streams.resize(1);
  c.sums.streams[0].bursts = bursts;
  c.latencies.push_back({0, 40, bursts});
  s.contribution = c.packed();
  return s;
}

} // namespace

TEST(numbers_come_back_from_their_bytes_in_order) {
  using limits = std::numeric_limits<std::int64_t>;
  const std::int64_t numbers[] = {0,   -1,   1,       63,     -64,           64,           -65, 99,
                                  500, -999, 1 << 20, kNever, limits::max(), limits::min()};
  Bytes bytes;
  for (const auto n : numbers)
    pack(bytes, n);
  Unpacker in(bytes);
  for (const auto n : numbers)
    CHECK_EQ(in.get(), n);
  CHECK(in.done());
}

TEST(small_numbers_take_one_byte) {
  for (std::int64_t n = -64; n < 64; ++n) {
    Bytes bytes;
    pack(bytes, n);
    CHECK_EQ(bytes.size(), 1u);
  }
}

TEST(a_contribution_comes_back_whole) {
  Contribution c = contribution(7);
  c.latencies = {{0, 0, 1}, {0, 511, 3}, {2, 0, 1 << 20}, {2, 800, 5}};
  Contribution back;
  back.unpack(c.packed(), 3);
  CHECK(back == c);
}

TEST(contributions_add_bin_by_bin) {
  Contribution a = contribution(1), b = contribution(2);
  a.latencies = {{0, 5, 1}, {1, 7, 2}};
  b.latencies = {{0, 5, 10}, {0, 6, 20}, {2, 1, 30}};
  Contribution both = a;
  both.add(b);
  const std::vector<Latency> sum = {{0, 5, 11}, {0, 6, 20}, {1, 7, 2}, {2, 1, 30}};
  CHECK(both.latencies == sum);
  CHECK_EQ(both.sums.streams[1].bursts, a.sums.streams[1].bursts + b.sums.streams[1].bursts);
}

TEST(a_joined_segment_is_both_one_after_the_other) {
  const StreamClocks clocks(4, {21});
  Segment a = segment(100, 3, 20), b = segment(50, 2, 0);
  a.ahead = 7;
  b.ahead = 9;
  b.next = 42;
  a.join(b, clocks, {});
  const Cycle before = (20 + 100 * 4) / 21; // cycles from the one's start to the other's
  CHECK_EQ(a.clocks, 150);
  CHECK_EQ(a.intervals, 2);
  CHECK_EQ(a.next, 42);
  CHECK_EQ(a.ahead, before * 21 + 9);
  CHECK_EQ(a.steps[0].bursts, 5);
  CHECK_EQ(a.steps[0].bytes, 5 * 128);
  CHECK_EQ(a.steps[0].issued, 3 + 4);
  CHECK_EQ(a.steps[0].end, before + 20);
  Contribution whole;
  whole.unpack(a.contribution, 1);
  CHECK_EQ(whole.sums.streams[0].bursts, 5);
  CHECK_EQ(whole.latencies[0].count, 5);
}

TEST(a_full_memoisation_joins_what_lies_between_its_anchors) {
  Memoisation memoisation({1, {1}}, {});
  memoisation.limit(4000);
  // A ring of segments; fingerprints from 1 on, so that every second stays an anchor.
  constexpr int kRing = 16;
  const auto key = [](int i) {
    Key k;
    pack(k, 0);
    pack(k, i);
    return k;
  };
  for (int i = 0; i < kRing; ++i) {
    CHECK(memoisation.anchor(static_cast<std::uint64_t>(i + 1), 1));
    CHECK_EQ(memoisation.add(static_cast<std::uint64_t>(i + 1), key(i)), i);
  }
  for (int i = 0; i < kRing; ++i) {
    Segment s = segment(100, 1, 0);
    s.key = key(i);
    s.fingerprint = static_cast<std::uint64_t>(i + 1);
    s.next = (i + 1) % kRing;
    memoisation[i] = std::move(s);
    memoisation.grown(memoisation[i]);
  }
  CHECK(memoisation.full());
  memoisation.make_room();
  CHECK(!memoisation.full());
  CHECK_EQ(memoisation.find(1, key(0)), Memoisation::kNone);
  const int start = memoisation.find(kRing, key(kRing - 1));
  CHECK(start != Memoisation::kNone);
  // Once round the ring is as long as it was.
  Clk clocks = 0;
  int i = start, segments = 0;
  do {
    clocks += memoisation[i].clocks;
    i = memoisation[i].next;
    ++segments;
  } while (i != start && segments < kRing);
  CHECK_EQ(clocks, 100 * kRing);
  CHECK(segments < kRing);
}
