// Whether a series of batch means is in its steady state, and how well its mean is known then.
// Batches are contiguous and equally long. Independent of bytes and clocks.
//
//   - Start-up: MSER (White 1997, "An effective truncation heuristic for bias reduction in
//     simulation output", Simulation 69(6)): of the cuts in the first half, the one with the least
//     squared standard error of the mean of what is left. A cut at the half means too little
//     data.
//   - Trend: Mann's test (1945, Econometrica 13, 245-259) at 5 %: signs of the differences of all
//     pairs, with ties counted as in Kendall (1975).
//   - Interval: 95 % of Student's t, with the standard error widened by the correlation of
//     neighbouring batches, sqrt((1 + r) / (1 - r)), as of a first-order autoregressive series
//     (Steiger et al. 2005, "ASAP3", ACM TOMACS 15(1)); r is not below 0, and not above 0.9.
#pragma once

#include <cstddef>
#include <span>

namespace axm::clocked {

struct Steady {
  // Fewer batches than this are not judged.
  static constexpr std::size_t kLeast = 10;

  std::size_t cut = 0;    // batches at the start that are left out
  double mean = 0;        // of the others
  double half_width = -1; // of the 95 % interval of the mean; -1: too few data
  double trend = 0;       // of the others: Mann's statistic, standard normal without a trend
  bool settled = false;   // the cut is before the half, and there is no trend

  static Steady of(std::span<const double> batches);
};

// Whether a series of values, one at each batch's begin, has a trend that leads from its first to
// its last by `least` or more, and by less than `most`.
bool drifts(std::span<const double> values, double least, double most);

} // namespace axm::clocked
