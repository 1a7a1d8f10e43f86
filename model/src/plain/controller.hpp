// The DRAM controller and the DRAM, clock by clock: at each clock it looks at
// everything it holds and issues at most one command. Every timing rule is a
// comparison with the latest command that it counts from.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "axiometer/model/accounting/trace.hpp"
#include "state.hpp"
#include "switching.hpp"

namespace axm::plain {

class Controller {
public:
  struct Entry {
    std::size_t stream = 0, part = 0;
    Location where{};
    int columns = 0;
    bool high = false; // a high-priority read
    bool hits = false; // in a store: its row is open
  };
  // What a clock brought: a part whose column commands begin, the last one at `last`.
  struct Served {
    Entry entry;
    Dir dir = kRead;
    Clk last = 0;
  };

  Controller(const SystemConfig &c, Clk first_refresh);

  bool has_room(Dir d, bool high, int columns) const {
    return waiting_[kind(d, high)].columns + columns <= entries_[kind(d, high)];
  }
  void accept(Dir d, const Entry &e, Clk requested, int cause, Clk now);
  std::optional<Served> clock(Clk now);

  // After the clock `now`: the first that can change anything, if nothing is accepted before.
  Clk next_change(Clk now) const;

  bool idle() const {
    return store_[0].empty() && store_[1].empty() && issued_ == running_.columns;
  }
  // What came after the last column command is not part of the run.
  void drop_the_tail();

  const Trace &trace() const { return trace_; }
  const std::vector<ColumnRun> &runs() const { return runs_; }
  const std::vector<RefreshTime> &refreshes() const { return refreshes_; }
  const std::vector<Arrival> &arrivals() const { return arrivals_; }

private:
  struct Bank {
    bool open = false;
    std::uint32_t row = 0;
    Clk activated = kLongAgo, precharged = kLongAgo, read = kLongAgo, written = kLongAgo;
  };

  bool hits(const Entry &e) const;
  void renew_hits();
  static int kind(Dir d, bool high) { return high ? kHighReads : d; }
  bool waits(int kind) const { return waiting_[kind].parts > 0; }
  bool is_first(const Entry &e) const;
  bool any(bool first) const;
  bool first_wants(std::size_t bank) const;
  std::uint64_t banks_hit(bool first) const;
  bool any_open() const;
  bool runs(const Bank &b) const;
  Clk activates_from() const;
  Clk opens_from(const Bank &b) const;
  Clk closes_from(const Bank &b) const;
  Clk refreshes_from() const;
  Clk direction_free(Dir d) const;
  Clk next_column() const { return run_.first + static_cast<Clk>(issued_) * t_.tCCD; }
  template <class Act> void picks(bool first, Act &&act) const;
  template <class Act> void prepares(bool first, Act &&act) const;
  void continue_run(Clk now);
  void refresh(Clk now);
  std::optional<Served> column(bool first, Clk now);
  void prepare(Clk now);
  bool activate(bool first, Clk now, const Entry *&to_close);
  void issue(Clk now, Command c, const Entry &e, int column = 0);

  DramTiming t_;
  Clk write_data_; // from a write command to the end of its data
  int entries_[3], pick_window_, prepare_window_;
  std::unique_ptr<Switching> switching_;

  Dir mode_ = kRead;
  bool chosen_ = false;         // in the latest clock: this mode
  bool high_first_ = false;     // of reads
  std::vector<Entry> store_[2]; // by age
  struct Waiting {
    int parts = 0, columns = 0;
  } waiting_[3]; // in the stores: reads, writes, reads of high priority
  std::vector<Bank> banks_;
  std::vector<Clk> activates_;
  Clk read_ = kLongAgo, written_ = kLongAgo, refreshed_ = kLongAgo;
  Clk refresh_due_;

  Entry running_; // the part whose column commands are being issued
  ColumnRun run_{kRead, kLongAgo, kLongAgo, kLongAgo};
  int issued_ = 0; // of its columns

  Trace trace_;
  std::vector<ColumnRun> runs_;
  std::vector<RefreshTime> refreshes_;
  std::vector<Arrival> arrivals_;
};

} // namespace axm::plain
