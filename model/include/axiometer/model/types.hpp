// Elementary types of the model. A Clk counts clocks of the DRAM, a Cycle counts
// clocks of the programmable logic; both start at 0 on a common edge. They are
// integers, so that periodic behaviour can be recognised exactly.
#pragma once

#include <cstdint>
#include <limits>

namespace axm {

using Clk = std::int64_t;
using Cycle = std::int64_t;

// Later than anything that happens; small enough that sums do not overflow.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

// Directions are seen from the AXI master: a PS-to-PL transfer is a read.
enum Dir : std::uint8_t { kRead = 0, kWrite = 1 };
// A store of a controller beside those of the two directions: of high-priority reads.
inline constexpr int kHighReads = 2;
inline constexpr Dir other(Dir d) { return d == kRead ? kWrite : kRead; }

inline constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The place after `i` in a circle of `n`. Without a branch: whose turn it is cannot be predicted.
inline constexpr int next_in_turn(int i, int n) { return (i + 1) & -static_cast<int>(i + 1 != n); }

// Two clocks in a fixed ratio: one DRAM clock lasts `ddr` base units, one PL
// clock `pl` base units. The base unit is chosen so that both are whole.
struct ClockRatio {
  std::int64_t ddr = 1;
  std::int64_t pl = 1;

  // First PL edge at or after a DRAM edge, and the other way round.
  Cycle cycle_at(Clk c) const { return ceil_div(c * ddr, pl); }
  Clk clk_at(Cycle c) const { return ceil_div(c * pl, ddr); }
  // The PL cycle in which a DRAM edge falls.
  Cycle clk_to_cycle(Clk c) const { return c * ddr / pl; }
};

} // namespace axm
