#include "axiometer/model/machine/steady.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace axm::clocked {

namespace {

// Two-sided 5 % of the normal distribution.
constexpr double kNormal95 = 1.96;
constexpr double kMostCorrelation = 0.9;

// Two-sided 5 % of Student's t with 1 to 30 degrees of freedom; beyond, its expansion.
double student95(std::size_t freedom) {
  static constexpr std::array<double, 30> kTable = {
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
      2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
      2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  return freedom <= kTable.size() ? kTable[freedom - 1]
                                  : kNormal95 + 2.4 / static_cast<double>(freedom);
}

struct Moments {
  double mean = 0, squares = 0; // sum of the squared deviations
};

Moments moments(std::span<const double> x) {
  Moments m;
  for (const double v : x)
    m.mean += v;
  m.mean /= static_cast<double>(x.size());
  for (const double v : x)
    m.squares += (v - m.mean) * (v - m.mean);
  return m;
}

std::size_t mser_cut(std::span<const double> x) {
  std::size_t best = 0;
  double least = 0;
  for (std::size_t d = 0; d <= x.size() / 2; ++d) {
    const auto n = static_cast<double>(x.size() - d);
    const double error = moments(x.subspan(d)).squares / (n * n);
    if (d == 0 || error < least) {
      least = error;
      best = d;
    }
  }
  return best;
}

double mann(std::span<const double> x) {
  int s = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i + 1; j < x.size(); ++j)
      s += (x[j] > x[i]) - (x[j] < x[i]);
  const auto n = static_cast<double>(x.size());
  const double variance = n * (n - 1) * (2 * n + 5) / 18;
  return s == 0 ? 0 : (s - (s > 0 ? 1 : -1)) / std::sqrt(variance);
}

double interval(std::span<const double> x, const Moments &m) {
  const auto n = static_cast<double>(x.size());
  if (m.squares <= 0)
    return 0;
  double neighbours = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    neighbours += (x[i] - m.mean) * (x[i + 1] - m.mean);
  // The estimate of so few is low by about 1 / n.
  const double r = std::clamp(neighbours / m.squares + 1 / n, 0.0, kMostCorrelation);
  const double variance = m.squares / (n - 1) / n * (1 + r) / (1 - r);
  return student95(x.size() - 1) * std::sqrt(variance);
}

} // namespace

Steady Steady::of(std::span<const double> batches) {
  Steady s;
  if (batches.size() < kLeast)
    return s;
  s.cut = mser_cut(batches);
  const auto kept = batches.subspan(s.cut);
  const Moments m = moments(kept);
  s.mean = m.mean;
  s.half_width = interval(kept, m);
  s.trend = mann(kept);
  s.settled = 2 * s.cut < batches.size() && std::abs(s.trend) <= kNormal95;
  return s;
}

bool drifts(std::span<const double> values, double least, double most) {
  if (values.size() < Steady::kLeast)
    return false;
  const double by = std::abs(values.back() - values.front());
  return by >= least && by < most && std::abs(mann(values)) > kNormal95;
}

} // namespace axm::clocked
