// What a simulation of the processor's side is told. Clock counts are those of the domain that
// each name says: cpu, interconnect (CPU_2x), apb (CPU_1x), ddr, pl. Bytes are bytes.
#pragma once

#include <string>

#include "axiometer/model/processor/time.hpp"

namespace axm::processor {

struct Clocks {
  Time cpu = 1, interconnect = 1, apb = 1, ddr = 1, pl = 1; // periods in base units
  Time pl_phase = 0;
};

struct MemoryConfig {
  int read_clocks = 1;   // cpu: load that misses everything, from issue to data, DRAM idle
  int device_clocks = 0; // ddr: of these, what a write that is answered early does not wait for
  int burst_clocks = 4;  // ddr: the bus is taken by one column command
  int column_bytes = 32;
  int refresh_clocks = 0, refresh_interval = 1; // ddr: tRFC, tREFI
  int refresh_phase = 0;                        // ddr: when the first one begins
};

struct GpConfig {
  int read_clocks = 0;  // interconnect: there and back, without the fabric
  int write_clocks = 0; // the same for a write and its response
  int sync_cycles = 2;  // registers of a clock crossing, in the clock of the receiving side
  int beat_bytes = 4;
  int burst_beats = 16;
  int outstanding_read = 1; // line fills and loads of the processor that are in flight at once
};

struct SlaveConfig {
  int read_latency = 1;     // pl: from address to the first beat
  int write_latency = 1;    // pl: from the last beat to the response
  int read_recovery = 0;    // pl: from the last beat until the next address is taken
  int write_recovery = 0;   // pl: from the response until the next address is taken
  bool single = false;      // AXI4-Lite: a burst comes as single beats
  int read_beat_cycles = 1; // pl: from one beat of a read to the next
};

struct CacheConfig {
  int line_bytes = 32;
  int l1_bytes = 32768, l1_ways = 4;
  int l2_bytes = 524288, l2_ways = 8;
  int l2_clocks = 25;         // cpu: load that hits the second level
  int line_buffers = 4;       // of the second level: lines on their way to a slave
  int prefetch_lines = 2;     // lines that a copy loop asks for ahead
  int prefetch_from = 0;      // bytes of a copy from which it does so
  int maintenance_clocks = 1; // cpu: one line cleaned or invalidated in both levels
};

struct CpuConfig {
  int call_instructions = 0; // calling the copy routine and reading the timer
  int loop_clocks = 0;       // cpu: a word loop's instructions for each word
  int access_bytes = 4;      // what one load or store of the copy routine moves
  int device_read_bytes = 8; // a longer access to device memory is cut into these
  int device_write_bytes = 8;
  int fetch_bytes = 8; // instructions that come with one read when no cache holds them
  bool caches = true;
};

struct DmacConfig {
  int burst_bytes = 64;
  int beat_bytes = 4;
  int program_bytes = 32768;    // that one program moves; more takes several, one after another
  int loop_clocks = 1;          // interconnect: instructions of one iteration
  int beat_clocks = 1;          // interconnect: a beat into its FIFO, and one out of it
  int bursts_in_flight = 4;     // that the thread may be ahead of the writes
  int start_instructions = 0;   // of the processor: start, and notice the end
  int start_accesses = 0;       // of these, accesses to the engine's registers
  int prepare_instructions = 0; // of the processor: write the program
  int program_fetches = 2;      // reads of the engine for its program
  bool copies = false;          // the driver copies between the program and its own uncached buffer
  int write_clocks = 4; // interconnect: until a write to memory is answered, which is buffered
};

struct LinuxConfig {
  bool present = false;
  Time system_call = 0; // base units
};

// A master in the fabric that writes to, or reads from, the processor's memory.
struct FabricMasterConfig {
  // pl: from the last beat (write) or address (read) of a burst to the next burst's address; for
  // one that waits for responses, from the response (write) or last beat (read).
  int issue_cycles = 1;
  int interconnect_cycles = 0; // pl: interconnect between master and port, there and back
  int burst_beats = 1;
  int outstanding = 1;    // 1: waits for each response
  int start_accesses = 0; // registers that the processor writes to start it
  int taken_cycles = 0;   // pl: a response, or a read's first beat, stands before it is taken
  int hold_cycles = 0; // pl: the interconnect has a burst's first beat before it takes the second
};

struct SlavePortConfig {
  int acceptance_read = 8, acceptance_write = 8;
  bool central = false;   // through the central interconnect, store and forward
  int beat_bytes = 8;     // behind the port
  Time beat_period = 1;   // base units: a beat behind the port
  Time serial_time = 0;   // base units: parts of a line, one after the other; 0: no limit
  int address_cycles = 0; // pl: from a burst's address to its first beat, where no FIFO takes it
};

struct RingConfig {
  int buffer_bytes = 4096;
  int depth = 1;
  int packets = 64;
  int fifo_bytes = 2048; // between the reading and the writing half, store and forward
  int width_bytes = 8;
  bool maintain = true; // clean before sending, invalidate before receiving
  bool copy = false;    // the operating system copies in and out
  int doorbells = 2;    // registers in the fabric that are written for each packet
  int descriptors = 2;  // writes to memory that no cache holds, for each packet
};

enum class Master { copy, loop, dmac, fabric, ring };
enum class Target { slave, gpio };
// How the processor sees the fabric: device (one access at a time), or cached for reads with
// writes that go through.
enum class Attribute { device, cached };

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
  int gpio_clocks = 0; // apb: a register behind the bridge
  Master master = Master::copy;
  Target target = Target::slave;
  Attribute attribute = Attribute::device;
  bool to_fabric = true; // PS to PL
  bool prepare = false;  // whether the DMA engine's program is written within the time
  std::int64_t bytes = 4;
};

// std::invalid_argument names the first value that cannot be simulated.
void check(const Config &config);

} // namespace axm::processor
