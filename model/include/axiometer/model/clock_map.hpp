// From clocks of the DRAM to cycles of the PL and back, without a division: these
// conversions are made several times for every part.
#pragma once

#include "axiometer/model/types.hpp"

namespace axm {

// Divides by a fixed positive number, rounding towards zero.
class Divider {
public:
  Divider() = default;
  explicit Divider(std::int64_t d)
      : d_(d), below_(d > 1 ? kMost / static_cast<std::uint64_t>(d) : 0), reciprocal_(below_ + 1) {}

  // The reciprocal is too large by at most 2^-64, so for x < 2^64 / d the error stays
  // below 1 / d. Larger numbers, and negative ones, are divided.
  std::int64_t operator()(std::int64_t x) const {
    if (static_cast<std::uint64_t>(x) < below_) [[likely]]
      return static_cast<std::int64_t>(static_cast<Wide>(x) * reciprocal_ >> 64);
    return x / d_;
  }

private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kMost = ~0ULL;

  std::int64_t d_ = 1;
  std::uint64_t below_ = 0, reciprocal_ = 1;
};

// ClockRatio's conversions.
class ClockMap {
public:
  explicit ClockMap(const ClockRatio &r) : r_(r), by_ddr_(r.ddr), by_pl_(r.pl) {}

  Cycle cycle_at(Clk c) const { return by_pl_(c * r_.ddr + r_.pl - 1); }
  Clk clk_at(Cycle c) const { return by_ddr_(c * r_.pl + r_.ddr - 1); }
  Cycle clk_to_cycle(Clk c) const { return by_pl_(c * r_.ddr); }
  // Whether cycle_at(c) >= y, for c >= 0.
  bool is_at_or_after(Clk c, Cycle y) const { return c * r_.ddr > (y - 1) * r_.pl; }
  // The latest of the clocks whose `cycle_at` is `c`; if there is none, of those before.
  Clk latest_clk(Cycle c) const { return by_ddr_(c * r_.pl); }

private:
  ClockRatio r_;
  Divider by_ddr_, by_pl_;
};

} // namespace axm
