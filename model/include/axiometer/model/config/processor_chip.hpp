// The chip as the processor's side has it: clocks, memory, caches, processor, ports. Each `visit`
// has the members' meanings (model/config/key.hpp).
#pragma once

#include <cstdint>

#include "axiometer/model/config/key.hpp"

namespace axm::processor {

// Time of the processor's side: an integer count of a unit of which every clock's period is a
// whole multiple. Times are below 2^62 units.
using Time = std::int64_t;

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
    "phase of the fabric's clock when the transfer begins");
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
    "latency of a load that misses all caches, from issue to data, the DRAM idle");
  v("device_clocks", m.device_clocks, clocks,
    "of these, the part for which a write that is answered early does not wait");
  v("burst_clocks", m.burst_clocks, clocks, "time of one column command on the bus");
  v("column_bytes", m.column_bytes, optional({1, kMostMoved, "bytes"}),
    "data of one column command");
  v("refresh_clocks", m.refresh_clocks, clocks, "tRFC");
  v("refresh_interval", m.refresh_interval, clocks, "tREFI");
  v("refresh_phase", m.refresh_phase, clocks, "time of the first refresh");
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
  v("read_clocks", g.read_clocks, clocks, "latency of a read there and back, without the fabric");
  v("write_clocks", g.write_clocks, clocks, "latency of a write and its response");
  v("sync_cycles", g.sync_cycles, optional({0, kMostNumber, "clocks of the receiving side"}),
    "registers of a clock crossing");
  v("beat_bytes", g.beat_bytes, optional({1, kMostMoved, "bytes"}), "width of a beat");
  v("burst_beats", g.burst_beats, optional({1, kMostMoved, "beats"}),
    "length of the longest burst");
  v("outstanding_read", g.outstanding_read, optional({1, kMostNumber, "reads"}),
    "most line fills and loads of the processor in flight");
}

struct CacheConfig {
  int line_bytes = 32;
  int l1_bytes = 32768, l1_ways = 4;
  int l2_bytes = 524288, l2_ways = 8;
  bool l2 = true;
  int l2_clocks = 25;
  int line_buffers = 4;
  int prefetch_lines = 2;
  int prefetch_step = 1;
  int prefetch_from = 0;
  int maintenance_clocks = 1;
  int l2_prefetch_lines = 0;
  int write_backs = 0;
  Time write_back_time = 0;
};

template <class V> void visit(V &v, CacheConfig &c) {
  const About memory = optional({0, kMostBuffer, "bytes"});
  const About ways = optional({1, kMostMoved, "ways"});
  const About clocks = optional({0, kMostNumber, "cpu clocks"});
  v("line_bytes", c.line_bytes, optional({1, kMostMoved, "bytes"}),
    "size of a line; a power of two");
  v("l1_bytes", c.l1_bytes, memory, "size of the first level, at least a line in each way");
  v("l1_ways", c.l1_ways, ways, "ways of the first level");
  v("l2_bytes", c.l2_bytes, memory, "size of the second level, at least a line in each way");
  v("l2_ways", c.l2_ways, ways, "ways of the second level");
  v("l2", c.l2, optional(), "whether the second level is on");
  v("l2_clocks", c.l2_clocks, clocks, "latency of a load that hits the second level");
  v("line_buffers", c.line_buffers, optional({1, kMostNumber, "lines"}),
    "most lines of the second level on their way to a slave");
  v("prefetch_lines", c.prefetch_lines, optional({0, kMostNumber, "lines"}),
    "lines that a copy loop requests ahead");
  v("prefetch_step", c.prefetch_step, optional({1, kMostMoved, "lines"}),
    "distance from one requested line to the next; lines between come when they are read");
  v("prefetch_from", c.prefetch_from, memory, "least size of a copy that requests ahead");
  v("maintenance_clocks", c.maintenance_clocks, clocks,
    "time to clean or invalidate one line in both levels");
  v("l2_prefetch_lines", c.l2_prefetch_lines, optional({0, kMostMoved, "lines"}),
    "lines behind a requested one that the second level requests; of mapped buffers");
  v("write_backs", c.write_backs, optional({0, kMostNumber, "lines"}),
    "most dirty lines on their way to the memory; 0: no limit; of mapped buffers");
  v("write_back_time", c.write_back_time, optional({0, kMostUnits, "base units"}),
    "time of a dirty line on the path to the memory; of mapped buffers");
}

struct CpuConfig {
  int call_instructions = 0;
  int loop_clocks = 0;
  int access_bytes = 4;
  int clock_bytes = 4096;
  int device_read_bytes = 8;
  int device_write_bytes = 8;
  int device_stores = 1;
  int fetch_bytes = 8;
  bool caches = true;
  bool instruction_cache = true;
};

template <class V> void visit(V &v, CpuConfig &c) {
  const About moved = optional({1, kMostMoved, "bytes"});
  v("call_instructions", c.call_instructions, optional({0, kMostNumber, "instructions"}),
    "instructions to call the copy routine and to read the timer");
  v("loop_clocks", c.loop_clocks, optional({0, kMostNumber, "cpu clocks"}),
    "time of a word loop's instructions for each word");
  v("access_bytes", c.access_bytes, moved, "data of one load or store of the copy routine");
  v("clock_bytes", c.clock_bytes, moved,
    "data that one load or store moves in a clock; a longer one takes several");
  v("device_read_bytes", c.device_read_bytes, moved,
    "size of the pieces of a longer read of device memory");
  v("device_write_bytes", c.device_write_bytes, moved, "size of the pieces of a longer write");
  v("device_stores", c.device_stores, optional({1, kMostNumber, "stores"}),
    "most writes to device memory under way; 1: it waits for each");
  v("fetch_bytes", c.fetch_bytes, optional({4, kMostMoved, "bytes"}),
    "instructions that come with one read when no cache holds them");
  v("caches", c.caches, optional(), "whether the data caches are on");
  v("instruction_cache", c.instruction_cache, optional(),
    "whether the instruction cache is on; otherwise instructions come from the DRAM");
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
  v("acceptance_read", p.acceptance_read, places, "most reads in the port");
  v("acceptance_write", p.acceptance_write, places, "most writes in the port");
  v("central", p.central, optional(), "through the central interconnect, store and forward");
  v("beat_bytes", p.beat_bytes, optional({1, kMostMoved, "bytes"}),
    "width of a beat behind the port");
  v("beat_period", p.beat_period, optional({1, kMostUnits, "base units"}),
    "time from beat to beat behind the port");
  v("serial_time", p.serial_time, optional({0, kMostUnits, "base units"}),
    "time of a part of a line, one after the other; 0: no limit");
  v("address_cycles", p.address_cycles, optional({0, kMostNumber, "PL cycles"}),
    "time from a burst's address to its first beat, where no FIFO takes it");
}

} // namespace axm::processor
