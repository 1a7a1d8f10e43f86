// The books of a run as JSON, in the form that the Python binding gives them.
#pragma once

#include <string>

#include "axiometer/model/stats.hpp"

namespace axm::cosim {

std::string json(const RepeatResult &result);

} // namespace axm::cosim
