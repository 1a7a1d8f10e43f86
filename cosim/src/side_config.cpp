#include "side_config.hpp"

#include <limits>
#include <stdexcept>

#include "axiometer/model/processor/config_keys.hpp"
#include "axiometer/model/processor/run.hpp"
#include "port_chip.hpp"

namespace axm::cosim {

namespace {

// What of a configuration is given below `prefix`; the rest stays as config.hpp has it.
processor::Config read_config(KeyValues &values, const std::string &prefix) {
  processor::Config c;
  processor::visit_config(c, [&](const char *table, const char *key, auto &into) {
    using Value = std::remove_reference_t<decltype(into)>;
    const std::string name = prefix + table + "." + key;
    if (!values.has(name))
      return;
    if constexpr (std::is_same_v<Value, bool>)
      into = values.boolean(name);
    else
      into = static_cast<Value>(values.integer(name, std::numeric_limits<Value>::min(),
                                               std::numeric_limits<Value>::max()));
  });
  const auto choose = [&](const char *key, auto &into, const auto &choices) {
    if (!values.has(prefix + key))
      return;
    const std::string given = values.text(prefix + key);
    for (const auto &choice : choices)
      if (given == choice.name) {
        into = choice.value;
        return;
      }
    throw std::invalid_argument("configuration: " + prefix + key + " cannot be " + given);
  };
  choose("master", c.master, processor::kMasters);
  choose("target", c.target, processor::kTargets);
  choose("attribute", c.attribute, processor::kAttributes);
  processor::check(c);
  return c;
}

Plan read_slave(KeyValues &values) {
  Plan plan;
  plan.outline.dram.bytes = 1 << 20; // of which nothing is used
  plan.processor = read_config(values, "processor.");
  plan.slave_bytes = static_cast<std::uint32_t>(values.integer("slave_bytes", 64, 1 << 30));
  if (plan.slave_bytes % 64 != 0)
    throw std::invalid_argument("configuration: slave_bytes is no multiple of 64");
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
  const processor::Config side = read_config(values, "side.");
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
