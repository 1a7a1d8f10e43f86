#include "axiometer/model/targets/usp_ddrc.hpp"

#include <bit>

#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/machine/clocked_open.hpp"
#include "axiometer/model/machine/clocked_system.hpp"
#include "axiometer/model/machine/convolution_system.hpp"
#include "axiometer/model/need.hpp"

namespace axm::clocked {

Ddrc::Ddrc(const SystemConfig &c, Clk first_refresh)
    : Ddrc(c, c.controller.keys<DdrcConfig>(), first_refresh) {}

Ddrc::Ddrc(const SystemConfig &c, const DdrcConfig &keys, Clk first_refresh)
    : dram_(c), clocks_(c.controller.dram_clocks),
      entries_{c.controller.entries[0], c.controller.entries[1]},
      throttle_{keys.throttle_entries[0], keys.throttle_entries[1]},
      high_entries_(keys.low_latency_entries),
      idle_gap_(keys.idle_gap_clocks + keys.read_tail_clocks), run_length_(keys.run_length),
      least_run_(keys.least_run), starve_(keys.starve_clocks),
      command_(c.dram.command_clocks > 1 ? ceil_div(c.dram.command_clocks, clocks_) : 0),
      combine_(keys.write_combining), starved_turn_(keys.starved_writes_turn),
      column_shift_(std::countr_zero(static_cast<unsigned>(c.dram.column_bytes))),
      row_mask_(c.dram.row_bytes / c.dram.column_bytes - 1) {
  // Ranks are refreshed in turn, evenly spread over tREFI.
  for (int r = 0; r < dram_.ranks(); ++r)
    refresh_due_[r] = first_refresh / clocks_ + r * dram_.tREFI / dram_.ranks();
}

void Ddrc::record(Clk clk, Command c, int bank, std::uint32_t row, std::uint64_t column,
                  int stream) {
  trace->push_back({clk, c, static_cast<std::uint8_t>(bank), static_cast<std::uint16_t>(stream),
                    row, static_cast<std::uint32_t>(column >> column_shift_) & row_mask_});
}

void Ddrc::prepare_step(Clk now) {
  store_[kRead].expire(now);
  store_[kWrite].expire(now);
  turn(now);
  if (now >= refresh_next_)
    hold(now);
}

// Which ranks wait for a refresh.
void Ddrc::hold(Clk now) {
  held_ = 0;
  refresh_next_ = kNever;
  for (int r = 0; r < dram_.ranks(); ++r)
    if (now >= refresh_due_[r])
      held_ |= dram_.of_rank(r);
    else
      refresh_next_ = std::min(refresh_next_, refresh_due_[r]);
  look();
}

// Which store is served.
void Ddrc::turn(Clk now) {
  for (const Dir d : {kRead, kWrite})
    if (store_[d].empty())
      served_at_[d] = now;
  const bool waits[2] = {!store_[kRead].empty(), !store_[kWrite].empty()};
  const auto expired = [&](Dir d) { return static_cast<bool>(store_[d].expired()); };
  const auto starved = [&](Dir d) { return waits[d] && now - served_at_[d] >= starve_; };
  const auto urgent = [&](Dir d) { return starved(d) || (waits[d] && expired(d)); };
  const auto reads_stay = [&] {
    return expired(kRead) && !(starved_turn_ && starved(kWrite) && !late_read_waits_);
  };
  bool turns = false;
  if (mode_ == kRead) {
    if (waits[kRead])
      reads_since_ = now + 1;
    if (waits[kWrite])
      turns = waits[kRead] ? run_ >= run_length_ && urgent(kWrite) && !reads_stay()
                           : now - reads_since_ >= idle_gap_;
  } else {
    reads_since_ = now + 1;
    if (waits[kRead])
      turns = !waits[kWrite] || (run_ >= least_run_ && expired(kRead)) ||
              (run_ >= run_length_ && urgent(kRead));
  }
  if (turns) {
    mode_ = other(mode_);
    run_ = 0;
    look();
  }
}

// The next column command: of the expired the oldest, then of high priority, then of all.
bool Ddrc::column(Clk now) {
  if (now < column_from_)
    return false;
  CommandStore &q = store_[mode_];
  column_from_ = kNever;
  if (dram_.turned(mode_) > now) {
    column_from_ = dram_.turned(mode_);
    return false;
  }
  const Slots hits = q.hits();
  const auto first_ready = [&](Slots of, bool high_only) {
    std::uint64_t seen = held_;
    for (Slots m = of; m; m.drop_first()) {
      const int slot = m.first(), bank = q[slot].bank;
      if ((seen >> bank & 1) != 0 || (high_only && q[slot].traffic != TrafficClass::low_latency))
        continue;
      seen |= 1ULL << bank;
      const Clk ok = dram_.column_ok(mode_, bank);
      if (ok <= now)
        return slot;
      column_from_ = std::min(column_from_, ok);
      if (!high_only)
        m = m.without(q.of_bank(bank)) | Slots::one(slot); // the loop drops it
    }
    return -1;
  };
  int slot = -1;
  if (mode_ == kRead) {
    slot = first_ready(hits & q.expired(), false);
    if (slot < 0 && q.size(TrafficClass::low_latency) > 0)
      slot = first_ready(hits, true);
  }
  if (slot < 0)
    slot = first_ready(hits, false);
  if (slot < 0)
    return false;
  issued_ = q[slot];
  q.remove(slot);
  ++changes_;
  dram_.column(mode_, issued_.bank, now);
  gave(now);
  column_from_ = 0;
  if (!(q.hits() & q.of_bank(issued_.bank)))
    row_from_ = 0; // the bank may be closed
  served_at_[mode_] = now;
  last_dir_ = mode_;
  ++run_;
  ++counts[mode_ == kRead ? kReads : kWrites];
  if (trace)
    record(now * clocks_, mode_ == kRead ? Command::read : Command::write, issued_.bank,
           issued_.row, issued_.column, issued_.stream);
  return true;
}

// Closes and refreshes ranks that are due. True if the row command of this clock is used.
bool Ddrc::refresh_row(Clk now) {
  for (int r = 0; r < dram_.ranks(); ++r) {
    if (now < refresh_due_[r])
      continue;
    const std::uint64_t mine = dram_.of_rank(r), open = dram_.open() & mine;
    const int first = std::countr_zero(mine);
    if (open != 0) {
      if (dram_.all_precharge_ok(r) > now)
        continue;
      for (std::uint64_t m = mine; m != 0; m &= m - 1) {
        const int bank = std::countr_zero(m);
        dram_.precharge(bank, now);
        store_[0].row_closed(bank);
        store_[1].row_closed(bank);
        if (bank == first + std::popcount(mine) - 1)
          break;
      }
      gave_row(now);
      counts[kPrecharges] += 1;
      if (trace)
        record(now * clocks_ + 1, Command::precharge_all, first, 0, 0, 0);
      return true;
    }
    if (dram_.refresh_ok(r) > now)
      continue;
    dram_.refresh(r, now);
    gave_row(now);
    refresh_due_[r] += dram_.tREFI;
    refresh_next_ = 0; // the next clock sees who waits
    refreshed_until_ = now + dram_.tRFC;
    ++counts[kRefreshes];
    if (trace)
      record(now * clocks_ + 1, Command::refresh, first, 0, 0, 0);
    return true;
  }
  return false;
}

// Opens a bank for the oldest that needs it, or closes one that holds another row.
void Ddrc::row(Clk now) {
  if (held_ != 0 && refresh_row(now))
    return;
  if (now < row_from_)
    return;
  row_from_ = kNever;
  const CommandStore &q = store_[mode_];
  if (q.empty())
    return;
  // Of each bank the oldest entry speaks, an expired one before others; so between banks.
  const Slots hits = q.hits(), misses = q.valid().without(hits), expired = misses & q.expired();
  int open = -1, close = -1;
  bool open_expired = false, close_expired = false;
  const auto before = [](int slot, bool slot_expired, int other, bool other_expired) {
    return other < 0 || slot_expired > other_expired ||
           (slot_expired == other_expired && slot < other);
  };
  for (std::uint64_t m = q.banks() & ~held_; m != 0; m &= m - 1) {
    const int bank = std::countr_zero(m);
    const Slots mine = misses & q.of_bank(bank);
    if (!mine)
      continue;
    const Slots late = mode_ == kRead ? mine & expired : Slots{};
    const bool is_late = static_cast<bool>(late);
    const int slot = is_late ? late.first() : mine.first();
    if (dram_.closed(bank)) {
      const Clk ok = dram_.activate_ok(bank);
      row_from_ = std::min(row_from_, ok);
      if (ok <= now && before(slot, is_late, open, open_expired)) {
        open = slot;
        open_expired = is_late;
      }
    } else if (!(hits & q.of_bank(bank))) {
      const Clk ok = dram_.precharge_ok(bank);
      row_from_ = std::min(row_from_, ok);
      if (ok <= now && before(slot, is_late, close, close_expired)) {
        close = slot;
        close_expired = is_late;
      }
    }
  }
  if (open >= 0) {
    const Entry &e = q[open];
    dram_.activate(e.bank, e.row, now);
    gave_row(now);
    store_[0].row_opened(e.bank, e.row);
    store_[1].row_opened(e.bank, e.row);
    ++counts[kActivates];
    if (trace)
      record(now * clocks_ + 1, Command::activate, e.bank, e.row, 0, e.stream);
    return;
  }
  if (close < 0)
    return;
  const Entry &e = q[close];
  dram_.precharge(e.bank, now);
  gave_row(now);
  store_[0].row_closed(e.bank);
  store_[1].row_closed(e.bank);
  ++counts[kPrecharges];
  if (trace)
    record(now * clocks_ + 1, Command::precharge, e.bank, 0, 0, e.stream);
}

BusClass Ddrc::bus_class(Clk now) const {
  if (dram_.busy_until() > now)
    return last_dir_ == kRead ? kReadData : kWriteData;
  if (held_ != 0 || refreshed_until_ > now)
    return kRefresh;
  if (empty())
    return kIdleNoRequest; // the caller has the class of idleness
  if (mode_ != last_dir_ && dram_.turned(mode_) > now)
    return mode_ == kWrite ? kReadToWrite : kWriteToRead;
  return kActivatePrecharge;
}

namespace {

void check(const SystemConfig &c) {
  const auto &d = c.controller.keys<DdrcConfig>();
  need(c.controller.entries[kRead] + d.low_latency_entries <= 64, "controller.read_entries",
       "the read store has 64 places, those for low latency among them");
  for (const Dir dir : {kRead, kWrite})
    need(d.throttle_entries[dir] < c.controller.entries[dir],
         dir == kRead ? "controller.throttle_entries_read" : "controller.throttle_entries_write",
         "must be fewer than the store has, or throttled ports never have a turn");
  Chip::check(c);
}

const Registered<ControllerPart> usp_ddrc({
    .name = kUspDdrc,
    .parts = {.multiplexers = true, .arbiter = true, .measures_part = true},
    .visit =
        [](const KeyVisitor &v, ControllerConfig &c) {
          v("dram_clocks", c.dram_clocks, {1, 8, "DRAM clocks"}, "length of a controller clock");
          visit(v, c.keys<DdrcConfig>());
        },
    .check = check,
    .step = step,
#ifndef AXIOMETER_STEPPED
    .make = [](const SystemConfig &c) -> std::unique_ptr<Simulator> {
      if (c.convolution.lanes > 0)
        return std::make_unique<ConvolutionSystem>(c);
      return std::make_unique<System>(c);
    },
    .open = open_run,
#endif
});

} // namespace

} // namespace axm::clocked
