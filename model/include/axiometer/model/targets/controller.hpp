// A DRAM controller for one rank of DDR3: two stores, first-ready first-come
// within the direction that the switching policy chooses, all-bank refresh, open
// rows until another row of the bank is needed. It jumps from command to command.
//
// At each clock, at most one command, in this order: a column command to an open
// row (the oldest that is ready), an activate, a precharge (each for the oldest
// entry that needs it, and no precharge while the direction has entries for the
// open row). A part's column commands follow one another at tCCD and are not
// interrupted; directions and refresh are decided between parts.
//
// Limits: one rank, one command a clock, burst length fixed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "axiometer/model/accounting/bus_books.hpp"
#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/targets/part_queue.hpp"

namespace axm {

// The column commands of one part: first at `first`, last at `last`.
struct ColumnRun {
  const Part *part = nullptr; // until the next `push`
  Dir dir = kRead;
  Clk first = 0;
  Clk last = 0;
};

enum class Stop { limit, columns, refresh };

// Keys of some controllers with these stores; others serve all that wait.
struct Windows {
  int pick = 64, prepare = 64;
};

inline void visit(const KeyVisitor &v, Windows &w) {
  v("pick_window", w.pick, optional({1, kMostCount, "commands"}),
    "oldest commands of a store that may be served out of order; 64: all, 1: strictly in order");
  v("prepare_window", w.prepare, optional({1, kMostCount, "commands"}),
    "oldest commands for which a bank is opened ahead");
}

template <class Switching> class Controller {
public:
  Controller(const DramConfig &d, const ControllerConfig &c)
      : t_(d.timing), entries_{c.entries[0], c.entries[1], c.number("high_entries", 0)},
        room_{entries_[0], entries_[1], entries_[2]}, ranks_(entries_[2] > 0),
        pick_window_(c.number("pick_window", 64)), prepare_window_(c.number("prepare_window", 64)),
        turn_{t_.read_to_write, t_.CWL + d.burst_clocks + t_.tWTR},
        to_precharge_{t_.tRTP, t_.CWL + d.burst_clocks + t_.tWR},
        windowed_(pick_window_ < PartQueue::kSlots || prepare_window_ < PartQueue::kSlots),
        chooses_of_all_(!windowed_ && !ranks_), weighs_(chooses_of_all_ && t_.tCCD > 1),
        switching_(c.keys<typename Switching::Keys>()) {
    for (int i = 0; i < 64; i += t_.tCCD)
      every_tCCD_ |= 1ULL << i;
    bank_.back().column_ok = kNever;
  }

  void start(Clk first_refresh) { refresh_due_ = first_refresh; }
  void trace_to(Trace *trace) { trace_ = trace; }

  // Column commands for which the store has room.
  int room(Dir d, bool high) const { return room_[store(d, high)]; }
  bool empty() const { return queue_[0].empty() && queue_[1].empty(); }
  Clk now() const { return now_; }
  BusBooks &books() { return books_; }
  const BusBooks &books() const { return books_; }

  void push(Dir d, const Part &p, Clk t) {
    PartQueue &q = queue_[d];
    const int in = store(d, p.high);
    if (room_[in] == entries_[in]) [[unlikely]] {
      if (empty())
        books_.filled(p, t);
      switching_.filled(in, t);
      decide_at_ = 0;
      standing_ = false;
    }
    room_[in] -= p.columns;
    const bool moves = q.full();
    const int row = number(p);
    const bool hit = bank_[p.bank].open == row;
    const int slot = q.push(p, row, hit);
    if (d == chosen_for_ && !chosen_.none()) {
      if (moves || !weighs_)
        chosen_ = {};
      else
        weigh(q, p.bank, slot, hit);
      standing_ &= !chosen_.none();
    }
  }

  // Issues commands at clocks before `limit`, and returns after the first
  // part's column commands or refresh, or when `limit` is reached.
  Stop advance(Clk limit, ColumnRun &out);

  // The state just after the refresh at `t0`, when all banks are closed and every
  // timing constraint but tRFC is past. `stores(archive, queue, dir, push)` visits those of a
  // direction; `push(part)` puts a part there.
  template <class Archive, class Stores> void visit(Archive &ar, Clk t0, Stores &&stores);

private:
  // In the order in which they are served at the same clock.
  enum Act { kColumn, kActivate, kPrecharge };
  // A command for the part in a slot. Of two, that is served which is possible earlier, or by what
  // it is, or that for the older part.
  struct Choice {
    Clk when = kNever; // from here on: there is none
    int what = 0;      // an Act and, in the lower six bits, the slot
    Choice() = default;
    Choice(Clk clk, int act, int slot) : when(clk), what(act << 6 | slot) {}
    int act() const { return what >> 6; }
    int slot() const { return what & 63; }
    bool none() const { return when >= kNever; }
    // Without a branch: which comes first cannot be predicted.
    [[gnu::always_inline]] void or_sooner(Choice o) {
      const bool sooner = (o.when < when) | ((o.when == when) & (o.what < what));
      when = sooner ? o.when : when;
      what = sooner ? o.what : what;
    }
  };

  static int store(Dir d, bool high) { return high ? kHighReads : d; }
  int number(const Part &p) {
    return rows_.of(p.bank, p.row, p.stream, [this](int bank, int row) {
      return (queue_[0].of_row(row) | queue_[1].of_row(row)) == 0 && bank_[bank].open != row;
    });
  }
  // Whether there is something in a store.
  bool waits(int store) const { return room_[store] != entries_[store]; }
  void reconsider();
  Clk decide();
  void choose_of_all(const PartQueue &q);
  void choose_of_some(const PartQueue &q);
  void choose_by_rank(const PartQueue &q);
  Choice choose_among(const PartQueue &q, std::uint64_t hits, std::uint64_t window) const;
  Choice first_column(const PartQueue &q, std::uint64_t hits, Clk from) const;
  Choice preparation(int bank, int slot) const;
  void prepare(const PartQueue &q, Choice c);
  void weigh(const PartQueue &q, int bank, int slot, bool hit);
  bool refresh(Clk limit);
  template <Dir mode> void column(int slot, Clk when, ColumnRun &out);
  void settle(Clk t0);
  void record(Clk clk, Command c, int bank, std::uint32_t row, std::uint32_t col, int stream) {
    if (trace_) [[unlikely]]
      trace_->push_back(
          {clk, c, static_cast<std::uint8_t>(bank), static_cast<std::uint16_t>(stream), row, col});
  }
  // The first clock from `x` on at which the run of columns leaves the bus free.
  Clk command_slot(Clk x) const {
    const auto into = static_cast<std::uint64_t>(x - run_first_);
    if (into < 64) [[likely]]
      return x + static_cast<Clk>(every_tCCD_ >> into & (into <= run_length_));
    return into <= run_length_ && into % static_cast<std::uint64_t>(t_.tCCD) == 0 ? x + 1 : x;
  }
  void close(int bank);

  DramTiming t_;
  int entries_[3];
  int room_[3]; // of these, column commands that may still come
  bool ranks_;  // some reads are of high priority
  int pick_window_, prepare_window_;
  // From the last column command of a direction to the first of the other, to a precharge.
  Clk turn_[2], to_precharge_[2];
  bool windowed_;       // entries may be too young to be chosen
  bool chooses_of_all_; // all entries may be chosen, of one rank
  bool weighs_;         // a choice can be corrected for a part that has come after it
  Choice chosen_;
  Dir chosen_for_ = kRead;
  Switching switching_;
  Clk decide_at_ = 0;     // until then the switching policy stays with its mode
  bool standing_ = false; // `chosen_` is what to do next,
  Clk until_ = 0;         // and would be up to here if no part came
  Trace *trace_ = nullptr;

  PartQueue queue_[2];
  Clk now_ = 0; // no command at an earlier clock any more
  Clk refresh_due_ = 0;
  RowNumbers rows_;
  struct Bank {
    Clk prepare_ok[2] = {0, 0}; // closed: an activate; open: a precharge
    Clk column_ok = 0;
    int open = RowNumbers::kNone;
  };
  std::array<Bank, PartQueue::kMaxBanks + 1> bank_{}; // the last is no bank
  std::uint32_t open_banks_ = 0;
  Clk all_ok_[2] = {0, 0}; // activates, by tRRD and tFAW; precharges, which have no such limit
  Clk activated_ = -1000;  // the latest activate
  Clk precharged_ = 0;     // tRP after the latest precharge
  std::array<Clk, 4> recent_{-1000, -1000, -1000, -1000}; // activates, for tFAW
  int recent_next_ = 0;
  Clk dir_ok_[2] = {0, 0};              // first clock for a read, a write command
  Clk run_first_ = -1, run_end_ = -100; // the latest column commands, and when others may come
  std::uint64_t run_length_ = 0;        // clocks from the first of them to the last
  std::uint64_t every_tCCD_ = 0;        // bits 0, tCCD, 2 tCCD, ...

  BusBooks books_;
};

template <class S>
[[gnu::always_inline]] inline Stop Controller<S>::advance(Clk limit, ColumnRun &out) {
  for (bool stands = standing_; now_ < limit; stands = false) {
    if (!stands)
      reconsider();
    if ((chosen_.when < limit) & (chosen_.when < until_)) { // one branch: hard to predict
      const Choice c = std::exchange(chosen_, {});
      standing_ = false;
      if (c.act() == kColumn) {
        chosen_for_ == kRead ? column<kRead>(c.slot(), c.when, out)
                             : column<kWrite>(c.slot(), c.when, out);
        return Stop::columns;
      }
      prepare(queue_[chosen_for_], c);
    } else if (limit <= until_) {
      now_ = limit;
    } else {
      standing_ = false;
      now_ = std::max(now_, until_);
      if (now_ >= refresh_due_)
        return refresh(limit) ? Stop::refresh : Stop::limit;
    }
  }
  return Stop::limit;
}

template <class S>
template <class Archive, class Stores>
void Controller<S>::visit(Archive &ar, Clk t0, Stores &&stores) {
  if (Archive::kReads)
    settle(t0);
  for (const Dir d : {kRead, kWrite})
    stores(ar, queue_[d], d, [&](const Part &p) {
      room_[store(d, p.high)] -= p.columns;
      queue_[d].push(p, number(p), false);
    });
  switching_.visit(ar, waits(kRead), waits(kWrite), waits(kHighReads));
  ar.clk(refresh_due_);
  books_.visit(ar, t0, t0 + t_.tRFC);
}

template <class S> void Controller<S>::settle(Clk t0) {
  queue_[0].clear();
  queue_[1].clear();
  rows_.clear();
  std::copy(std::begin(entries_), std::end(entries_), std::begin(room_));
  chosen_ = {};
  standing_ = false;
  decide_at_ = 0;
  now_ = t0 + 1;
  bank_.fill({.prepare_ok = {t0 + t_.tRFC, 0}});
  bank_.back().column_ok = kNever;
  open_banks_ = 0;
  all_ok_[0] = precharged_ = dir_ok_[0] = dir_ok_[1] = 0;
  recent_.fill(t0 - t_.tFAW);
  activated_ = t0 - t_.tRC;
  run_first_ = -1;
  run_end_ = -1;
  run_length_ = 0;
}

} // namespace axm

#include "axiometer/model/targets/controller_choice.hpp"
#include "axiometer/model/targets/controller_commands.hpp"
