// The memoised segments: those that fit stay, others are joined or dropped, and what is stored
// is counted as when it came.
#include <vector>

#include "axiometer/model/machine/memoisation.hpp"
#include "check.hpp"

using namespace axm;

namespace {

const DramConfig kDram = {};
constexpr std::size_t kPlenty = std::size_t{1} << 40;

Key key(int i) {
  Key k;
  pack(k, 0); // the phase of the clocks
  pack(k, i % 50);
  pack(k, i / 50);
  return k;
}

// Its reported size: the largest limit at which it is full.
std::size_t counted(Memoisation &m) {
  std::size_t low = 0, high = kPlenty;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    m.limit(middle);
    (m.full() ? low : high) = middle;
  }
  return low;
}

// What segments besides their contents cost.
std::size_t empty_segment() {
  Memoisation m({4, {21}}, kDram);
  m.add(0, key(0));
  return counted(m);
}

// Segments of one stream, each followed by the next; the last one is not simulated yet.
struct Chain {
  Memoisation memoisation{{4, {21}}, kDram};
  int length;

  Chain(int n, int fingerprints_apart, Clk clocks = 100, bool used = false) : length(n) {
    for (int i = 0; i < n; ++i) {
      const int at = memoisation.add(static_cast<std::uint64_t>(i) * fingerprints_apart, key(i));
      Segment &s = memoisation[at];
      s.used = used;
      if (i + 1 == n)
        break;
      s.next = at + 1;
      s.intervals = 1;
      s.clocks = clocks;
      s.steps.push_back({1, 1, 128, 1, 5, false});
      Contribution c;
      c.sums.streams.resize(1);
      c.sums.streams[0].bursts = 1;
      c.latencies.push_back({0, 40, 1});
      s.contribution = c.packed();
      memoisation.grown(s);
    }
    memoisation.limit(kPlenty);
  }
  int find(int i, int fingerprints_apart) const {
    return memoisation.find(static_cast<std::uint64_t>(i) * fingerprints_apart, key(i));
  }
  std::vector<int> kept(int fingerprints_apart) const {
    std::vector<int> found;
    for (int i = 0; i < length; ++i)
      if (find(i, fingerprints_apart) != Memoisation::kNone)
        found.push_back(i);
    return found;
  }
};

} // namespace

TEST(it_is_full_when_its_limit_is_reached) {
  Chain c(7, 1);
  const std::size_t size = counted(c.memoisation);
  std::size_t sum = 7 * empty_segment();
  for (int i = 0; i < 7; ++i)
    sum += c.memoisation[i].bytes();
  CHECK_EQ(size, sum);
  c.memoisation.limit(size);
  CHECK(c.memoisation.full());
  c.memoisation.limit(size + 1);
  CHECK(!c.memoisation.full());
}

TEST(of_what_takes_more_every_other_anchor_is_given_up) {
  Chain c(13, 1);
  const std::size_t size = counted(c.memoisation);
  c.memoisation.limit(size);
  c.memoisation.make_room();
  CHECK_EQ(c.kept(1).size(), 7u);
  std::size_t sum = 0;
  for (const int i : c.kept(1)) {
    CHECK_EQ(i % 2, 0);
    const Segment &s = c.memoisation[c.find(i, 1)];
    sum += empty_segment() + s.bytes();
    if (i == 12)
      break;
    CHECK_EQ(s.intervals, 2);
    CHECK_EQ(s.clocks, 200);
    CHECK_EQ(s.next, c.find(i + 2, 1));
    CHECK_EQ(s.steps[0].bytes, 256);
  }
  CHECK_EQ(counted(c.memoisation), sum);
  CHECK(!c.memoisation.anchor(1, 1));
  CHECK(c.memoisation.anchor(2, 1));
  CHECK(c.memoisation.anchor(1, 16)); // 8 strides
}

TEST(what_was_used_is_kept_and_the_rest_is_sealed_when_that_is_too_much) {
  Chain c(13, 1024, 100, true); // anchors at any stride
  const std::size_t size = counted(c.memoisation);
  c.memoisation.limit(size);
  c.memoisation.make_room();
  CHECK_EQ(c.kept(1024).size(), 13u);
  c.memoisation.limit(size);
  CHECK(!c.memoisation.full()); // it is sealed
  CHECK(c.memoisation.add(1 << 20, key(99)) == Memoisation::kNone);
}

TEST(what_was_not_used_is_dropped_at_last) {
  Chain c(13, 1024);
  c.memoisation[4].used = true;
  c.memoisation.limit(counted(c.memoisation));
  c.memoisation.make_room();
  const std::vector<int> kept = c.kept(1024);
  CHECK_EQ(kept.size(), 2u);
  CHECK(kept == std::vector<int>({4, 5}));
  CHECK_EQ(c.memoisation[c.find(4, 1024)].next, c.find(5, 1024));
  CHECK_EQ(c.memoisation[c.find(5, 1024)].next, Memoisation::kNone); // stored as the end of another
  CHECK(c.memoisation.add(1 << 20, key(99)) != Memoisation::kNone);
}

TEST(a_trace_and_its_positions_take_room) {
  Segment s;
  s.steps.resize(3);
  const std::size_t without = s.bytes();
  CHECK_EQ(without, 3 * sizeof(Segment::Step));
  s.traced = std::make_unique<Segment::Traced>();
  s.traced->trace.resize(10);
  s.traced->positions.resize(3);
  CHECK_EQ(s.bytes(), without + sizeof(Segment::Traced) + 10 * sizeof(TraceEntry) + 3 * 8);
}

// The stride, by which moments are anchors.
static std::uint64_t stride(const Memoisation &m) {
  std::uint64_t n = 1;
  while (!m.anchor(n, 0))
    n *= 2;
  return n;
}

TEST(anchors_become_rarer_where_little_recurs) {
  Memoisation m({4, {21}}, kDram);
  for (int i = 0; i < 96; ++i)
    m.passed(8, 1);
  CHECK_EQ(stride(m), 1); // an eighth is taken from memory
  for (int i = 0; i < 47; ++i)
    m.passed(1, 0);
  CHECK_EQ(stride(m), 1);
  m.passed(1, 0);
  CHECK_EQ(stride(m), 2);
  for (int i = 0; i < 100000; ++i)
    m.passed(16, 1);
  CHECK_EQ(stride(m), 64); // and no further: there is nothing more to gain
  CHECK(m.anchor(1, 8 * 64));
}
