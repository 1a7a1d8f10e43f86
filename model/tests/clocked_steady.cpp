#include "axiometer/model/machine/steady.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"

using axm::clocked::Steady;

namespace {

// Roughly normal, the same in each run.
class Noise {
public:
  explicit Noise(std::uint64_t seed) : state_(seed * 2654435761U + 1) {}
  double operator()() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) {
      state_ = state_ * 6364136223846793005U + 1442695040888963407U;
      sum += static_cast<double>(state_ >> 33) / 2147483648.0;
    }
    return sum - 6;
  }

private:
  std::uint64_t state_;
};

constexpr int kSeries = 1000;

} // namespace

TEST(too_few_batches_are_not_judged) {
  const std::vector<double> few(Steady::kLeast - 1, 5.0);
  const Steady s = Steady::of(few);
  CHECK(!s.settled);
  CHECK(s.half_width < 0);
}

TEST(what_never_changes_is_settled_and_known) {
  const std::vector<double> same(24, 7.0);
  const Steady s = Steady::of(same);
  CHECK(s.settled);
  CHECK_EQ(s.cut, 0U);
  CHECK_EQ(s.mean, 7.0);
  CHECK_EQ(s.half_width, 0.0);
}

TEST(a_start_up_is_cut) {
  std::vector<double> x;
  Noise noise(1);
  for (int i = 0; i < 32; ++i)
    x.push_back((i < 5 ? 60.0 : 100.0) + noise());
  const Steady s = Steady::of(x);
  CHECK(s.cut >= 5 && s.cut <= 8);
  CHECK(std::abs(s.mean - 100) < 1);
  CHECK(s.settled);
}

TEST(a_slope_is_a_trend) {
  std::vector<double> up, down;
  Noise noise(2);
  for (int i = 0; i < 32; ++i) {
    up.push_back(100 + 0.3 * i + noise());
    down.push_back(100 - 0.3 * i + noise());
  }
  CHECK(Steady::of(up).trend > 1.96);
  CHECK(!Steady::of(up).settled);
  CHECK(Steady::of(down).trend < -1.96);
  CHECK(!Steady::of(down).settled);
}

TEST(a_change_near_the_end_has_not_settled) {
  std::vector<double> x;
  Noise noise(3);
  for (int i = 0; i < 32; ++i)
    x.push_back((i < 22 ? 100.0 : 120.0) + noise());
  CHECK(!Steady::of(x).settled);
}

TEST(a_drift_is_a_trend_of_some_length) {
  std::vector<double> away, wander;
  Noise noise(4);
  for (int i = 0; i < 24; ++i) {
    away.push_back(100.0 * i + 50 * noise());
    wander.push_back(1000 * noise());
  }
  CHECK(axm::clocked::drifts(away, 2000, 100000));
  CHECK(!axm::clocked::drifts(away, 3000, 100000)); // too little
  CHECK(!axm::clocked::drifts(away, 100, 1500));    // all of the way was seen
  CHECK(!axm::clocked::drifts(wander, 0, 100000));
}

// 95 % less what the choice of a cut and the estimate of the correlation cost.
TEST(independent_batches_are_within_their_interval) {
  int within = 0, settled = 0;
  for (int k = 0; k < kSeries; ++k) {
    Noise noise(static_cast<std::uint64_t>(k));
    std::vector<double> x;
    for (int i = 0; i < 32; ++i)
      x.push_back(100 + noise());
    const Steady s = Steady::of(x);
    within += std::abs(s.mean - 100) <= s.half_width;
    settled += s.settled;
  }
  CHECK(within >= kSeries * 90 / 100);
  CHECK(settled >= kSeries * 80 / 100);
}

TEST(batches_that_hang_together_are_within_their_interval) {
  int within = 0;
  double wide = 0, narrow = 0;
  for (int k = 0; k < kSeries; ++k) {
    Noise noise(static_cast<std::uint64_t>(k));
    std::vector<double> x, loose;
    double state = noise() / std::sqrt(1 - 0.25);
    for (int i = 0; i < 32; ++i) {
      x.push_back(100 + state);
      state = 0.5 * state + noise();
      loose.push_back(100 + noise());
    }
    const Steady s = Steady::of(x);
    within += std::abs(s.mean - 100) <= s.half_width;
    wide += s.half_width;
    narrow += Steady::of(loose).half_width;
  }
  CHECK(within >= kSeries * 83 / 100);
  CHECK(wide > 1.5 * narrow);
}
