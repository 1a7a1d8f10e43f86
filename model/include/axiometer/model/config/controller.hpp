// The memory controller of a configuration. Each `visit` says what the members mean (key.hpp).
#pragma once

#include <string>

#include "axiometer/model/config/key.hpp"

namespace axm {

// What passes the arbiter before another port has its turn.
enum class Turn : std::uint8_t { part, command };

inline constexpr Word<Turn> kTurns[] = {{"part", Turn::part}, {"command", Turn::command}};
constexpr auto &words(Turn) { return kTurns; }

// The DDR controller of Zynq UltraScale+. It has a clock of its own, a whole part of the DRAM's.
struct DdrcConfig {
  int dram_clocks = 1;
  int low_latency_entries = 31;
  int least_run = 0;
  int idle_gap_clocks = 1;
  int read_tail_clocks = 0;
  bool write_combining = false;
  Turn turn = Turn::part;
  int write_bytes = 32;
  int command_clocks = 1;
  int write_turns = 0;
  bool starved_writes_turn = false;
  int read_clocks = 0;
  int throttle_entries[2] = {0, 0};
};

template <class V> void visit(V &v, DdrcConfig &d) {
  v("dram_clocks", d.dram_clocks, {1, 8, "DRAM clocks"}, "of one controller clock");
  v("low_latency_entries", d.low_latency_entries, {0, kMostCount, "commands"},
    "of the read store's 64 places, those for high priority reads");
  v("least_run", d.least_run, {0, kMostCount, "commands"},
    "of a store that are served before an expired read ends its turn");
  v("idle_gap_clocks", d.idle_gap_clocks, {0, kMostDelay, "controller clocks"},
    "for which a store is empty before the other has its turn");
  v("read_tail_clocks", d.read_tail_clocks, {0, kMostDelay, "controller clocks"},
    "from the last read command until the read store counts as empty");
  v("write_combining", d.write_combining, {},
    "whether writes to one DRAM burst are combined in the store");
  v("turn", d.turn, {}, "what a port's turn at the arbiter is");
  v("write_bytes", d.write_bytes, {1, kMostSize, "bytes"},
    "that pass from the ports to the write store in a controller clock");
  v("command_clocks", d.command_clocks, {1, kMostDelay, "controller clocks"},
    "that a command of either direction takes the way from the ports' arbiter to the stores, at "
    "least");
  v("write_turns", d.write_turns, {0, kMostCount, "parts"},
    "of writes that the arbiter takes from one port in a row where another waits; 0: no limit");
  v("starved_writes_turn", d.starved_writes_turn, {},
    "whether starved writes turn the bus while expired reads wait");
  v("read_clocks", d.read_clocks, {0, kMostDelay, "controller clocks"},
    "from a read command to its data at the controller's port");
  v.pair("throttle_entries", d.throttle_entries, {0, 64, "commands"},
         "places of a store: while no more are free, ports that are throttled have no turn");
}

// High-priority reads of the Zynq-7000 controller (UG585, section 10.4.6): part of the read store
// is theirs, and their store has limits of its own.
struct HighReadsConfig {
  int entries = 0;
  int starve_clocks = 1;
  int run_length = 1;
  int min_non_critical_clocks = 0;
};

template <class V> void visit(V &v, HighReadsConfig &h) {
  v("high_entries", h.entries, optional({0, 48, "commands"}),
    "column commands of high-priority reads that the read store holds beside the others; with "
    "those, at most 48");
  v("high_starve_clocks", h.starve_clocks, optional({1, kMostDelay, "DRAM clocks"}),
    "starve_clocks of these reads");
  v("high_run_length", h.run_length, optional({1, kMostCount, "commands"}),
    "run_length of these reads");
  v("high_min_non_critical_clocks", h.min_non_critical_clocks,
    optional({0, kMostDelay, "DRAM clocks"}), "min_non_critical_clocks of these reads");
}

struct ControllerConfig {
  std::string policy;
  int entries[2] = {32, 32};
  int starve_clocks = 0;
  int run_length = 0;
  int min_non_critical_clocks = 0;
  int batch = 0;
  int pick_window = 64;
  int prepare_window = 64;
  HighReadsConfig high_priority;
  DdrcConfig ddrc;
};

template <class V> void visit(V &v, ControllerConfig &c) {
  v("policy", c.policy, {}, "how commands are scheduled: machine/policies.hpp");
  v("read_entries", c.entries[kRead], {1, 64, "commands"},
    "column commands that the read store holds; at most 48 where there are no classes");
  v("write_entries", c.entries[kWrite], {1, 64, "commands"}, "the same of the write store");
  v("starve_clocks", c.starve_clocks, optional({0, kMostDelay, "DRAM clocks"}),
    "after which a store that waits is critical (targets/switching/zynq_ddrc.hpp); of usp-ddrc "
    "controller clocks (targets/usp_ddrc.hpp)");
  v("run_length", c.run_length, optional({0, kMostCount, "commands"}),
    "that a critical store is served before it is critical no more");
  v("min_non_critical_clocks", c.min_non_critical_clocks, optional({0, kMostDelay, "DRAM clocks"}),
    "of zynq-ddrc: for which a store is not critical again");
  v("batch", c.batch, optional({0, kMostCount, "commands"}),
    "of in-order-batch: of one direction while the other waits");
  v("pick_window", c.pick_window, optional({1, kMostCount, "commands"}),
    "how many of the oldest of a store may be served out of order; 64 is all, 1 strictly in order");
  v("prepare_window", c.prepare_window, optional({1, kMostCount, "commands"}),
    "for how many of the oldest a bank is opened ahead");
  v.only(c.policy, kUspDdrc, [&] { visit(v, c.ddrc); });
  v.only(c.policy, kZynqDdrc, [&] { visit(v, c.high_priority); });
}

} // namespace axm
