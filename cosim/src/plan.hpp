// What is simulated, read from a configuration.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "axiometer/model/config/processor.hpp"
#include "axiometer/model/stepped_chip.hpp"

namespace axm::cosim {

class KeyValues;

// Ports, streams and bytes of memory; the rest of the configuration is private to the chip.
struct Plan {
  SystemConfig outline;
  std::function<std::unique_ptr<SteppedChip>(const SteppedStart &)> make;
  // Of a design with a slave: the processor that is its master, and the bytes of its memory.
  std::optional<processor::Config> processor = std::nullopt;
  std::uint32_t slave_bytes = 0;
};

// Of the memory model's chip; or, by the names of config/processor.hpp, of a port of the
// processor's side for masters in the fabric ("side", with "port" and "memory_bytes"), or of a
// processor ("processor") that is the master of a slave in the fabric ("slave_bytes").
// std::invalid_argument names what is missing or cannot be.
Plan read_plan(KeyValues &values);

} // namespace axm::cosim
