// The binding of the processor's side: a configuration as nested dicts in, an outcome out. Every
// key of config.hpp may be left out; then it has the value that stands there.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "axiometer/model/processor/run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace axm::processor;

namespace {

// One table of the configuration: each member that it has is taken, and an unknown key is an
// error, so that none is lost to a misspelling.
class Table {
public:
  Table(const nb::dict &all, const char *name) : name_(name) {
    if (all.contains(name))
      d_ = nb::cast<nb::dict>(all[name]);
  }
  template <class T> Table &take(const char *key, T &into) {
    ++known_;
    if (!d_.contains(key)) {
      --known_;
      return *this;
    }
    if (!nb::try_cast<T>(d_[key], into))
      fail(key, "has the wrong type");
    return *this;
  }
  void done() const {
    if (known_ != static_cast<std::size_t>(nb::len(d_)))
      throw nb::value_error(
          (std::string("\"") + name_ + "\" has a key that the model does not know").c_str());
  }

private:
  void fail(const char *key, const char *what) const {
    throw nb::value_error((std::string("\"") + name_ + "." + key + "\" " + what).c_str());
  }
  const char *name_;
  nb::dict d_;
  std::size_t known_ = 0;
};

template <class E>
void choose(const nb::dict &d, const char *key, E &into,
            std::initializer_list<std::pair<const char *, E>> names) {
  if (!d.contains(key))
    return;
  const auto given = nb::cast<std::string>(d[key]);
  for (const auto &[name, value] : names)
    if (given == name) {
      into = value;
      return;
    }
  throw nb::value_error((std::string("the model does not know ") + key + " " + given).c_str());
}

Config config(const nb::dict &d) {
  Config c;
  Table(d, "clocks")
      .take("cpu", c.clocks.cpu)
      .take("interconnect", c.clocks.interconnect)
      .take("apb", c.clocks.apb)
      .take("ddr", c.clocks.ddr)
      .take("pl", c.clocks.pl)
      .take("pl_phase", c.clocks.pl_phase)
      .done();
  Table(d, "memory")
      .take("read_clocks", c.memory.read_clocks)
      .take("device_clocks", c.memory.device_clocks)
      .take("burst_clocks", c.memory.burst_clocks)
      .take("column_bytes", c.memory.column_bytes)
      .take("refresh_clocks", c.memory.refresh_clocks)
      .take("refresh_interval", c.memory.refresh_interval)
      .take("refresh_phase", c.memory.refresh_phase)
      .done();
  Table(d, "gp")
      .take("read_clocks", c.gp.read_clocks)
      .take("write_clocks", c.gp.write_clocks)
      .take("sync_cycles", c.gp.sync_cycles)
      .take("beat_bytes", c.gp.beat_bytes)
      .take("burst_beats", c.gp.burst_beats)
      .take("outstanding_read", c.gp.outstanding_read)
      .done();
  Table(d, "slave")
      .take("read_latency", c.slave.read_latency)
      .take("write_latency", c.slave.write_latency)
      .take("read_recovery", c.slave.read_recovery)
      .take("write_recovery", c.slave.write_recovery)
      .take("single", c.slave.single)
      .take("read_beat_cycles", c.slave.read_beat_cycles)
      .done();
  Table(d, "cache")
      .take("line_bytes", c.cache.line_bytes)
      .take("l1_bytes", c.cache.l1_bytes)
      .take("l1_ways", c.cache.l1_ways)
      .take("l2_bytes", c.cache.l2_bytes)
      .take("l2_ways", c.cache.l2_ways)
      .take("l2_clocks", c.cache.l2_clocks)
      .take("line_buffers", c.cache.line_buffers)
      .take("prefetch_lines", c.cache.prefetch_lines)
      .take("prefetch_from", c.cache.prefetch_from)
      .take("maintenance_clocks", c.cache.maintenance_clocks)
      .done();
  Table(d, "cpu")
      .take("call_instructions", c.cpu.call_instructions)
      .take("loop_clocks", c.cpu.loop_clocks)
      .take("access_bytes", c.cpu.access_bytes)
      .take("device_read_bytes", c.cpu.device_read_bytes)
      .take("device_write_bytes", c.cpu.device_write_bytes)
      .take("fetch_bytes", c.cpu.fetch_bytes)
      .take("caches", c.cpu.caches)
      .done();
  Table(d, "dmac")
      .take("burst_bytes", c.dmac.burst_bytes)
      .take("beat_bytes", c.dmac.beat_bytes)
      .take("program_bytes", c.dmac.program_bytes)
      .take("loop_clocks", c.dmac.loop_clocks)
      .take("beat_clocks", c.dmac.beat_clocks)
      .take("bursts_in_flight", c.dmac.bursts_in_flight)
      .take("start_instructions", c.dmac.start_instructions)
      .take("start_accesses", c.dmac.start_accesses)
      .take("prepare_instructions", c.dmac.prepare_instructions)
      .take("program_fetches", c.dmac.program_fetches)
      .take("copies", c.dmac.copies)
      .take("write_clocks", c.dmac.write_clocks)
      .done();
  Table(d, "system")
      .take("present", c.system.present)
      .take("system_call", c.system.system_call)
      .done();
  Table(d, "fabric")
      .take("issue_cycles", c.fabric.issue_cycles)
      .take("interconnect_cycles", c.fabric.interconnect_cycles)
      .take("burst_beats", c.fabric.burst_beats)
      .take("outstanding", c.fabric.outstanding)
      .take("taken_cycles", c.fabric.taken_cycles)
      .take("hold_cycles", c.fabric.hold_cycles)
      .take("start_accesses", c.fabric.start_accesses)
      .done();
  Table(d, "port")
      .take("acceptance_read", c.port.acceptance_read)
      .take("acceptance_write", c.port.acceptance_write)
      .take("central", c.port.central)
      .take("beat_bytes", c.port.beat_bytes)
      .take("beat_period", c.port.beat_period)
      .take("serial_time", c.port.serial_time)
      .take("address_cycles", c.port.address_cycles)
      .done();
  Table(d, "ring")
      .take("buffer_bytes", c.ring.buffer_bytes)
      .take("depth", c.ring.depth)
      .take("packets", c.ring.packets)
      .take("fifo_bytes", c.ring.fifo_bytes)
      .take("width_bytes", c.ring.width_bytes)
      .take("maintain", c.ring.maintain)
      .take("copy", c.ring.copy)
      .take("doorbells", c.ring.doorbells)
      .take("descriptors", c.ring.descriptors)
      .done();
  Table(d, "transfer")
      .take("gpio_clocks", c.gpio_clocks)
      .take("to_fabric", c.to_fabric)
      .take("prepare", c.prepare)
      .take("bytes", c.bytes)
      .done();
  choose(d, "master", c.master,
         {{"copy", Master::copy},
          {"loop", Master::loop},
          {"dmac", Master::dmac},
          {"fabric", Master::fabric},
          {"ring", Master::ring}});
  choose(d, "target", c.target, {{"slave", Target::slave}, {"gpio", Target::gpio}});
  choose(d, "attribute", c.attribute,
         {{"device", Attribute::device}, {"cached", Attribute::cached}});
  return c;
}

nb::dict outcome(const Outcome &o) {
  nb::dict classes, between;
  for (std::size_t i = 0; i < kClasses; ++i)
    classes[kClassNames[i]] = o.spent[i];
  for (const auto &[cycles, times] : o.between)
    between[nb::int_(cycles)] = times;
  nb::dict d;
  d["elapsed"] = o.elapsed;
  d["classes"] = classes;
  d["beats"] = o.beats;
  d["first_beat"] = o.first_beat;
  d["last_beat"] = o.last_beat;
  d["between"] = between;
  d["frame_begins"] = o.frame_begins;
  d["frame_ends"] = o.frame_ends;
  return d;
}

} // namespace

void bind_processor(nb::module_ &m) {
  m.def(
      "run_processor", [](const nb::dict &spec) { return outcome(run(config(spec))); }, "spec"_a,
      "One transfer of the processor's side; times in base units. ValueError names what cannot be "
      "simulated.");
}
