// A DRAM controller for one rank of DDR3: two stores, first-ready first-come
// within the direction that the switching policy chooses, all-bank refresh, open
// rows until another row of the bank is wanted. It jumps from command to command.
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

#include "axiometer/model/bus_books.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/part_queue.hpp"
#include "axiometer/model/stats.hpp"
#include "axiometer/model/trace.hpp"

namespace axm {

// The column commands of one part: first at `first`, last at `last`.
struct ColumnRun {
  Part part;
  Dir dir = kRead;
  Clk first = 0;
  Clk last = 0;
};

enum class Stop { limit, columns, refresh };

template <class Switching> class Controller {
public:
  Controller(const DramConfig &d, const ControllerConfig &c)
      : t_(d.timing), entries_{c.entries[0], c.entries[1]}, pick_window_(c.pick_window),
        prepare_window_(c.prepare_window), write_to_read_(t_.CWL + d.burst_clocks + t_.tWTR),
        write_to_precharge_(t_.CWL + d.burst_clocks + t_.tWR), switching_(c) {}

  void start(Clk first_refresh) { refresh_due_ = first_refresh; }
  void trace_to(Trace *trace) { trace_ = trace; }

  // Column commands for which the store has room.
  int room(Dir d) const { return entries_[d] - queue_[d].columns; }
  bool empty() const { return queue_[0].empty() && queue_[1].empty(); }
  Clk now() const { return now_; }
  BusBooks &books() { return books_; }
  const BusBooks &books() const { return books_; }

  void push(Dir d, const Part &p, Clk t) {
    if (queue_[d].empty()) {
      if (queue_[other(d)].empty())
        books_.filled(p, t);
      switching_.filled(d, t);
    }
    queue_[d].push(p, open_row_[p.bank] == static_cast<std::int64_t>(p.row));
    if (d == chosen_for_)
      chosen_.act = Act::none;
  }

  // Issues commands at clocks before `limit`, and returns after the first
  // part's column commands or refresh, or when `limit` is reached.
  Stop advance(Clk limit, ColumnRun &out);

  // The state just after the refresh at `t0`, when all banks are closed and every
  // timing constraint but tRFC is past. `queues(archive, queue, dir)` visits the stores.
  template <class Archive, class Queues> void visit(Archive &ar, Clk t0, Queues &&queues);

private:
  enum class Act { none, column, activate, precharge };
  struct Choice {
    Clk when = kNever;
    Act act = Act::none;
    int slot = 0;
  };

  Choice choose(Dir mode) const;
  bool refresh(Clk limit);
  void column(Dir mode, int slot, Clk when, ColumnRun &out);
  void settle(Clk t0);
  void record(Clk clk, Command c, int bank, std::uint32_t row, std::uint32_t col, int stream) {
    if (trace_)
      trace_->push_back(
          {clk, c, static_cast<std::uint8_t>(bank), static_cast<std::uint16_t>(stream), row, col});
  }
  // The first clock from `x` on at which the run of columns leaves the bus free.
  Clk command_slot(Clk x) const {
    return x <= run_last_ && x >= run_first_ && (x - run_first_) % t_.tCCD == 0 ? x + 1 : x;
  }

  DramTiming t_;
  int entries_[2];
  int pick_window_, prepare_window_;
  Clk write_to_read_, write_to_precharge_;
  Choice chosen_;
  Dir chosen_for_ = kRead;
  Switching switching_;
  Trace *trace_ = nullptr;

  PartQueue queue_[2];
  Clk now_ = 0; // no command at an earlier clock any more
  Clk refresh_due_ = 0;
  std::array<std::int64_t, PartQueue::kMaxBanks> open_row_ = [] {
    std::array<std::int64_t, PartQueue::kMaxBanks> a{};
    a.fill(-1);
    return a;
  }();
  std::array<Clk, PartQueue::kMaxBanks> activate_ok_{}, column_ok_{}, precharge_ok_{};
  std::uint32_t open_banks_ = 0;
  Clk activate_all_ok_ = 0;                               // tRRD
  Clk activated_ = -1000;                                 // the latest activate
  Clk precharged_ = 0;                                    // tRP after the latest precharge
  std::array<Clk, 4> recent_{-1000, -1000, -1000, -1000}; // activates, for tFAW
  int recent_next_ = 0;
  Clk dir_ok_[2] = {0, 0}; // first clock for a read, a write command
  Clk run_first_ = -1, run_last_ = -100;

  BusBooks books_;
};

template <class S> Stop Controller<S>::advance(Clk limit, ColumnRun &out) {
  while (now_ < limit) {
    if (now_ >= refresh_due_) {
      if (!refresh(limit))
        return Stop::limit;
      return Stop::refresh;
    }
    if (empty()) {
      now_ = std::min(limit, refresh_due_);
      continue;
    }
    const Clk free = run_last_ + t_.tCCD; // a new part may be chosen from here on
    Dir mode = switching_.mode();
    Clk bound = std::min(limit, refresh_due_);
    if (now_ >= free) {
      const bool waits[2] = {!queue_[0].empty(), !queue_[1].empty()};
      mode = switching_.decide(waits[0], waits[1], now_);
      if (waits[0] && waits[1])
        bound = std::min(bound, switching_.next_change(now_));
    } else {
      bound = std::min(bound, free);
    }
    // A choice stands until a command is issued or a part comes that it did not weigh.
    if (chosen_.act == Act::none || chosen_for_ != mode) {
      chosen_ = choose(mode);
      chosen_for_ = mode;
    }
    if (chosen_.when >= bound) {
      now_ = bound;
      continue;
    }
    const Choice c = chosen_;
    chosen_.act = Act::none;
    const Part &p = queue_[mode][c.slot];
    switch (c.act) {
    case Act::column:
      column(mode, c.slot, c.when, out);
      return Stop::columns;
    case Act::activate:
      record(c.when, Command::activate, p.bank, p.row, 0, p.stream);
      books_.count(kActivates);
      open_row_[p.bank] = p.row;
      open_banks_ |= 1U << p.bank;
      column_ok_[p.bank] = c.when + t_.tRCD;
      precharge_ok_[p.bank] = c.when + t_.tRAS;
      activate_ok_[p.bank] = c.when + t_.tRC;
      activate_all_ok_ = c.when + t_.tRRD;
      activated_ = c.when;
      recent_[recent_next_] = c.when;
      recent_next_ = (recent_next_ + 1) & 3;
      queue_[0].row_opened(p.bank, p.row);
      queue_[1].row_opened(p.bank, p.row);
      break;
    case Act::precharge:
      record(c.when, Command::precharge, p.bank, 0, 0, p.stream);
      books_.count(kPrecharges);
      queue_[0].row_closed(p.bank);
      queue_[1].row_closed(p.bank);
      open_row_[p.bank] = -1;
      open_banks_ &= ~(1U << p.bank);
      precharged_ = c.when + t_.tRP;
      activate_ok_[p.bank] = std::max(activate_ok_[p.bank], precharged_);
      break;
    case Act::none:
      break;
    }
    now_ = c.when + 1;
  }
  return Stop::limit;
}

template <class S> typename Controller<S>::Choice Controller<S>::choose(Dir mode) const {
  const PartQueue &q = queue_[mode];
  const std::uint64_t hits = pick_window_ < 64 ? q.hits & q.window(pick_window_) : q.hits;
  Choice best;
  const Clk from = std::max(now_, dir_ok_[mode]);
  for (std::uint64_t h = hits; h != 0;) {
    const int slot = std::countr_zero(h);
    const int bank = q[slot].bank;
    const Clk when = std::max(from, column_ok_[bank]);
    if (when < best.when)
      best = {when, Act::column, slot};
    if (when == from)
      break;
    h &= ~q.of_bank(bank);
  }
  // Banks that this direction needs otherwise: closed, or open with another row.
  std::uint32_t closed = q.banks & ~open_banks_;
  std::uint32_t other_row = q.banks & open_banks_ & ~q.hit_banks;
  std::uint64_t window = q.valid;
  if (pick_window_ < 64 || prepare_window_ < 64) {
    window = q.window(prepare_window_);
    other_row = q.banks & open_banks_;
  }
  const auto consider = [&](int bank, Clk when, Act act) {
    const std::uint64_t mine = q.of_bank(bank) & window;
    if (mine == 0)
      return;
    const int slot = std::countr_zero(mine);
    when = command_slot(when);
    // At the same clock: a column first, then activates before precharges, then age.
    const bool better =
        when < best.when || (when == best.when && best.act != Act::column &&
                             (act < best.act || (act == best.act && slot < best.slot)));
    if (better)
      best = {when, act, slot};
  };
  const Clk any = std::max(std::max(now_, activate_all_ok_), recent_[recent_next_] + t_.tFAW);
  if (any < best.when)
    for (std::uint32_t m = closed; m != 0; m &= m - 1) {
      const int bank = std::countr_zero(m);
      consider(bank, std::max(any, activate_ok_[bank]), Act::activate);
    }
  if (now_ < best.when)
    for (std::uint32_t m = other_row; m != 0; m &= m - 1) {
      const int bank = std::countr_zero(m);
      if ((hits & q.of_bank(bank)) != 0)
        continue; // these are served first
      const std::uint64_t mine = q.of_bank(bank) & window;
      if ((mine & q.hits & (~mine + 1)) != 0)
        continue; // the oldest waits for its turn
      consider(bank, std::max(now_, precharge_ok_[bank]), Act::precharge);
    }
  return best;
}

// All banks precharged, tRP later the refresh; the run in progress ends first.
template <class S> bool Controller<S>::refresh(Clk limit) {
  if (open_banks_ != 0) {
    Clk at = std::max(now_, run_last_ + 1);
    for (std::uint32_t m = open_banks_; m != 0; m &= m - 1)
      at = std::max(at, precharge_ok_[std::countr_zero(m)]);
    if (at >= limit) {
      now_ = limit;
      return false;
    }
    record(at, Command::precharge_all, 0, 0, 0, 0);
    chosen_ = {};
    open_row_.fill(-1);
    open_banks_ = 0;
    queue_[0].all_rows_closed();
    queue_[1].all_rows_closed();
    precharged_ = at + t_.tRP;
    now_ = at + 1;
  }
  const Clk ref = std::max({now_, precharged_, activated_ + t_.tRC});
  if (ref >= limit) {
    now_ = limit;
    return false;
  }
  record(ref, Command::refresh, 0, 0, 0, 0);
  chosen_ = {};
  books_.count(kRefreshes);
  activate_ok_.fill(ref + t_.tRFC);
  // The bus is the refresh's from the clock at which it was due.
  books_.refresh(refresh_due_, ref + t_.tRFC, empty());
  refresh_due_ += t_.tREFI;
  now_ = ref + 1;
  return true;
}

template <class S> void Controller<S>::column(Dir mode, int slot, Clk when, ColumnRun &out) {
  PartQueue &q = queue_[mode];
  out.part = q[slot];
  out.dir = mode;
  out.first = when;
  out.last = when + static_cast<Clk>(out.part.columns - 1) * t_.tCCD;
  if (trace_)
    for (int i = 0; i < out.part.columns; ++i)
      record(when + static_cast<Clk>(i) * t_.tCCD, mode == kRead ? Command::read : Command::write,
             out.part.bank, out.part.row, out.part.column + static_cast<std::uint32_t>(i),
             out.part.stream);
  q.remove(slot);
  books_.columns(mode, when, out.last + t_.tCCD, dir_ok_[mode]);
  books_.count(mode == kRead ? kReads : kWrites, out.part.columns);
  run_first_ = when;
  run_last_ = out.last;
  const int bank = out.part.bank;
  if (mode == kRead) {
    dir_ok_[kRead] = out.last + t_.tCCD;
    dir_ok_[kWrite] = std::max(dir_ok_[kWrite], out.last + t_.read_to_write);
    precharge_ok_[bank] = std::max(precharge_ok_[bank], out.last + t_.tRTP);
  } else {
    dir_ok_[kWrite] = out.last + t_.tCCD;
    dir_ok_[kRead] = std::max(dir_ok_[kRead], out.last + write_to_read_);
    precharge_ok_[bank] = std::max(precharge_ok_[bank], out.last + write_to_precharge_);
  }
  switching_.served(mode, out.part.columns, q.empty(), when, out.last + t_.tCCD);
  now_ = when + 1;
}

template <class S>
template <class Archive, class Queues>
void Controller<S>::visit(Archive &ar, Clk t0, Queues &&queues) {
  if (Archive::kReads)
    settle(t0);
  queues(ar, queue_[0], kRead);
  queues(ar, queue_[1], kWrite);
  switching_.visit(ar, !queue_[0].empty(), !queue_[1].empty());
  ar.clk(refresh_due_);
  books_.visit(ar, t0, t0 + t_.tRFC);
}

template <class S> void Controller<S>::settle(Clk t0) {
  queue_[0].clear();
  queue_[1].clear();
  chosen_ = {};
  now_ = t0 + 1;
  open_row_.fill(-1);
  open_banks_ = 0;
  activate_ok_.fill(t0 + t_.tRFC);
  column_ok_.fill(0);
  precharge_ok_.fill(0);
  activate_all_ok_ = precharged_ = dir_ok_[0] = dir_ok_[1] = 0;
  recent_.fill(t0 - t_.tFAW);
  activated_ = t0 - t_.tRC;
  run_first_ = -1;
  run_last_ = -t_.tCCD - 1;
}

} // namespace axm
