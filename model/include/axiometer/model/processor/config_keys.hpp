// The names by which a configuration of the processor's side is written: table, key, member.
//
// Purpose      The one list for all that read a configuration (the Python binding, the
//              co-simulation). Whoever adds a member to config.hpp adds it here.
// Limits       Not the choices (master, target, attribute), which are texts, nor what differs
//              between repeats of one point under co-simulation.
#pragma once

#include "axiometer/model/processor/config.hpp"

namespace axm::processor {

// Calls visit(table, key, member) for every member.
template <class Visit> void visit_config(Config &c, Visit &&visit) {
  visit("clocks", "cpu", c.clocks.cpu);
  visit("clocks", "interconnect", c.clocks.interconnect);
  visit("clocks", "apb", c.clocks.apb);
  visit("clocks", "ddr", c.clocks.ddr);
  visit("clocks", "pl", c.clocks.pl);
  visit("clocks", "pl_phase", c.clocks.pl_phase);
  visit("memory", "read_clocks", c.memory.read_clocks);
  visit("memory", "device_clocks", c.memory.device_clocks);
  visit("memory", "burst_clocks", c.memory.burst_clocks);
  visit("memory", "column_bytes", c.memory.column_bytes);
  visit("memory", "refresh_clocks", c.memory.refresh_clocks);
  visit("memory", "refresh_interval", c.memory.refresh_interval);
  visit("memory", "refresh_phase", c.memory.refresh_phase);
  visit("gp", "read_clocks", c.gp.read_clocks);
  visit("gp", "write_clocks", c.gp.write_clocks);
  visit("gp", "sync_cycles", c.gp.sync_cycles);
  visit("gp", "beat_bytes", c.gp.beat_bytes);
  visit("gp", "burst_beats", c.gp.burst_beats);
  visit("gp", "outstanding_read", c.gp.outstanding_read);
  visit("slave", "read_latency", c.slave.read_latency);
  visit("slave", "write_latency", c.slave.write_latency);
  visit("slave", "read_recovery", c.slave.read_recovery);
  visit("slave", "write_recovery", c.slave.write_recovery);
  visit("slave", "single", c.slave.single);
  visit("slave", "read_beat_cycles", c.slave.read_beat_cycles);
  visit("cache", "line_bytes", c.cache.line_bytes);
  visit("cache", "l1_bytes", c.cache.l1_bytes);
  visit("cache", "l1_ways", c.cache.l1_ways);
  visit("cache", "l2_bytes", c.cache.l2_bytes);
  visit("cache", "l2_ways", c.cache.l2_ways);
  visit("cache", "l2_clocks", c.cache.l2_clocks);
  visit("cache", "line_buffers", c.cache.line_buffers);
  visit("cache", "prefetch_lines", c.cache.prefetch_lines);
  visit("cache", "prefetch_from", c.cache.prefetch_from);
  visit("cache", "maintenance_clocks", c.cache.maintenance_clocks);
  visit("cpu", "call_instructions", c.cpu.call_instructions);
  visit("cpu", "loop_clocks", c.cpu.loop_clocks);
  visit("cpu", "access_bytes", c.cpu.access_bytes);
  visit("cpu", "device_read_bytes", c.cpu.device_read_bytes);
  visit("cpu", "device_write_bytes", c.cpu.device_write_bytes);
  visit("cpu", "fetch_bytes", c.cpu.fetch_bytes);
  visit("cpu", "caches", c.cpu.caches);
  visit("dmac", "burst_bytes", c.dmac.burst_bytes);
  visit("dmac", "beat_bytes", c.dmac.beat_bytes);
  visit("dmac", "program_bytes", c.dmac.program_bytes);
  visit("dmac", "loop_clocks", c.dmac.loop_clocks);
  visit("dmac", "beat_clocks", c.dmac.beat_clocks);
  visit("dmac", "bursts_in_flight", c.dmac.bursts_in_flight);
  visit("dmac", "start_instructions", c.dmac.start_instructions);
  visit("dmac", "start_accesses", c.dmac.start_accesses);
  visit("dmac", "prepare_instructions", c.dmac.prepare_instructions);
  visit("dmac", "program_fetches", c.dmac.program_fetches);
  visit("dmac", "copies", c.dmac.copies);
  visit("dmac", "write_clocks", c.dmac.write_clocks);
  visit("system", "present", c.system.present);
  visit("system", "system_call", c.system.system_call);
  visit("fabric", "issue_cycles", c.fabric.issue_cycles);
  visit("fabric", "interconnect_cycles", c.fabric.interconnect_cycles);
  visit("fabric", "burst_beats", c.fabric.burst_beats);
  visit("fabric", "outstanding", c.fabric.outstanding);
  visit("fabric", "taken_cycles", c.fabric.taken_cycles);
  visit("fabric", "hold_cycles", c.fabric.hold_cycles);
  visit("fabric", "start_accesses", c.fabric.start_accesses);
  visit("port", "acceptance_read", c.port.acceptance_read);
  visit("port", "acceptance_write", c.port.acceptance_write);
  visit("port", "central", c.port.central);
  visit("port", "beat_bytes", c.port.beat_bytes);
  visit("port", "beat_period", c.port.beat_period);
  visit("port", "serial_time", c.port.serial_time);
  visit("port", "address_cycles", c.port.address_cycles);
  visit("ring", "buffer_bytes", c.ring.buffer_bytes);
  visit("ring", "depth", c.ring.depth);
  visit("ring", "packets", c.ring.packets);
  visit("ring", "fifo_bytes", c.ring.fifo_bytes);
  visit("ring", "width_bytes", c.ring.width_bytes);
  visit("ring", "maintain", c.ring.maintain);
  visit("ring", "copy", c.ring.copy);
  visit("ring", "doorbells", c.ring.doorbells);
  visit("ring", "descriptors", c.ring.descriptors);
  visit("transfer", "gpio_clocks", c.gpio_clocks);
  visit("transfer", "to_fabric", c.to_fabric);
  visit("transfer", "prepare", c.prepare);
  visit("transfer", "bytes", c.bytes);
}

template <class E> struct Choice {
  const char *name;
  E value;
};
inline constexpr Choice<Master> kMasters[] = {{"copy", Master::copy},
                                              {"loop", Master::loop},
                                              {"dmac", Master::dmac},
                                              {"fabric", Master::fabric},
                                              {"ring", Master::ring}};
inline constexpr Choice<Target> kTargets[] = {{"slave", Target::slave}, {"gpio", Target::gpio}};
inline constexpr Choice<Attribute> kAttributes[] = {{"device", Attribute::device},
                                                    {"cached", Attribute::cached}};

} // namespace axm::processor
