// The DRAM controller and the DRAM, clock by clock: at each clock it looks at
// everything it holds and issues at most one command. Every timing rule is a
// comparison with the latest command that it counts from.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agenda.hpp"
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
  };
  // What a clock brought: a part whose column commands begin, the last one at `last`.
  struct Served {
    Entry entry;
    Dir dir = kRead;
    Clk last = 0;
  };

  Controller(const SystemConfig &c, Clk first_refresh);

  bool has_room(Dir d, bool high, int columns) const {
    return waiting_[kind(d, high)].columns + columns <=
           (high ? config_.high_priority.entries : config_.entries[d]);
  }
  void accept(Dir d, const Entry &e, Clk requested, int cause, Clk now);
  std::optional<Served> clock(Clk now);

  // What a clock can change besides timers.
  struct Decided {
    std::size_t commands = 0;
    Dir mode = kRead;
    bool high_first = false;
    bool operator==(const Decided &) const = default;
  };
  Decided decided() const { return {trace_.size(), mode_, high_first_}; }
  // After a clock `now` that decided nothing: the first that can, if nothing is accepted before.
  Clk next_change(Clk now);

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
  static int kind(Dir d, bool high) { return high ? kHighReads : d; }
  bool waits(int kind) const { return waiting_[kind].parts > 0; }
  bool is_first(const Entry &e) const;
  bool any(bool first) const;
  bool first_wants(std::size_t bank) const;
  std::uint64_t banks_hit(bool first) const;
  bool may_activate(const Bank &b, Clk now) const;
  bool may_precharge(const Bank &b, Clk now) const;
  Clk direction_free(Dir d) const;
  void continue_run(Clk now);
  void refresh(Clk now);
  std::optional<Served> column(bool first, Clk now);
  void prepare(Clk now);
  bool activate(bool first, Clk now, const Entry *&to_close);
  void issue(Clk now, Command c, const Entry &e, int column = 0);
  void expect_limits(Command c, Clk now);

  DramTiming t_;
  Clk write_data_; // from a write command to the end of its data
  ControllerConfig config_;
  std::unique_ptr<Switching> switching_;

  Dir mode_ = kRead;
  bool high_first_ = false;     // of reads
  std::vector<Entry> store_[2]; // by age
  struct Waiting {
    int parts = 0, columns = 0;
  } waiting_[3]; // in the stores: reads, writes, reads of high priority
  std::vector<Bank> banks_;
  std::vector<Clk> activates_;
  Clk read_ = kLongAgo, written_ = kLongAgo, refreshed_ = kLongAgo;
  Clk refresh_due_;
  Agenda limits_; // the clocks at which a rule of time may begin to allow a command

  Entry running_; // the part whose column commands are being issued
  ColumnRun run_{kRead, kLongAgo, kLongAgo, kLongAgo};
  int issued_ = 0; // of its columns

  Trace trace_;
  std::vector<ColumnRun> runs_;
  std::vector<RefreshTime> refreshes_;
  std::vector<Arrival> arrivals_;
};

} // namespace axm::plain
