// What moves the data of the processor's side, and what is at the other end: slaves and masters in
// the fabric, the DMA engine, Linux, packet rings. Each `visit` has the members' meanings
// (model/config/key.hpp).
#pragma once

#include "axiometer/model/config/processor_chip.hpp"

namespace axm::processor {

struct SlaveConfig {
  int read_latency = 1;
  int write_latency = 1;
  int read_recovery = 0;
  int write_recovery = 0;
  bool single = false;
  int read_beat_cycles = 1;
  int outstanding = 1;
  int read_way_cycles = 0;
  int write_way_cycles = 0;
};

template <class V> void visit(V &v, SlaveConfig &s) {
  const About cycles = optional({0, kMostNumber, "PL cycles"});
  v("read_latency", s.read_latency, cycles, "time from the address to the first beat");
  v("write_latency", s.write_latency, cycles, "time from the last beat to the response");
  v("read_recovery", s.read_recovery, cycles,
    "time from the last beat until the next address is taken");
  v("write_recovery", s.write_recovery, cycles,
    "time from the response until the next address is taken");
  v("single", s.single, optional(), "AXI4-Lite: a burst comes as single beats");
  v("read_beat_cycles", s.read_beat_cycles, optional({1, kMostNumber, "PL cycles"}),
    "time from one beat of a read to the next");
  v("outstanding", s.outstanding, optional({1, kMostMoved, "bursts"}),
    "most bursts in each direction; 1: one of either, and recoveries");
  v("read_way_cycles", s.read_way_cycles, cycles,
    "latency of a read between the port and it, there and back, which delays no other burst");
  v("write_way_cycles", s.write_way_cycles, cycles,
    "latency of a write and its response, likewise");
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
  bool waits_for_writes = false;
  int write_clocks = 4;
};

template <class V> void visit(V &v, DmacConfig &d) {
  const About moved = optional({1, kMostMoved, "bytes"});
  const About clocks = optional({0, kMostNumber, "interconnect clocks"});
  const About count = optional({0, kMostNumber, "instructions"});
  v("burst_bytes", d.burst_bytes, moved, "size of a burst");
  v("beat_bytes", d.beat_bytes, moved, "width of a beat");
  v("program_bytes", d.program_bytes, optional({1, kMostBuffer, "bytes"}),
    "data of one program; longer copies use several, one after another");
  v("loop_clocks", d.loop_clocks, clocks, "time of one iteration's instructions");
  v("beat_clocks", d.beat_clocks, clocks, "time of a beat into its FIFO, and of one out of it");
  v("bursts_in_flight", d.bursts_in_flight, optional({1, kMostNumber, "bursts"}),
    "bursts by which the thread may be ahead of the writes");
  v("start_instructions", d.start_instructions, count,
    "the processor's instructions to start it and to detect the end");
  v("start_accesses", d.start_accesses, optional({0, kMostNumber, "accesses"}),
    "the processor's accesses to the engine's registers, besides these");
  v("prepare_instructions", d.prepare_instructions, count,
    "the processor's instructions to write the program");
  v("program_fetches", d.program_fetches, optional({0, kMostNumber, "reads"}),
    "reads of the engine for its program");
  v("copies", d.copies, optional(),
    "whether the driver copies between the program and its own uncached buffer");
  v("waits_for_writes", d.waits_for_writes, optional(),
    "whether a program ends with the response to its last write, not with its issue");
  v("write_clocks", d.write_clocks, clocks,
    "time until a write to memory, which is buffered, is answered");
}

struct LinuxConfig {
  bool present = false;
  Time system_call = 0;
};

template <class V> void visit(V &v, LinuxConfig &l) {
  v("present", l.present, optional(), "whether Linux runs");
  v("system_call", l.system_call, optional({0, kMostUnits, "base units"}), "time of a system call");
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
    "time from the last beat (write) or address (read) of a burst to the next burst's address; "
    "with a wait for responses, from the response (write) or last beat (read)");
  v("interconnect_cycles", f.interconnect_cycles, cycles,
    "latency of the interconnect between master and port, there and back");
  v("burst_beats", f.burst_beats, optional({1, kMostMoved, "beats"}), "length of a burst");
  v("outstanding", f.outstanding, optional({1, kMostNumber, "bursts"}),
    "most bursts in flight; 1: it waits for each response");
  v("taken_cycles", f.taken_cycles, cycles,
    "time before a response, or a read's first beat, is taken");
  v("hold_cycles", f.hold_cycles, cycles,
    "time that the interconnect has a burst's first beat before it takes the second");
  v("start_accesses", f.start_accesses, optional({0, kMostNumber, "accesses"}),
    "register writes of the processor to start it");
}

struct RingConfig {
  int buffer_bytes = 4096;
  int depth = 1;
  int packets = 64;
  int fifo_bytes = 2048;
  int width_bytes = 8;
  int beat_cycles = 1;
  bool maintain = true;
  bool copy = false;
  int doorbells = 2;
  int descriptors = 2;
};

template <class V> void visit(V &v, RingConfig &r) {
  v("buffer_bytes", r.buffer_bytes, optional({1, kMostBuffer, "bytes"}),
    "size of a packet's buffer");
  v("depth", r.depth, optional({1, kMostNumber, "packets"}), "most packets in flight");
  v("packets", r.packets, optional({1, kMostNumber, "packets"}), "packets to send");
  v("fifo_bytes", r.fifo_bytes, optional({1, kMostBuffer, "bytes"}),
    "FIFO between the reading and the writing half, store and forward");
  v("width_bytes", r.width_bytes, optional({1, kMostMoved, "bytes"}), "width of a beat");
  v("beat_cycles", r.beat_cycles, optional({1, kMostNumber, "PL cycles"}),
    "time from one beat to the next: the capacity of the way to the memory");
  v("maintain", r.maintain, optional(), "clean before sending, invalidate before receiving");
  v("copy", r.copy, optional(), "whether the operating system copies in and out");
  v("doorbells", r.doorbells, optional({0, kMostNumber, "registers"}),
    "registers in the fabric that are written for each packet");
  v("descriptors", r.descriptors, optional({0, kMostNumber, "writes"}),
    "writes to uncached memory for each packet");
}

} // namespace axm::processor
