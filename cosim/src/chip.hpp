// The chip of a co-simulation: that of the memory model, command by command, or a single port of
// the processor's side (port_chip.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "axiometer/model/processor/config.hpp"
#include "axiometer/model/stepped_chip.hpp"

namespace axm::cosim {

// Start of a new chip. The last two are for a port of the processor's side only: base units
// at PL cycle 0, and the DRAM clock of the first refresh.
struct Start : RepeatStart {
  std::int64_t origin = 0;
  int refresh_phase = 0;
};

// Ports, streams and bytes of memory; the rest of the configuration is private to the chip.
struct Plan {
  SystemConfig outline;
  std::function<std::unique_ptr<SteppedChip>(const Start &)> make;
  // Of a design with a slave: the processor that is its master, and the bytes of its memory.
  std::optional<processor::Config> processor = std::nullopt;
  std::uint32_t slave_bytes = 0;
};

// Nothing at the ports, for designs that have none.
class NoChip final : public SteppedChip {
public:
  bool takes_address(std::size_t) const override { return false; }
  bool takes_write_beat(std::size_t, int) const override { return false; }
  void drive(std::size_t, const std::optional<BurstRequest> &, bool, bool) override {}
  void step() override { ++now_; }
  RepeatResult result(Trace *) override { return {}; }
};

inline Plan plan_of(const SystemConfig &config) {
  return {config, [config](const Start &start) { return make_stepped(config, start); }};
}

} // namespace axm::cosim
