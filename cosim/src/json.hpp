// The time accounting of a run as JSON, in the form of the Python binding.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/processor/run.hpp"

namespace axm::cosim {

// `beats`: the cycles of the first and the last one, where they are known.
std::string json(const RepeatResult &result,
                 std::optional<std::pair<Cycle, Cycle>> beats = std::nullopt);
// [[clock, "ACT", bank, row, column], ...] on one line.
std::string json(const Trace &trace);

std::string json(const processor::Outcome &outcome);

} // namespace axm::cosim
