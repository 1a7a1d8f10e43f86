// What a simulation of the processor's side is told. Each structure has one `visit`, which says
// what its members may be and mean (config/key.hpp); clocks are those of the domain that the unit
// says: cpu, interconnect (CPU_2x), apb (CPU_1x), DRAM, PL. Every key may be left out of a
// document.
#pragma once

#include <string>

#include "axiometer/model/config/key.hpp"
#include "axiometer/model/processor/time.hpp"

namespace axm::processor {

// Sizes of memories and buffers; what one access or burst moves, whose products must fit; delays
// and counts; times in base units.
inline constexpr std::int64_t kMostBuffer = 1 << 30;
inline constexpr std::int64_t kMostMoved = 4096;
inline constexpr std::int64_t kMostNumber = 1 << 24;
inline constexpr std::int64_t kMostUnits = std::int64_t{1} << 40;

struct Clocks {
  Time cpu = 1, interconnect = 1, apb = 1, ddr = 1, pl = 1;
  Time pl_phase = 0;
};

template <class V> void visit(V &v, Clocks &c) {
  const About period = optional({1, kMostUnits, "base units"});
  v("cpu", c.cpu, period, "period of the processor's clock");
  v("interconnect", c.interconnect, period, "period of the interconnect's clock, CPU_2x");
  v("apb", c.apb, period, "period of the peripherals' clock, CPU_1x");
  v("ddr", c.ddr, period, "period of the DRAM's clock");
  v("pl", c.pl, period, "period of the fabric's clock");
  v("pl_phase", c.pl_phase, optional({0, kMostUnits, "base units"}),
    "where the fabric's clock stands when the transfer begins");
}

struct MemoryConfig {
  int read_clocks = 1;
  int device_clocks = 0;
  int burst_clocks = 4;
  int column_bytes = 32;
  int refresh_clocks = 0, refresh_interval = 1;
  int refresh_phase = 0;
};

template <class V> void visit(V &v, MemoryConfig &m) {
  const About clocks = optional({0, kMostNumber, "DRAM clocks"});
  v("read_clocks", m.read_clocks, optional({0, kMostNumber, "cpu clocks"}),
    "of a load that misses everything, from issue to data, the DRAM idle");
  v("device_clocks", m.device_clocks, clocks,
    "of these, what a write that is answered early does not wait for");
  v("burst_clocks", m.burst_clocks, clocks, "for which one column command takes the bus");
  v("column_bytes", m.column_bytes, optional({1, kMostMoved, "bytes"}),
    "that one column command moves");
  v("refresh_clocks", m.refresh_clocks, clocks, "tRFC");
  v("refresh_interval", m.refresh_interval, clocks, "tREFI");
  v("refresh_phase", m.refresh_phase, clocks, "when the first refresh begins");
}

struct GpConfig {
  int read_clocks = 0;
  int write_clocks = 0;
  int sync_cycles = 2;
  int beat_bytes = 4;
  int burst_beats = 16;
  int outstanding_read = 1;
};

template <class V> void visit(V &v, GpConfig &g) {
  const About clocks = optional({0, kMostNumber, "interconnect clocks"});
  v("read_clocks", g.read_clocks, clocks, "of a read there and back, without the fabric");
  v("write_clocks", g.write_clocks, clocks, "the same of a write and its response");
  v("sync_cycles", g.sync_cycles, optional({0, kMostNumber, "clocks of the receiving side"}),
    "registers of a clock crossing");
  v("beat_bytes", g.beat_bytes, optional({1, kMostMoved, "bytes"}), "of a beat");
  v("burst_beats", g.burst_beats, optional({1, kMostMoved, "beats"}), "of the longest burst");
  v("outstanding_read", g.outstanding_read, optional({1, kMostNumber, "reads"}),
    "line fills and loads of the processor that are in flight at once");
}

struct SlaveConfig {
  int read_latency = 1;
  int write_latency = 1;
  int read_recovery = 0;
  int write_recovery = 0;
  bool single = false;
  int read_beat_cycles = 1;
};

template <class V> void visit(V &v, SlaveConfig &s) {
  const About cycles = optional({0, kMostNumber, "PL cycles"});
  v("read_latency", s.read_latency, cycles, "from address to the first beat");
  v("write_latency", s.write_latency, cycles, "from the last beat to the response");
  v("read_recovery", s.read_recovery, cycles, "from the last beat until the next address is taken");
  v("write_recovery", s.write_recovery, cycles,
    "from the response until the next address is taken");
  v("single", s.single, optional(), "AXI4-Lite: a burst comes as single beats");
  v("read_beat_cycles", s.read_beat_cycles, optional({1, kMostNumber, "PL cycles"}),
    "from one beat of a read to the next");
}

struct CacheConfig {
  int line_bytes = 32;
  int l1_bytes = 32768, l1_ways = 4;
  int l2_bytes = 524288, l2_ways = 8;
  int l2_clocks = 25;
  int line_buffers = 4;
  int prefetch_lines = 2;
  int prefetch_from = 0;
  int maintenance_clocks = 1;
};

template <class V> void visit(V &v, CacheConfig &c) {
  const About memory = optional({0, kMostBuffer, "bytes"});
  const About ways = optional({1, kMostMoved, "ways"});
  const About clocks = optional({0, kMostNumber, "cpu clocks"});
  v("line_bytes", c.line_bytes, optional({0, kMostMoved, "bytes"}), "of a line; a power of two");
  v("l1_bytes", c.l1_bytes, memory, "of the first level, at least a line in each way");
  v("l1_ways", c.l1_ways, ways, "of the first level");
  v("l2_bytes", c.l2_bytes, memory, "of the second level, at least a line in each way");
  v("l2_ways", c.l2_ways, ways, "of the second level");
  v("l2_clocks", c.l2_clocks, clocks, "of a load that hits the second level");
  v("line_buffers", c.line_buffers, optional({1, kMostNumber, "lines"}),
    "of the second level: on their way to a slave");
  v("prefetch_lines", c.prefetch_lines, optional({0, kMostNumber, "lines"}),
    "that a copy loop asks for ahead");
  v("prefetch_from", c.prefetch_from, memory, "of a copy from which it does so");
  v("maintenance_clocks", c.maintenance_clocks, clocks,
    "for one line that is cleaned or invalidated in both levels");
}

struct CpuConfig {
  int call_instructions = 0;
  int loop_clocks = 0;
  int access_bytes = 4;
  int device_read_bytes = 8;
  int device_write_bytes = 8;
  int fetch_bytes = 8;
  bool caches = true;
};

template <class V> void visit(V &v, CpuConfig &c) {
  const About moved = optional({1, kMostMoved, "bytes"});
  v("call_instructions", c.call_instructions, optional({0, kMostNumber, "instructions"}),
    "to call the copy routine and to read the timer");
  v("loop_clocks", c.loop_clocks, optional({0, kMostNumber, "cpu clocks"}),
    "of a word loop's instructions for each word");
  v("access_bytes", c.access_bytes, moved, "that one load or store of the copy routine moves");
  v("device_read_bytes", c.device_read_bytes, moved,
    "into which a longer read of device memory is cut");
  v("device_write_bytes", c.device_write_bytes, moved, "the same of a write");
  v("fetch_bytes", c.fetch_bytes, optional({4, kMostMoved, "bytes"}),
    "of instructions that come with one read when no cache holds them");
  v("caches", c.caches, optional(), "whether the caches are on");
}

struct DmacConfig {
  int burst_bytes = 64;
  int beat_bytes = 4;
  int program_bytes = 32768;
  int loop_clocks = 1;
  int beat_clocks = 1;
  int bursts_in_flight = 4;
  int start_instructions = 0;
  int start_accesses = 0;
  int prepare_instructions = 0;
  int program_fetches = 2;
  bool copies = false;
  int write_clocks = 4;
};

template <class V> void visit(V &v, DmacConfig &d) {
  const About moved = optional({1, kMostMoved, "bytes"});
  const About clocks = optional({0, kMostNumber, "interconnect clocks"});
  const About count = optional({0, kMostNumber, "instructions"});
  v("burst_bytes", d.burst_bytes, moved, "of a burst");
  v("beat_bytes", d.beat_bytes, moved, "of a beat");
  v("program_bytes", d.program_bytes, optional({1, kMostBuffer, "bytes"}),
    "that one program moves; more takes several, one after another");
  v("loop_clocks", d.loop_clocks, clocks, "of one iteration's instructions");
  v("beat_clocks", d.beat_clocks, clocks, "of a beat into its FIFO, and of one out of it");
  v("bursts_in_flight", d.bursts_in_flight, optional({1, kMostNumber, "bursts"}),
    "that the thread may be ahead of the writes");
  v("start_instructions", d.start_instructions, count,
    "of the processor, to start it and to notice the end");
  v("start_accesses", d.start_accesses, optional({0, kMostNumber, "accesses"}),
    "of these, to the engine's registers");
  v("prepare_instructions", d.prepare_instructions, count,
    "of the processor, to write the program");
  v("program_fetches", d.program_fetches, optional({0, kMostNumber, "reads"}),
    "of the engine for its program");
  v("copies", d.copies, optional(),
    "whether the driver copies between the program and its own uncached buffer");
  v("write_clocks", d.write_clocks, clocks,
    "until a write to memory is answered, which is buffered");
}

struct LinuxConfig {
  bool present = false;
  Time system_call = 0;
};

template <class V> void visit(V &v, LinuxConfig &l) {
  v("present", l.present, optional(), "whether Linux runs");
  v("system_call", l.system_call, optional({0, kMostUnits, "base units"}), "of a system call");
}

// A master in the fabric that writes to, or reads from, the processor's memory.
struct FabricMasterConfig {
  int issue_cycles = 1;
  int interconnect_cycles = 0;
  int burst_beats = 1;
  int outstanding = 1;
  int start_accesses = 0;
  int taken_cycles = 0;
  int hold_cycles = 0;
};

template <class V> void visit(V &v, FabricMasterConfig &f) {
  const About cycles = optional({0, kMostNumber, "PL cycles"});
  v("issue_cycles", f.issue_cycles, optional({1, kMostNumber, "PL cycles"}),
    "from the last beat (write) or address (read) of a burst to the next burst's address; of one "
    "that waits for responses, from the response (write) or last beat (read)");
  v("interconnect_cycles", f.interconnect_cycles, cycles,
    "of the interconnect between master and port, there and back");
  v("burst_beats", f.burst_beats, optional({1, kMostMoved, "beats"}), "of a burst");
  v("outstanding", f.outstanding, optional({1, kMostNumber, "bursts"}),
    "in flight; 1: it waits for each response");
  v("taken_cycles", f.taken_cycles, cycles,
    "for which a response, or a read's first beat, stands before it is taken");
  v("hold_cycles", f.hold_cycles, cycles,
    "for which the interconnect has a burst's first beat before it takes the second");
  v("start_accesses", f.start_accesses, optional({0, kMostNumber, "accesses"}),
    "to registers that the processor writes to start it");
}

struct SlavePortConfig {
  int acceptance_read = 8, acceptance_write = 8;
  bool central = false;
  int beat_bytes = 8;
  Time beat_period = 1;
  Time serial_time = 0;
  int address_cycles = 0;
};

template <class V> void visit(V &v, SlavePortConfig &p) {
  const About places = optional({1, kMostNumber, "bursts"});
  v("acceptance_read", p.acceptance_read, places, "reads that the port takes at once");
  v("acceptance_write", p.acceptance_write, places, "the same of writes");
  v("central", p.central, optional(), "through the central interconnect, store and forward");
  v("beat_bytes", p.beat_bytes, optional({1, kMostMoved, "bytes"}), "of a beat behind the port");
  v("beat_period", p.beat_period, optional({1, kMostUnits, "base units"}),
    "from beat to beat behind the port");
  v("serial_time", p.serial_time, optional({0, kMostUnits, "base units"}),
    "of parts of a line, one after the other; 0: no limit");
  v("address_cycles", p.address_cycles, optional({0, kMostNumber, "PL cycles"}),
    "from a burst's address to its first beat, where no FIFO takes it");
}

struct RingConfig {
  int buffer_bytes = 4096;
  int depth = 1;
  int packets = 64;
  int fifo_bytes = 2048;
  int width_bytes = 8;
  bool maintain = true;
  bool copy = false;
  int doorbells = 2;
  int descriptors = 2;
};

template <class V> void visit(V &v, RingConfig &r) {
  v("buffer_bytes", r.buffer_bytes, optional({1, kMostBuffer, "bytes"}), "of a packet's buffer");
  v("depth", r.depth, optional({1, kMostNumber, "packets"}), "in flight at once");
  v("packets", r.packets, optional({1, kMostNumber, "packets"}), "that are sent");
  v("fifo_bytes", r.fifo_bytes, optional({1, kMostBuffer, "bytes"}),
    "between the reading and the writing half, store and forward");
  v("width_bytes", r.width_bytes, optional({1, kMostMoved, "bytes"}), "of a beat");
  v("maintain", r.maintain, optional(), "clean before sending, invalidate before receiving");
  v("copy", r.copy, optional(), "whether the operating system copies in and out");
  v("doorbells", r.doorbells, optional({0, kMostNumber, "registers"}),
    "in the fabric that are written for each packet");
  v("descriptors", r.descriptors, optional({0, kMostNumber, "writes"}),
    "to memory that no cache holds, for each packet");
}

enum class Master { copy, loop, dmac, fabric, ring };
enum class Target { slave, gpio };
// How the processor sees the fabric: device (one access at a time), or cached for reads with
// writes that go through.
enum class Attribute { device, cached };

inline constexpr Word<Master> kMasters[] = {{"copy", Master::copy},
                                            {"loop", Master::loop},
                                            {"dmac", Master::dmac},
                                            {"fabric", Master::fabric},
                                            {"ring", Master::ring}};
constexpr auto &words(Master) { return kMasters; }
inline constexpr Word<Target> kTargets[] = {{"slave", Target::slave}, {"gpio", Target::gpio}};
constexpr auto &words(Target) { return kTargets; }
inline constexpr Word<Attribute> kAttributes[] = {{"device", Attribute::device},
                                                  {"cached", Attribute::cached}};
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
    of("bytes", c.bytes, optional({1, kMostBuffer, "bytes"}), "to move");
  });
  v("master", c.master, optional(), "who moves the data");
  v("target", c.target, optional(), "what is at the fabric's end");
  v("attribute", c.attribute, optional(), "how the processor sees the fabric");
}

// std::invalid_argument names the first value that cannot be simulated.
void check(const Config &config);

} // namespace axm::processor
