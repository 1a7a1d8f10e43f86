// The members of Controller that issue commands; see controller.hpp, which includes this.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "axiometer/model/targets/controller.hpp"

namespace axm {

// Opens or closes the bank for a part.
template <class S> void Controller<S>::prepare(const PartQueue &q, Choice c) {
  const Part &p = q[c.slot()];
  Bank &bank = bank_[p.bank];
  if (c.act() == kActivate) {
    record(c.when, Command::activate, p.bank, p.row, 0, p.stream);
    books_.count(kActivates);
    bank = {{c.when + t_.tRC, c.when + t_.tRAS}, c.when + t_.tRCD, q.row(c.slot())};
    open_banks_ |= 1U << p.bank;
    activated_ = c.when;
    recent_[recent_next_] = c.when;
    recent_next_ = (recent_next_ + 1) & 3;
    all_ok_[0] = std::max(c.when + t_.tRRD, recent_[recent_next_] + t_.tFAW);
    queue_[0].row_opened(p.bank, bank.open);
    queue_[1].row_opened(p.bank, bank.open);
  } else {
    record(c.when, Command::precharge, p.bank, 0, 0, p.stream);
    books_.count(kPrecharges);
    close(p.bank);
    open_banks_ &= ~(1U << p.bank);
    precharged_ = c.when + t_.tRP;
    bank.prepare_ok[0] = std::max(bank.prepare_ok[0], precharged_);
  }
  now_ = c.when + 1;
}

// No row of the bank is open any more.
template <class S> void Controller<S>::close(int bank) {
  const int row = std::exchange(bank_[bank].open, RowNumbers::kNone);
  queue_[0].row_closed(bank, row);
  queue_[1].row_closed(bank, row);
}

// All banks precharged, tRP later the refresh; the run in progress ends first.
template <class S> bool Controller<S>::refresh(Clk limit) {
  if (open_banks_ != 0) {
    Clk at = std::max(now_, run_end_ - t_.tCCD + 1);
    for (std::uint32_t m = open_banks_; m != 0; m &= m - 1)
      at = std::max(at, bank_[std::countr_zero(m)].prepare_ok[1]);
    if (at >= limit) {
      now_ = limit;
      return false;
    }
    record(at, Command::precharge_all, 0, 0, 0, 0);
    for (std::uint32_t m = std::exchange(open_banks_, 0); m != 0; m &= m - 1)
      close(std::countr_zero(m));
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
  standing_ = false;
  books_.count(kRefreshes);
  for (Bank &b : bank_)
    b.prepare_ok[0] = ref + t_.tRFC;
  // The bus is the refresh's from the clock at which it was due.
  books_.refresh(refresh_due_, ref + t_.tRFC, empty());
  refresh_due_ += t_.tREFI;
  now_ = ref + 1;
  return true;
}

template <class S>
template <Dir mode>
[[gnu::always_inline]] inline void Controller<S>::column(int slot, Clk when, ColumnRun &out) {
  PartQueue &q = queue_[mode];
  const Part &part = q[slot];
  Bank &bank = bank_[part.bank];
  const int columns = part.columns, from = store(mode, part.high);
  const Clk length = static_cast<Clk>(columns - 1) * t_.tCCD;
  const Clk last = when + length, end = last + t_.tCCD;
  out = {&part, mode, when, last};
  if (trace_) [[unlikely]]
    for (int i = 0; i < columns; ++i)
      record(when + static_cast<Clk>(i) * t_.tCCD, mode == kRead ? Command::read : Command::write,
             part.bank, part.row, part.column + static_cast<std::uint32_t>(i), part.stream);
  q.remove(slot);
  room_[from] += columns;
  books_.columns(mode, when, end, dir_ok_[mode]);
  books_.count(mode == kRead ? kReads : kWrites, columns);
  run_first_ = when;
  run_length_ = static_cast<std::uint64_t>(length);
  run_end_ = end;
  dir_ok_[mode] = end;
  dir_ok_[other(mode)] = std::max(dir_ok_[other(mode)], last + turn_[mode]);
  bank.prepare_ok[1] = std::max(bank.prepare_ok[1], last + to_precharge_[mode]);
  const bool empty = !waits(from);
  if (switching_.served(from, columns, empty, when, end) || empty || ranks_)
    decide_at_ = 0;
  now_ = when + 1;
}

} // namespace axm
