// The ports of the design, each with those streams of a chip that are its own.
#pragma once

#include <vector>

#include "axi_port.hpp"
#include "axiometer/model/config.hpp"

namespace axm::cosim {

// The i-th port of the configuration is that of the design; std::invalid_argument if the two do not
// fit.
std::vector<AxiPort> ports_of(const SystemConfig &config);

// Start of a chip with nothing under way.
RepeatStart at_rest(const SystemConfig &config);

} // namespace axm::cosim
