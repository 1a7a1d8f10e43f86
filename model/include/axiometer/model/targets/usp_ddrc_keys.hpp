// The keys of the DDR controller of Zynq UltraScale+, which its ports and its plain twin share.
#pragma once

#include "axiometer/model/config/controller.hpp"

namespace axm {

// What passes the arbiter before another port has its turn.
enum class Turn : std::uint8_t { part, command };

inline constexpr Word<Turn> kTurns[] = {{"part", Turn::part}, {"command", Turn::command}};
constexpr auto &words(Turn) { return kTurns; }

struct DdrcConfig {
  int starve_clocks = 0;
  int run_length = 0;
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

inline void visit(const KeyVisitor &v, DdrcConfig &d) {
  v("starve_clocks", d.starve_clocks, optional({0, kMostDelay, "controller clocks"}),
    "wait after which a store is starved");
  v("run_length", d.run_length, optional({0, kMostCount, "commands"}),
    "commands served before a starved or expired store of the other direction has its turn");
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

} // namespace axm
