#include "clocked_dram.hpp"

#include <algorithm>

namespace axm::plain::clocked {

namespace {

// A time within a bank group that is not given is that between groups.
int within(int time, int between) { return time > 0 ? time : between; }

} // namespace

Dram::Dram(const SystemConfig &c)
    : config_(c.dram), t_(c.dram.timing), clocks_(c.controller.dram_clocks),
      banks_(static_cast<std::size_t>(c.dram.ranks * c.dram.banks)),
      activates_(static_cast<std::size_t>(c.dram.ranks)) {}

bool Dram::any_open(int r) const {
  for (int b = 0; b < banks(); ++b)
    if (rank(b) == r && of(b).open)
      return true;
  return false;
}

Clk Dram::last_column(Dir d) const {
  Clk last = kLongAgo;
  for (const Bank &b : banks_)
    last = std::max(last, b.column[d]);
  return last;
}

bool Dram::may_turn(Dir d, Clk now) const {
  if (now < last_column(d) + up(t_.tCCD))
    return false;
  if (d == kWrite)
    return now >= last_column(kRead) + up(t_.read_to_write);
  return now >= last_column(kWrite) + up(written() + t_.tWTR);
}

bool Dram::may_column(Dir d, int bank, Clk now) const {
  if (!of(bank).open || now < of(bank).activated + up(t_.tRCD) || !may_turn(d, now))
    return false;
  for (int b = 0; b < banks(); ++b) {
    if (!same_group(b, bank))
      continue;
    if (now < of(b).column[d] + up(within(t_.tCCD_L, t_.tCCD)))
      return false;
    if (d == kRead && now < of(b).column[kWrite] + up(written() + within(t_.tWTR_L, t_.tWTR)))
      return false;
  }
  return rank(bank) == column_rank_ ||
         now >= column_ + up(config_.burst_clocks) + up(config_.rank_gap);
}

bool Dram::may_activate(int bank, Clk now) const {
  const Bank &me = of(bank);
  if (me.open || now < me.activated + up(t_.tRC) || now < me.precharged + up(t_.tRP) ||
      now < me.refreshed + up(t_.tRFC))
    return false;
  const std::vector<Clk> &before = activates_[static_cast<std::size_t>(rank(bank))];
  if (!before.empty() && now < before.back() + up(t_.tRRD))
    return false;
  if (before.size() >= 4 && now < before[before.size() - 4] + up(t_.tFAW))
    return false;
  for (int b = 0; b < banks(); ++b)
    if (same_group(b, bank) && now < of(b).activated + up(within(t_.tRRD_L, t_.tRRD)))
      return false;
  return true;
}

bool Dram::may_precharge(int bank, Clk now) const {
  const Bank &me = of(bank);
  return now >= me.activated + up(t_.tRAS) && now >= me.column[kRead] + up(t_.tRTP) &&
         now >= me.column[kWrite] + up(written() + t_.tWR);
}

bool Dram::may_precharge_rank(int r, Clk now) const {
  for (int b = 0; b < banks(); ++b)
    if (rank(b) == r && of(b).open && !may_precharge(b, now))
      return false;
  return true;
}

bool Dram::may_refresh(int r, Clk now) const {
  for (int b = 0; b < banks(); ++b)
    if (rank(b) == r && (now < of(b).precharged + up(t_.tRP) ||
                         now < of(b).activated + up(t_.tRC) || now < of(b).refreshed + up(t_.tRFC)))
      return false;
  return true;
}

void Dram::column(Dir d, int bank, Clk now) {
  banks_[static_cast<std::size_t>(bank)].column[d] = column_ = now;
  column_rank_ = rank(bank);
}

void Dram::activate(int bank, std::uint32_t row, Clk now) {
  Bank &me = banks_[static_cast<std::size_t>(bank)];
  me.open = true;
  me.row = row;
  me.activated = now;
  activates_[static_cast<std::size_t>(rank(bank))].push_back(now);
}

void Dram::precharge(int bank, Clk now) {
  banks_[static_cast<std::size_t>(bank)].open = false;
  banks_[static_cast<std::size_t>(bank)].precharged = now;
}

void Dram::refresh(int r, Clk now) {
  refreshed_ = now;
  for (int b = 0; b < banks(); ++b)
    if (rank(b) == r)
      banks_[static_cast<std::size_t>(b)].refreshed = now;
}

} // namespace axm::plain::clocked
