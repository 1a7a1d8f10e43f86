// Reads the configuration of the processor's side, by the names of processor/config.hpp: of a
// port for masters in the fabric ("side", with "port" and "memory_bytes"), or of a processor
// ("processor") that is the master of a slave in the fabric ("slave_bytes").
#pragma once

#include "chip.hpp"
#include "chip_config.hpp"

namespace axm::cosim {

// Whether the configuration is one of the processor's side.
bool has_side(const KeyValues &values);
// std::invalid_argument names what is missing or cannot be.
Plan read_side(KeyValues &values);

} // namespace axm::cosim
