// The time accounting of a run as JSON, in the form of the Python binding.
#pragma once

#include <string>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/transfer_run.hpp"

namespace axm::cosim {

std::string json(const RepeatResult &result);
// [[clock, "ACT", bank, row, column], ...] on one line.
std::string json(const Trace &trace);

std::string json(const processor::Outcome &outcome);

} // namespace axm::cosim
