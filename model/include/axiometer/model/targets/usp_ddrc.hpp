// The scheduler of the UltraScale+ DDR controller: a read and a write store, of which one
// is served at a time, oldest row hit first. UG1085 (chapter 17) and the register pages of
// UG1087 (SCHED, PERFLPR1, PERFWR1, PERFVPR1, PCFGQOS) give classes, time-outs, starvation
// and run length; where they are silent, this model assumes:
//   - an expired video read goes before all others of the row that is open, and is the first for
//     which another row is opened; hits of the open row are served before the row is closed, so
//     that the published rates of three ports, which do not depend on the mapping of addresses to
//     banks, do not here;
//   - an expired read turns the bus to reads as soon as `least_run` writes are served, and
//     keeps it from turning to writes;
//   - a starved or expired write turns the bus only while no read is expired, or, with
//     `starved_writes_turn`, a starved one also then, unless an expired read waits at the ports
//     without a place in the store (UG1085: the ports' arbiter signals this to the controller);
//   - a command that takes the command bus for longer than a DRAM clock (LPDDR4's) keeps it from
//     others for whole controller clocks;
//   - otherwise a store keeps the bus for `run_length` commands or until it is empty.
#pragma once

#include <algorithm>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/dram/clocked_dram.hpp"
#include "axiometer/model/targets/command_store.hpp"
#include "axiometer/model/targets/usp_ddrc_keys.hpp"

namespace axm::clocked {

class Ddrc {
public:
  Ddrc(const SystemConfig &c, Clk first_refresh);

  // Whether the store has a place for a command of this class.
  bool room(Dir d, TrafficClass t) const {
    if (d == kWrite)
      return store_[kWrite].size() < entries_[kWrite];
    const int high = store_[kRead].size(TrafficClass::low_latency);
    return t == TrafficClass::low_latency ? high < high_entries_
                                          : store_[kRead].size() - high < entries_[kRead];
  }
  // Whether the QoS controller holds back the ports that it throttles (UG1085, table 17-7).
  bool throttles(Dir d) const {
    const int used = d == kWrite
                         ? store_[kWrite].size()
                         : store_[kRead].size() - store_[kRead].size(TrafficClass::low_latency);
    return entries_[d] - used <= throttle_[d];
  }
  void push(Dir d, const Entry &e) {
    const bool hit = dram_.is_open(e.bank, e.row);
    store_[d].push(e, hit);
    (hit ? column_from_ : row_from_) = 0;
    ++changes_;
  }
  // Whether a write to this DRAM burst waits, and another may be combined with it.
  bool combines(std::uint64_t column, int bank) const {
    return combine_ && store_[kWrite].holds(column, bank);
  }
  // Changes with each entry of a store that comes or goes, and with it `room`, `throttles`,
  // `combines`.
  std::uint64_t changes() const { return changes_; }
  bool starved_turn() const { return starved_turn_; }
  // Whether a video read that has expired waits for a place in the read store.
  void late_read_waits(bool waits) { late_read_waits_ = waits; }
  // If no command comes, it does nothing from `now` on before that clock, and the bus is idle.
  Clk sleeps_until(Clk now) const {
    if (!empty() || dram_.busy_until() > now || refreshed_until_ > now)
      return now;
    return *std::min_element(refresh_due_, refresh_due_ + dram_.ranks());
  }
  bool empty() const { return store_[kRead].empty() && store_[kWrite].empty(); }

  // One controller clock. `served(dir, entry)` is called for a column command.
  template <class Served> void step(Clk now, Served &&served) {
    prepare_step(now);
    if (command_free_ <= now && column(now))
      served(mode_, issued_);
    if (command_free_ <= now)
      row(now);
  }

  // What the bus did in the clock that was stepped.
  BusClass bus_class(Clk now) const;
  std::array<std::int64_t, kDramCounts> counts{};
  Trace *trace = nullptr;

private:
  Ddrc(const SystemConfig &c, const DdrcConfig &keys, Clk first_refresh);
  void prepare_step(Clk now);
  void turn(Clk now);
  void hold(Clk now);
  bool column(Clk now);
  void row(Clk now);
  bool refresh_row(Clk now);
  void gave(Clk now) { command_free_ = now + command_; }
  void gave_row(Clk now) {
    gave(now);
    look();
  }
  // What may be served has changed: both choices have to be made anew.
  void look() { column_from_ = row_from_ = 0; }
  void record(Clk clk, Command c, int bank, std::uint32_t row, std::uint64_t column, int stream);

  Dram dram_;
  CommandStore store_[2];
  int clocks_, entries_[2], throttle_[2], high_entries_, idle_gap_, run_length_, least_run_;
  Clk starve_, command_;
  bool combine_, starved_turn_, late_read_waits_ = false;
  int column_shift_, row_mask_;
  Dir mode_ = kRead, last_dir_ = kRead;
  Clk served_at_[2] = {0, 0};             // or last empty
  Clk reads_since_ = 0;                   // since when the read store is empty
  int run_ = 0;                           // commands since the bus was turned
  Clk refresh_due_[4], refresh_next_ = 0; // of each rank; when a rank is due that is not yet held
  std::uint64_t held_ = 0;                // banks that wait for a refresh
  Clk refreshed_until_ = 0;
  Clk command_free_ = 0; // the command bus
  std::uint64_t changes_ = 0;
  // Before these clocks no command of the kind is allowed, if nothing changes.
  Clk column_from_ = 0, row_from_ = 0;
  Entry issued_;
};

} // namespace axm::clocked
