// Reads the configuration of a port of the processor's side: "ports", "streams" and "memory_bytes"
// as the design needs them, and "side", the part of processor/config.hpp that the port needs.
#pragma once

#include "chip.hpp"
#include "chip_config.hpp"

namespace axm::cosim {

// Whether the configuration is one of the processor's side.
bool has_side(const KeyValues &values);
// std::invalid_argument names what is missing or cannot be.
Plan read_side(KeyValues &values);

} // namespace axm::cosim
