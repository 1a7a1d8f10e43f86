// The DDR controller of Zynq UltraScale+ in the executable specification, controller clock by
// clock: two lists of column commands by age, of which one is served. In a clock it gives at most
// one column command and, half a clock later, one row command. The rules are those of
// targets/usp_ddrc.hpp.
#pragma once

#include <optional>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/targets/usp_ddrc_keys.hpp"
#include "clocked_dram.hpp"

namespace axm::plain::clocked {

// A column command on its way.
struct Entry {
  std::uint64_t address = 0; // of the DRAM burst
  int bank = 0;              // with the rank above it
  std::uint32_t row = 0;
  std::size_t interface = 0, port = 0;
  TrafficClass traffic = TrafficClass::best_effort;
  Clk deadline = kNever;
  std::size_t serial = 0; // of the port's reads
};

class Controller {
public:
  Controller(const SystemConfig &c, Clk first_refresh);

  bool has_room(Dir d, TrafficClass t) const;
  // Of a store; of reads those not of high priority.
  int free_places(Dir d) const;
  // With write combining: a write to the same DRAM burst waits.
  bool combines(const Entry &e) const;
  void accept(Dir d, const Entry &e) { store_[d].push_back(e); }
  bool idle() const { return store_[kRead].empty() && store_[kWrite].empty(); }

  // One controller clock; the read that was served. `late_read_waits`: a video read that has
  // expired waits before the full read store.
  std::optional<Entry> clock(Clk now, bool late_read_waits);
  // What the bus did in it; kIdleNoRequest: there was nothing to do.
  BusClass did(Clk now) const;

  // Commands, and the controller clock of each.
  Trace trace;
  std::vector<Clk> clocks;

private:
  bool late(const Entry &e, Clk now) const { return e.deadline <= now; }
  bool any_late(Dir d, Clk now) const;
  bool starved(Dir d, Clk now) const;
  bool turns(Clk now, bool late_read_waits) const;
  bool held(int bank) const { return held_[static_cast<std::size_t>(dram_.rank(bank))]; }
  bool hits(const Entry &e) const { return dram_.open(e.bank, e.row); }
  int choose_column(Clk now) const;
  std::optional<Entry> column(Clk now);
  bool refresh(Clk now);
  void row(Clk now);
  void give(Clk now, Command c, const Entry &e);

  ControllerConfig config_;
  DdrcConfig own_;
  DramConfig dram_config_;
  Dram dram_;
  std::vector<Entry> store_[2]; // by age
  Dir mode_ = kRead, last_ = kRead;
  Clk served_[2] = {0, 0};       // when a store was served last, or empty
  Clk reads_waited_ = -1;        // the last clock in which a read waited, or the mode was another
  int run_ = 0;                  // commands since the last turn
  Clk command_free_ = 0;         // from when on the command bus takes another
  std::vector<Clk> refresh_due_; // of each rank
  std::vector<bool> held_;       // ranks whose refresh is due, in this clock
};

} // namespace axm::plain::clocked
