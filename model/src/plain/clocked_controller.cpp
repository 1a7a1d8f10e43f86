#include "clocked_controller.hpp"

#include <algorithm>

namespace axm::plain::clocked {

Controller::Controller(const SystemConfig &c, Clk first_refresh)
    : config_(c.controller), own_(config_.keys<DdrcConfig>()), dram_config_(c.dram), dram_(c) {
  const Clk first = first_refresh / config_.dram_clocks;
  for (int r = 0; r < c.dram.ranks; ++r)
    refresh_due_.push_back(first + r * dram_.refresh_interval() / c.dram.ranks);
  held_.resize(refresh_due_.size());
}

// ---- the stores ------------------------------------------------------------------

bool Controller::has_room(Dir d, TrafficClass t) const {
  if (d == kWrite)
    return static_cast<int>(store_[kWrite].size()) < config_.entries[kWrite];
  int high = 0, others = 0;
  for (const Entry &e : store_[kRead])
    ++(e.traffic == TrafficClass::low_latency ? high : others);
  return t == TrafficClass::low_latency ? high < own_.low_latency_entries
                                        : others < config_.entries[kRead];
}

int Controller::free_places(Dir d) const {
  const auto high = std::ranges::count(store_[d], TrafficClass::low_latency, &Entry::traffic);
  return config_.entries[d] - static_cast<int>(store_[d].size() - (d == kRead ? high : 0));
}

bool Controller::combines(const Entry &e) const {
  return own_.write_combining && std::ranges::any_of(store_[kWrite], [&](const Entry &o) {
           return o.address == e.address;
         });
}

bool Controller::any_late(Dir d, Clk now) const {
  return std::ranges::any_of(store_[d], [&](const Entry &e) { return late(e, now); });
}

bool Controller::starved(Dir d, Clk now) const {
  return !store_[d].empty() && now - served_[d] >= own_.starve_clocks;
}

// ---- one clock -------------------------------------------------------------------

std::optional<Entry> Controller::clock(Clk now, bool late_read_waits) {
  for (const Dir d : {kRead, kWrite})
    if (store_[d].empty())
      served_[d] = now;
  if (mode_ == kWrite || !store_[kRead].empty())
    reads_waited_ = now;
  if (turns(now, late_read_waits)) {
    mode_ = other(mode_);
    run_ = 0;
  }
  for (std::size_t r = 0; r < held_.size(); ++r)
    held_[r] = now >= refresh_due_[r];
  const auto served = now >= command_free_ ? column(now) : std::nullopt;
  if (now >= command_free_ && !refresh(now))
    row(now);
  return served;
}

// Whether the bus turns to the other store.
bool Controller::turns(Clk now, bool late_read_waits) const {
  if (store_[other(mode_)].empty())
    return false;
  const bool run_over = run_ >= own_.run_length;
  const bool late_reads = any_late(kRead, now);
  if (mode_ == kWrite)
    return store_[kWrite].empty() || (late_reads && run_ >= own_.least_run) ||
           (run_over && (starved(kRead, now) || late_reads));
  if (store_[kRead].empty())
    return now - reads_waited_ > own_.read_tail_clocks + own_.idle_gap_clocks;
  if (!run_over)
    return false;
  if (!late_reads)
    return starved(kWrite, now) || any_late(kWrite, now);
  return own_.starved_writes_turn && starved(kWrite, now) && !late_read_waits;
}

// Of reads the oldest that has expired, then of high priority; then the oldest of all.
int Controller::choose_column(Clk now) const {
  const std::vector<Entry> &store = store_[mode_];
  for (const int rank : {0, 1, 2})
    for (std::size_t i = 0; i < store.size(); ++i) {
      const Entry &e = store[i];
      if (rank == 0 && !(mode_ == kRead && late(e, now)))
        continue;
      if (rank == 1 && !(mode_ == kRead && e.traffic == TrafficClass::low_latency))
        continue;
      if (!held(e.bank) && hits(e) && dram_.may_column(mode_, e.bank, now))
        return static_cast<int>(i);
    }
  return -1;
}

std::optional<Entry> Controller::column(Clk now) {
  const int chosen = choose_column(now);
  if (chosen < 0)
    return std::nullopt;
  const Entry e = store_[mode_][static_cast<std::size_t>(chosen)];
  store_[mode_].erase(store_[mode_].begin() + chosen);
  dram_.column(mode_, e.bank, now);
  give(now, mode_ == kRead ? Command::read : Command::write, e);
  served_[mode_] = now;
  last_ = mode_;
  ++run_;
  return mode_ == kRead ? std::optional(e) : std::nullopt;
}

// A rank whose refresh is due is closed, and refreshed. True if that took the clock's row command.
bool Controller::refresh(Clk now) {
  for (int r = 0; r < dram_.ranks(); ++r) {
    if (!held_[static_cast<std::size_t>(r)])
      continue;
    Entry first;
    first.bank = r * dram_config_.banks;
    if (dram_.any_open(r) && dram_.may_precharge_rank(r, now)) {
      for (int b = first.bank; b < first.bank + dram_config_.banks; ++b)
        dram_.precharge(b, now);
      give(now, Command::precharge_all, first);
      return true;
    }
    if (!dram_.any_open(r) && dram_.may_refresh(r, now)) {
      dram_.refresh(r, now);
      refresh_due_[static_cast<std::size_t>(r)] += dram_.refresh_interval();
      give(now, Command::refresh, first);
      return true;
    }
  }
  return false;
}

// Opens a bank, or else closes one: of each bank the oldest entry that misses speaks, one that has
// expired before others; so between banks.
void Controller::row(Clk now) {
  const std::vector<Entry> &store = store_[mode_];
  for (const Command what : {Command::activate, Command::precharge})
    for (const bool only_late : {true, false})
      for (std::size_t i = 0; i < store.size(); ++i) {
        const Entry e = store[i];
        if (held(e.bank) || hits(e) || (only_late && !(mode_ == kRead && late(e, now))))
          continue;
        if (what == Command::activate && dram_.may_activate(e.bank, now)) {
          dram_.activate(e.bank, e.row, now);
          return give(now, what, e);
        }
        if (what == Command::activate || !dram_.open(e.bank) || !dram_.may_precharge(e.bank, now))
          continue;
        bool wanted = false; // its row is
        for (std::size_t k = 0; k < store.size(); ++k)
          wanted = wanted || (store[k].bank == e.bank && hits(store[k]));
        if (wanted)
          continue;
        dram_.precharge(e.bank, now);
        return give(now, what, e);
      }
}

void Controller::give(Clk now, Command c, const Entry &e) {
  const bool column = c == Command::read || c == Command::write;
  TraceEntry t;
  t.clk = now * config_.dram_clocks + (column ? 0 : 1);
  t.command = c;
  t.bank = static_cast<std::uint8_t>(e.bank);
  t.stream = static_cast<std::uint16_t>(e.interface);
  if (column || c == Command::activate)
    t.row = e.row;
  if (column)
    t.column =
        static_cast<std::uint32_t>(e.address % static_cast<std::uint64_t>(dram_config_.row_bytes) /
                                   static_cast<std::uint64_t>(dram_config_.column_bytes));
  trace.push_back(t);
  if (dram_config_.command_clocks > 1) // nothing else on the command bus
    command_free_ = now + ceil_div(dram_config_.command_clocks, config_.dram_clocks);
  clocks.push_back(now);
}

BusClass Controller::did(Clk now) const {
  if (dram_.carries_data(now))
    return last_ == kRead ? kReadData : kWriteData;
  if (std::ranges::find(held_, true) != held_.end() || dram_.refreshes(now))
    return kRefresh;
  if (idle())
    return kIdleNoRequest;
  if (mode_ != last_ && !dram_.may_turn(mode_, now))
    return mode_ == kWrite ? kReadToWrite : kWriteToRead;
  return kActivatePrecharge;
}

} // namespace axm::plain::clocked
