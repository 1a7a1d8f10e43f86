#include "axiometer/model/clock_map.hpp"
#include "check.hpp"

using namespace axm;

// The definitions: the least edge of one clock that is not before an edge of the other.
static void obeys_its_definition(ClockRatio r) {
  for (std::int64_t n = 0; n < 500; ++n) {
    const Cycle y = r.cycle_at(n);
    CHECK(y * r.pl >= n * r.ddr && (y - 1) * r.pl < n * r.ddr);
    const Clk c = r.clk_at(n);
    CHECK(c * r.ddr >= n * r.pl && (c - 1) * r.ddr < n * r.pl);
    const Cycle in = r.clk_to_cycle(n);
    CHECK(in * r.pl <= n * r.ddr && n * r.ddr < (in + 1) * r.pl);
    CHECK(r.clk_to_cycle(r.clk_at(n)) >= n); // no edge is lost on the way there and back
    CHECK(r.cycle_at(r.clk_at(n)) - n <= 1 + r.ddr / r.pl);
  }
}

TEST(edges_of_525_and_100_MHz) {
  const ClockRatio r{4, 21}; // 525 MHz / 100 MHz = 21 / 4
  CHECK_EQ(r.cycle_at(0), 0);
  CHECK_EQ(r.cycle_at(1), 1);
  CHECK_EQ(r.cycle_at(21), 4);
  CHECK_EQ(r.cycle_at(22), 5);
  CHECK_EQ(r.clk_at(1), 6); // 5.25
  CHECK_EQ(r.clk_at(4), 21);
  CHECK_EQ(r.clk_to_cycle(20), 3);
  CHECK_EQ(r.clk_to_cycle(21), 4);
  obeys_its_definition(r);
}

TEST(edges_of_other_ratios) {
  obeys_its_definition({1, 1});
  obeys_its_definition({1, 4}); // 400 and 100 MHz
  obeys_its_definition({2, 7}); // 525 and 150 MHz
  obeys_its_definition({5, 3}); // the fabric is faster
  obeys_its_definition({25, 27});
}

// The conversions without divisions are those with them, for times as long as any.
TEST(a_clock_map_converts_as_its_ratio) {
  for (const ClockRatio r : {ClockRatio{4, 21}, {1, 1}, {1, 4}, {4, 1}, {5, 3}, {997, 1009}}) {
    const ClockMap map(r);
    std::int64_t n = -3000;
    for (int i = 0; i < 12000 && n < std::int64_t{1} << 50; ++i, n += i < 6000 ? 1 : n / 300) {
      CHECK_EQ(map.cycle_at(n), r.cycle_at(n));
      CHECK_EQ(map.clk_at(n), r.clk_at(n));
      CHECK_EQ(map.clk_to_cycle(n), r.clk_to_cycle(n));
      for (Cycle y = r.cycle_at(n) - 2; n >= 0 && y <= r.cycle_at(n) + 2; ++y)
        CHECK_EQ(map.is_at_or_after(n, y), r.cycle_at(n) >= y);
    }
  }
}

TEST(the_latest_clock_of_a_cycle) {
  for (const ClockRatio r : {ClockRatio{4, 21}, {1, 1}, {4, 1}, {5, 3}}) {
    const ClockMap map(r);
    for (Cycle c = 0; c < 500; ++c)
      CHECK(map.cycle_at(map.latest_clk(c)) <= c && map.cycle_at(map.latest_clk(c) + 1) > c);
  }
}

TEST(a_divider_at_the_edges_of_its_reciprocal) {
  for (const std::int64_t d : {1LL, 2LL, 3LL, 7LL, 21LL, 641LL, 1LL << 31, (1LL << 31) - 1}) {
    const Divider by(d);
    const std::int64_t edge = std::numeric_limits<std::int64_t>::max() / d;
    for (std::int64_t k = -2; k <= 2; ++k)
      for (const std::int64_t x : {k, d + k, 1000 * d + k, edge - 4 + k, edge / d * d + k})
        CHECK_EQ(by(x), x / d);
  }
}

TEST(directions) {
  CHECK_EQ(other(kRead), kWrite);
  CHECK_EQ(other(kWrite), kRead);
}
