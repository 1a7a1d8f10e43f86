#include "side_config.hpp"

#include <stdexcept>

#include "port_chip.hpp"

namespace axm::cosim {

namespace {

processor::Config read_port(KeyValues &values) {
  processor::Config c;
  const auto take = [&](const char *key, auto &into) {
    using Value = std::remove_reference_t<decltype(into)>;
    const std::string name = std::string("side.") + key;
    if constexpr (std::is_same_v<Value, bool>)
      into = values.boolean(name);
    else
      into = static_cast<Value>(values.integer(name));
  };
  take("clocks.cpu", c.clocks.cpu);
  take("clocks.interconnect", c.clocks.interconnect);
  take("clocks.ddr", c.clocks.ddr);
  take("clocks.pl", c.clocks.pl);
  take("memory.read_clocks", c.memory.read_clocks);
  take("memory.device_clocks", c.memory.device_clocks);
  take("memory.burst_clocks", c.memory.burst_clocks);
  take("memory.column_bytes", c.memory.column_bytes);
  take("memory.refresh_clocks", c.memory.refresh_clocks);
  take("memory.refresh_interval", c.memory.refresh_interval);
  take("gp.read_clocks", c.gp.read_clocks);
  take("gp.write_clocks", c.gp.write_clocks);
  take("gp.sync_cycles", c.gp.sync_cycles);
  take("gp.beat_bytes", c.gp.beat_bytes);
  take("cache.line_bytes", c.cache.line_bytes);
  take("fabric.interconnect_cycles", c.fabric.interconnect_cycles);
  take("fabric.hold_cycles", c.fabric.hold_cycles);
  take("port.acceptance_read", c.port.acceptance_read);
  take("port.acceptance_write", c.port.acceptance_write);
  take("port.central", c.port.central);
  take("port.beat_bytes", c.port.beat_bytes);
  take("port.beat_period", c.port.beat_period);
  take("port.serial_time", c.port.serial_time);
  take("port.address_cycles", c.port.address_cycles);
  take("to_fabric", c.to_fabric);
  processor::check(c);
  return c;
}

} // namespace

bool has_side(const KeyValues &values) { return values.has("side.to_fabric"); }

Plan read_side(KeyValues &values) {
  Plan plan;
  const processor::Config side = read_port(values);
  plan.outline.dram.bytes = static_cast<std::uint64_t>(values.integer("memory_bytes"));
  PortConfig port;
  port.name = values.text("port.name");
  port.width_bytes = static_cast<int>(values.integer("port.width_bytes"));
  plan.outline.ports.push_back(port);
  StreamConfig stream;
  stream.dir = side.to_fabric ? kRead : kWrite;
  plan.outline.streams.push_back(stream);
  plan.make = [side](const Start &start) { return std::make_unique<PortChip>(side, start); };
  return plan;
}

} // namespace axm::cosim
