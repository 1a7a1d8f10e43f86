#include "plan.hpp"

#include "axiometer/model/transfer_run.hpp"
#include "chip_config.hpp"

namespace axm::cosim {

Plan read_plan(KeyValues &values) {
  const bool slave = values.has("slave_bytes");
  if (!slave && !values.has("side.transfer.to_fabric")) {
    const SystemConfig chip = read_chip(values);
    return {chip, [chip](const SteppedStart &start) { return make_stepped(chip, start); }};
  }
  processor::Config side;
  read_lines(values, slave ? "processor" : "side", side);
  processor::check(side);
  Plan plan;
  plan.make = [side](const SteppedStart &start) { return make_stepped(side, start); };
  if (slave) {
    plan.outline.dram.bytes = 1 << 20; // of which nothing is used
    plan.processor = side;
    plan.slave_bytes = static_cast<std::uint32_t>(values.integer("slave_bytes", 64, 1 << 30));
    need(plan.slave_bytes % 64 == 0, "slave_bytes", "must be a multiple of 64");
    return plan;
  }
  plan.outline.dram.bytes = static_cast<std::uint64_t>(values.integer("memory_bytes", 0));
  PortConfig port;
  port.name = values.text("port.name");
  port.width_bytes = static_cast<int>(values.integer("port.width_bytes", 1, 1024));
  plan.outline.ports.push_back(port);
  StreamConfig stream;
  stream.dir = side.to_fabric ? kRead : kWrite;
  plan.outline.streams.push_back(stream);
  return plan;
}

} // namespace axm::cosim
