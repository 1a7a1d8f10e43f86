// The DRAM commands of a run, for checkers and comparisons.
#pragma once

#include <cstdint>
#include <vector>

#include "axiometer/model/types.hpp"

namespace axm {

enum class Command : std::uint8_t { activate, precharge, precharge_all, read, write, refresh };

struct TraceEntry {
  Clk clk = 0;
  Command command = Command::activate;
  std::uint8_t bank = 0;
  std::uint16_t stream = 0; // stream of the part
  std::uint32_t row = 0;
  std::uint32_t column = 0; // in units of column_bytes
  bool operator==(const TraceEntry &) const = default;
};

using Trace = std::vector<TraceEntry>;

} // namespace axm
