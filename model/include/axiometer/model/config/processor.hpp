// Configuration of a simulation of the processor's side. The parts are in processor_chip.hpp and
// processor_masters.hpp, each with one `visit`, which has the members' limits and meanings
// (model/config/key.hpp); clocks are those of the domain in the unit: cpu, interconnect (CPU_2x),
// apb (CPU_1x), DRAM, PL. Every key may be left out of a document.
#pragma once

#include "axiometer/model/config/processor_chip.hpp"
#include "axiometer/model/config/processor_masters.hpp"

namespace axm::processor {

// Of these `memory_*` stay at the memory: loads, stores and copies of lines that no cache holds, or
// of buffers that are `mapped`; and the copies to a buffer of a driver's, which no cache holds, and
// from it.
enum class Master {
  copy,
  loop,
  dmac,
  fabric,
  ring,
  memory_read,
  memory_write,
  memory_copy,
  memory_to_buffer,
  memory_from_buffer
};
enum class Target { slave, gpio };
// How the processor sees the fabric. strongly_ordered: each access is waited for; device: stores
// are under way as the processor has it; noncacheable: normal memory that no cache holds, whose
// stores are gathered (write combining); cached: for reads, with writes that go through.
enum class Attribute { device, cached, strongly_ordered, noncacheable };

inline constexpr Word<Master> kMasters[] = {{"copy", Master::copy},
                                            {"loop", Master::loop},
                                            {"dmac", Master::dmac},
                                            {"fabric", Master::fabric},
                                            {"ring", Master::ring},
                                            {"memory_read", Master::memory_read},
                                            {"memory_write", Master::memory_write},
                                            {"memory_copy", Master::memory_copy},
                                            {"memory_to_buffer", Master::memory_to_buffer},
                                            {"memory_from_buffer", Master::memory_from_buffer}};
constexpr auto &words(Master) { return kMasters; }
inline constexpr Word<Target> kTargets[] = {{"slave", Target::slave}, {"gpio", Target::gpio}};
constexpr auto &words(Target) { return kTargets; }
inline constexpr Word<Attribute> kAttributes[] = {{"device", Attribute::device},
                                                  {"cached", Attribute::cached},
                                                  {"strongly_ordered", Attribute::strongly_ordered},
                                                  {"noncacheable", Attribute::noncacheable}};
constexpr auto &words(Attribute) { return kAttributes; }

struct Config {
  Clocks clocks;
  MemoryConfig memory;
  GpConfig gp;
  SlaveConfig slave;
  CacheConfig cache;
  CpuConfig cpu;
  DmacConfig dmac;
  LinuxConfig system;
  FabricMasterConfig fabric;
  SlavePortConfig port;
  RingConfig ring;
  int gpio_clocks = 0;
  Master master = Master::copy;
  Target target = Target::slave;
  Attribute attribute = Attribute::device;
  bool to_fabric = true;
  bool prepare = false;
  bool mapped = false;
  std::int64_t bytes = 4;
};

template <class V> void visit(V &v, Config &c) {
  visit_optional(v, "clocks", c.clocks);
  visit_optional(v, "memory", c.memory);
  visit_optional(v, "gp", c.gp);
  visit_optional(v, "slave", c.slave);
  visit_optional(v, "cache", c.cache);
  visit_optional(v, "cpu", c.cpu);
  visit_optional(v, "dmac", c.dmac);
  visit_optional(v, "system", c.system);
  visit_optional(v, "fabric", c.fabric);
  visit_optional(v, "port", c.port);
  visit_optional(v, "ring", c.ring);
  v.table("transfer", false, [&](auto &of) {
    of("gpio_clocks", c.gpio_clocks, optional({0, kMostNumber, "apb clocks"}),
       "of a register behind the bridge");
    of("to_fabric", c.to_fabric, optional(), "PS to PL");
    of("prepare", c.prepare, optional(),
       "whether the DMA engine's program is written within the time");
    of("mapped", c.mapped, optional(),
       "whether the processor sees its buffers in the memory by `attribute` and moves "
       "`cpu.access_bytes` at a time; otherwise whole lines that no cache holds");
    of("bytes", c.bytes, optional({1, kMostBuffer, "bytes"}), "to move");
  });
  v("master", c.master, optional(), "who moves the data");
  v("target", c.target, optional(), "what is at the fabric's end");
  v("attribute", c.attribute, optional(), "how the processor sees the fabric, or a mapped buffer");
}

// std::invalid_argument names the first value that cannot be simulated.
void check(const Config &config);

} // namespace axm::processor
