// The books of a run as JSON, in the form that the Python binding gives them.
#pragma once

#include <string>

#include "axiometer/model/stats.hpp"
#include "axiometer/model/trace.hpp"

namespace axm::cosim {

std::string json(const RepeatResult &result);
// [[clock, "ACT", bank, row, column], ...] on one line.
std::string json(const Trace &trace);

} // namespace axm::cosim
