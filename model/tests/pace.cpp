// A rate is exact to the cycle, however long it is; late bursts catch up, to a limit.
#include "axiometer/model/sources/pace.hpp"
#include "check.hpp"

using namespace axm;

namespace {

// Bursts of two beats of 8 bytes.
Pace pace(std::int64_t cycles, std::int64_t bursts) {
  StreamConfig s;
  s.burst_bytes = 16;
  s.pace_cycles = cycles;
  s.pace_bursts = bursts;
  return {s, 8};
}

} // namespace

TEST(burst_n_begins_at_the_nth_multiple_rounded_up) {
  for (const auto &[cycles, bursts] : {std::pair<std::int64_t, std::int64_t>{1600, 533},
                                       {7, 2},
                                       {5, 1},
                                       {(std::int64_t{1} << 30) + 1, 1 << 20}}) {
    Pace p = pace(cycles, bursts);
    CHECK(p.any());
    p.start(1000);
    for (std::int64_t n = 0; n < 100'000; ++n) {
      CHECK_EQ(p.from(), 1000 + ceil_div(n * cycles, bursts));
      p.begun(p.from());
    }
  }
}

TEST(what_is_late_is_made_up_for_to_a_limit) {
  Pace p = pace(7, 2);
  p.start(0);
  const Cycle late = 3 * kMostLag;
  p.begun(late);
  Cycle bursts = 0;
  for (; p.from() <= late; ++bursts)
    p.begun(late);
  CHECK_EQ(bursts, kMostLag * 2 / 7);
}

TEST(a_rate_that_beats_take_anyway_is_none) {
  CHECK(!pace(0, 1).any());
  CHECK(!pace(2, 1).any());
  CHECK(!pace(399, 200).any());
  CHECK(pace(401, 200).any());
}
