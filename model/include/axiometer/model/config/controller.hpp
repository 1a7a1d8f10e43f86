// The memory controller of a configuration. Each `visit` has the members' meanings (key.hpp).
#pragma once

#include <string>

#include "axiometer/model/config/key.hpp"

namespace axm {

// What passes the arbiter before another port has its turn.
enum class Turn : std::uint8_t { part, command };

inline constexpr Word<Turn> kTurns[] = {{"part", Turn::part}, {"command", Turn::command}};
constexpr auto &words(Turn) { return kTurns; }

// The DDR controller of Zynq UltraScale+. Its own clock is a whole fraction of the DRAM's.
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
  v("dram_clocks", d.dram_clocks, {1, 8, "DRAM clocks"}, "length of a controller clock");
  v("low_latency_entries", d.low_latency_entries, {0, kMostCount, "commands"},
    "places for high-priority reads, of the read store's 64");
  v("least_run", d.least_run, {0, kMostCount, "commands"},
    "commands of a store that are served before an expired read ends its turn");
  v("idle_gap_clocks", d.idle_gap_clocks, {0, kMostDelay, "controller clocks"},
    "time for which a store is empty before the other has its turn");
  v("read_tail_clocks", d.read_tail_clocks, {0, kMostDelay, "controller clocks"},
    "from the last read command until the read store counts as empty");
  v("write_combining", d.write_combining, {},
    "whether writes to one DRAM burst are combined in the store");
  v("turn", d.turn, {}, "extent of a port's turn at the arbiter");
  v("write_bytes", d.write_bytes, {1, kMostSize, "bytes"},
    "data of writes from the ports to the write store in a controller clock");
  v("command_clocks", d.command_clocks, {1, kMostDelay, "controller clocks"},
    "least time of a command of either direction on the way from the ports' arbiter to the stores");
  v("write_turns", d.write_turns, {0, kMostCount, "parts"},
    "write parts that the arbiter takes from one port in a row while another waits; 0: no limit");
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
    "column commands of high-priority reads that the read store holds beside the others; "
    "together at most 48");
  v("high_starve_clocks", h.starve_clocks, optional({1, kMostDelay, "DRAM clocks"}),
    "starve_clocks of high-priority reads");
  v("high_run_length", h.run_length, optional({1, kMostCount, "commands"}),
    "run_length of high-priority reads");
  v("high_min_non_critical_clocks", h.min_non_critical_clocks,
    optional({0, kMostDelay, "DRAM clocks"}), "min_non_critical_clocks of high-priority reads");
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
  v("policy", c.policy, {}, "scheduling policy: machine/policies.hpp");
  v("read_entries", c.entries[kRead], {1, 64, "commands"},
    "column commands that the read store holds; at most 48 where there are no classes");
  v("write_entries", c.entries[kWrite], {1, 64, "commands"},
    "column commands that the write store holds");
  v("starve_clocks", c.starve_clocks, optional({0, kMostDelay, "DRAM clocks"}),
    "wait after which a store is critical (targets/switching/zynq_ddrc.hpp); of usp-ddrc "
    "controller clocks (targets/usp_ddrc.hpp)");
  v("run_length", c.run_length, optional({0, kMostCount, "commands"}),
    "commands served from a critical store before it is no longer critical");
  v("min_non_critical_clocks", c.min_non_critical_clocks, optional({0, kMostDelay, "DRAM clocks"}),
    "of zynq-ddrc: time before a store may be critical again");
  v("batch", c.batch, optional({0, kMostCount, "commands"}),
    "of in-order-batch: column commands of one direction while the other waits");
  v("pick_window", c.pick_window, optional({1, kMostCount, "commands"}),
    "oldest commands of a store that may be served out of order; 64: all, 1: strictly in order");
  v("prepare_window", c.prepare_window, optional({1, kMostCount, "commands"}),
    "oldest commands for which a bank is opened ahead");
  v.only(c.policy, kUspDdrc, [&] { visit(v, c.ddrc); });
  v.only(c.policy, kZynqDdrc, [&] { visit(v, c.high_priority); });
}

} // namespace axm
