#include "processor_side.hpp"

#include "axiometer/model/processor/run.hpp"
#include "port_chip.hpp"

namespace axm::cosim {

namespace {

processor::Config read_processor(KeyValues &values, const std::string &name) {
  processor::Config c;
  read_lines(values, name, c);
  processor::check(c);
  return c;
}

Plan read_slave(KeyValues &values) {
  Plan plan;
  plan.outline.dram.bytes = 1 << 20; // of which nothing is used
  plan.processor = read_processor(values, "processor");
  plan.slave_bytes = static_cast<std::uint32_t>(values.integer("slave_bytes", 64, 1 << 30));
  if (plan.slave_bytes % 64 != 0)
    throw std::invalid_argument("slave_bytes: must be a multiple of 64");
  plan.make = [](const Start &) { return std::make_unique<NoChip>(); };
  return plan;
}

} // namespace

bool has_side(const KeyValues &values) {
  return values.has("side.transfer.to_fabric") || values.has("slave_bytes");
}

Plan read_side(KeyValues &values) {
  if (values.has("slave_bytes"))
    return read_slave(values);
  Plan plan;
  const processor::Config side = read_processor(values, "side");
  plan.outline.dram.bytes = static_cast<std::uint64_t>(values.integer("memory_bytes", 0));
  PortConfig port;
  port.name = values.text("port.name");
  port.width_bytes = static_cast<int>(values.integer("port.width_bytes", 1, 1024));
  plan.outline.ports.push_back(port);
  StreamConfig stream;
  stream.dir = side.to_fabric ? kRead : kWrite;
  plan.outline.streams.push_back(stream);
  plan.make = [side](const Start &start) { return std::make_unique<PortChip>(side, start); };
  return plan;
}

} // namespace axm::cosim
