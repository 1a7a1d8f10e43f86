// The executable specification's chip with its AXI side open.
#pragma once

#include <memory>

#include "axiometer/model/config.hpp"
#include "axiometer/model/stepped_chip.hpp"

namespace axm::plain {

// std::invalid_argument names the first value that cannot be simulated.
std::unique_ptr<SteppedChip> step(const SystemConfig &config, const RepeatStart &start);

} // namespace axm::plain
