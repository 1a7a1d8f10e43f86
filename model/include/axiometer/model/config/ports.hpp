// Paths to the controller and the ports before them. Each `visit` has the members' meanings
// (key.hpp).
#pragma once

#include <string>

#include "axiometer/model/config/key.hpp"

namespace axm {

// A port of the controller of Zynq UltraScale+.
struct DdrcPortConfig {
  int queue_parts[2] = {64, 4};
  int timeout_clocks[2] = {79, 79};
  int entry_clocks[2] = {0, 0};
  int clock_bytes = 16;
  bool buffers = true;
  int part_clocks = 0;
  bool throttled[2] = {false, false};
};

template <class V> void visit(V &v, DdrcPortConfig &p) {
  const About clocks{0, kMostDelay, "controller clocks"};
  v.pair("queue_parts", p.queue_parts, {1, 64, "parts"},
         "parts that wait in the controller's port; for reads, for each interface behind it");
  v.pair("timeout_clocks", p.timeout_clocks, clocks,
         "time from the entry into the port until the video class expires");
  v.pair("entry_clocks", p.entry_clocks, clocks,
         "time from the entry into the port until the arbiter sees the part");
  v("clock_bytes", p.clock_bytes, {1, kMostSize, "bytes"},
    "data on a channel of the port in a controller clock");
  v("buffers", p.buffers, {},
    "where two interfaces share the port: whether a write's data come before its turn even after a "
    "write of the other, and reads pass faster than their data go back");
  v("part_clocks", p.part_clocks, clocks,
    "least time of a read part at the arbiter, where two interfaces share a port that does not "
    "buffer");
  v.pair("throttled", p.throttled, {},
         "whether the port has no turn while few places of the store are free (throttle_entries)");
}

// A port of the Zynq-7000 controller (UG585, sections 10.4.3 to 10.4.6).
struct ArbiterPortConfig {
  int priority[2] = {1023, 1023};
  bool high_priority_reads = false;
};

template <class V> void visit(V &v, ArbiterPortConfig &p) {
  v.pair("priority", p.priority, optional({0, 1023, "DRAM clocks"}),
         "start value of the port's ageing counter: the lower, the sooner it is served; equal ones "
         "of all ports take turns");
  v("high_priority_reads", p.high_priority_reads, optional(),
    "whether reads are of high priority; the controller must have entries for them");
}

// A shared way from ports to the controller.
struct PathConfig {
  std::string name;
  int inflight[2] = {64, 64};
  int request_clocks[2] = {0, 0};
  int release_clocks[2] = {0, 0};
  int column_clocks = 0;
  bool ordered[2] = {false, false};
  DdrcPortConfig ddrc;
  ArbiterPortConfig arbiter;

  // Whether what comes this way are high-priority reads.
  bool high(Dir d) const { return d == kRead && arbiter.high_priority_reads; }
};

template <class V> void visit(V &v, PathConfig &p) {
  const About clocks{0, kMostDelay, "DRAM clocks"};
  v("name", p.name, {}, "for messages");
  v.pair("inflight", p.inflight, {1, 64, "commands"},
         "column commands between acceptance and release");
  v.pair("request_clocks", p.request_clocks, clocks, "travel of a request to the controller");
  v.pair("release_clocks", p.release_clocks, clocks,
         "time from a part's last column command to the release of its place; read data are at the "
         "port no earlier");
  v("column_clocks", p.column_clocks, clocks,
    "time of one column command's data on the path, fewer bytes in proportion; 0: no "
    "limit");
  v.pair("ordered", p.ordered, {}, "whether parts are given back in the order of acceptance");
}

// Traffic classes of that controller (UG1085, chapter 17): of reads low priority, video and high
// priority; of writes the first two.
enum class TrafficClass : std::uint8_t { best_effort, video, low_latency };

inline constexpr Word<TrafficClass> kTrafficClasses[] = {
    {"best_effort", TrafficClass::best_effort},
    {"video", TrafficClass::video},
    {"low_latency", TrafficClass::low_latency}};
constexpr auto &words(TrafficClass) { return kTrafficClasses; }

// The AXI interface of a port of Zynq UltraScale+.
struct AfiConfig {
  int issue_commands = 16;
  int inflight_parts = 64;
  int address_bursts = 64;
  int passed_commands = 128;
  int qos[2] = {0, 0};
  TrafficClass traffic[2] = {TrafficClass::best_effort, TrafficClass::best_effort};
};

template <class V> void visit(V &v, AfiConfig &a) {
  v("issue_commands", a.issue_commands, {1, 64, "parts"}, "most parts issued and not complete");
  v("inflight_parts", a.inflight_parts, {1, 64, "parts"},
    "most read parts issued whose data are not all back at the interface");
  v("address_bursts", a.address_bursts, optional({1, 64, "bursts"}),
    "most reads accepted whose last part is not issued");
  v("passed_commands", a.passed_commands, optional({1, 128, "commands"}),
    "column commands of read parts that the arbiter has passed and the fabric has not taken; a "
    "longer part passes alone");
  v.pair("qos", a.qos, {0, 15}, "AXI QoS value: the arbiter's order among what has not expired");
  v.pair("traffic", a.traffic, {}, "traffic class; writes have no low_latency");
}

struct PortConfig {
  std::string name;
  int path = 0;
  int width_bytes = 8;
  int part_bytes = 128;
  std::int64_t period = 0;
  int fifo_bytes[2] = {1024, 1024};
  int request_cycles[2] = {0, 0};
  int return_cycles = 0;
  int response_clocks = 0;
  bool early_response = true;
  bool release_whole_burst = true;
  AfiConfig afi;
};

template <class V> void visit(V &v, PortConfig &p) {
  v("name", p.name, {}, "for messages");
  v("path", p.path, {0, 31}, "number of its path");
  v("width_bytes", p.width_bytes, {1, 1024, "bytes"}, "width of a beat; a power of two");
  v("part_bytes", p.part_bytes, {1, kMostSize, "bytes"},
    "bursts are cut at multiples of this; a part is what path and controller schedule");
  v("period", p.period, optional({0, kMostPeriod, "base units"}),
    "period of the port's clock, which counts its cycles and those of its streams; 0: the PL's");
  v.pair("fifo_bytes", p.fifo_bytes, {1, kMostSize, "bytes"}, "data FIFO");
  v.pair("request_cycles", p.request_cycles, {0, kMostDelay, "port cycles"},
         "time from the address (read) or the last beat (write) to the path");
  v("return_cycles", p.return_cycles, {0, kMostDelay, "port cycles"},
    "time from the data's arrival at the port to the first beat of a read");
  v("response_clocks", p.response_clocks, {0, kMostDelay, "DRAM clocks"},
    "time from acceptance, or from the last write command, to the write response");
  v("early_response", p.early_response, {},
    "whether a write is answered when the controller has accepted it");
  v("release_whole_burst", p.release_whole_burst, {},
    "whether a write's parts leave only after the burst's last beat");
}

} // namespace axm
