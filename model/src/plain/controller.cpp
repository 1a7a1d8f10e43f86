#include "controller.hpp"

#include <algorithm>
#include <bitset>

namespace axm::plain {

namespace {

constexpr std::size_t kMostBanks = 64; // that a configuration may have

} // namespace

Controller::Controller(const SystemConfig &c, Clk first_refresh)
    : t_(c.dram.timing), write_data_(t_.CWL + c.dram.burst_clocks), config_(c.controller),
      switching_(make_switching(c.controller)), banks_(static_cast<std::size_t>(c.dram.banks)),
      refresh_due_(first_refresh) {}

// ---- the stores ----------------------------------------------------------------

bool Controller::has_room(Dir d, bool high, int columns) const {
  for (const Entry &e : store_[d])
    if (e.high == high)
      columns += e.columns;
  return columns <= (high ? config_.high_priority.entries : config_.entries[d]);
}

bool Controller::waits(Dir d, bool high) const {
  return std::ranges::any_of(store_[d], [&](const Entry &e) { return e.high == high; });
}

void Controller::accept(Dir d, const Entry &e, Clk requested, int cause, Clk now) {
  if (store_[0].empty() && store_[1].empty())
    arrivals_.push_back({now, requested, cause});
  if (!waits(d, e.high))
    switching_->store_filled(e.high ? kHighReads : d, now);
  store_[d].push_back(e);
}

bool Controller::hits(const Entry &e) const {
  const Bank &b = banks_[e.where.bank];
  return b.open && b.row == e.where.row;
}

// Of reads, those of high priority come first, or the others.
bool Controller::is_first(const Entry &e) const { return mode_ == kWrite || e.high == high_first_; }

bool Controller::first_wants(std::size_t bank) const {
  return std::ranges::any_of(store_[mode_],
                             [&](const Entry &e) { return is_first(e) && e.where.bank == bank; });
}

bool Controller::hit_in_pick_window(std::size_t bank, bool first) const {
  const auto &store = store_[mode_];
  const auto window = std::min(store.size(), static_cast<std::size_t>(config_.pick_window));
  for (std::size_t i = 0; i < window; ++i)
    if (is_first(store[i]) == first && store[i].where.bank == bank && hits(store[i]))
      return true;
  return false;
}

// ---- timing --------------------------------------------------------------------

bool Controller::may_activate(const Bank &b, Clk now) const {
  if (b.open)
    return false;
  if (now < b.activated + t_.tRC || now < b.precharged + t_.tRP)
    return false;
  if (now < refreshed_ + t_.tRFC)
    return false;
  if (!activates_.empty() && now < activates_.back() + t_.tRRD)
    return false;
  return activates_.size() < 4 || now >= activates_[activates_.size() - 4] + t_.tFAW;
}

bool Controller::may_precharge(const Bank &b, Clk now) const {
  if (!b.open)
    return false;
  if (issued_ < running_.columns && &b == &banks_[running_.where.bank])
    return false;
  return now >= b.activated + t_.tRAS && now >= b.read + t_.tRTP &&
         now >= b.written + write_data_ + t_.tWR;
}

// From when on the data bus allows a column command of this direction.
Clk Controller::direction_free(Dir d) const {
  if (d == kRead)
    return std::max(read_ + t_.tCCD, written_ + write_data_ + t_.tWTR);
  return std::max(written_ + t_.tCCD, read_ + t_.read_to_write);
}

// ---- one clock -----------------------------------------------------------------

std::optional<Controller::Served> Controller::clock(Clk now) {
  const bool store_waits[3] = {waits(kRead, false), !store_[kWrite].empty(), waits(kRead, true)};
  const bool waits[2] = {!store_[kRead].empty(), !store_[kWrite].empty()};
  switching_->clock(now, store_waits);
  const bool part_in_progress = now < run_.last + t_.tCCD;
  if (issued_ < running_.columns && now == run_.first + static_cast<Clk>(issued_) * t_.tCCD) {
    continue_run(now);
    return std::nullopt;
  }
  if (now >= refresh_due_) {
    if (issued_ == running_.columns)
      refresh(now);
    return std::nullopt;
  }
  if (!part_in_progress) {
    if (waits[other(mode_)] && switching_->turn(mode_, waits[mode_]))
      mode_ = other(mode_);
    high_first_ = store_waits[kHighReads] && switching_->high_first();
    for (const bool first : {true, false})
      if (auto served = column(first, now))
        return served;
  }
  for (const Command what : {Command::activate, Command::precharge})
    for (const bool first : {true, false})
      if (prepare(what, first, now))
        return std::nullopt;
  return std::nullopt;
}

// Every comparison of a clock with `now` in this file and in the switching policy is here.
Clk Controller::next_change(Clk now) const {
  Next next(now);
  next.may_be(switching_->next_change(now));
  next.may_be(run_.last + t_.tCCD);
  if (issued_ < running_.columns)
    next.may_be(run_.first + static_cast<Clk>(issued_) * t_.tCCD);
  next.may_be(refresh_due_);
  next.may_be(refreshed_ + t_.tRFC);
  for (const Dir d : {kRead, kWrite})
    next.may_be(direction_free(d));
  for (const Bank &b : banks_) {
    next.may_be(b.activated + t_.tRC);
    next.may_be(b.activated + t_.tRCD);
    next.may_be(b.activated + t_.tRAS);
    next.may_be(b.precharged + t_.tRP);
    next.may_be(b.read + t_.tRTP);
    next.may_be(b.written + write_data_ + t_.tWR);
  }
  if (!activates_.empty())
    next.may_be(activates_.back() + t_.tRRD);
  if (activates_.size() >= 4)
    next.may_be(activates_[activates_.size() - 4] + t_.tFAW);
  return next.at();
}

void Controller::refresh(Clk now) {
  bool any_open = false;
  Clk precharged = kLongAgo, activated = kLongAgo;
  for (const Bank &b : banks_) {
    any_open = any_open || b.open;
    precharged = std::max(precharged, b.precharged);
    activated = std::max(activated, b.activated);
    if (b.open && !may_precharge(b, now))
      return;
  }
  if (any_open) {
    issue(now, Command::precharge_all, {});
    for (Bank &b : banks_) {
      if (b.open)
        b.precharged = now;
      b.open = false;
    }
  } else if (now >= precharged + t_.tRP && now >= activated + t_.tRC) {
    issue(now, Command::refresh, {});
    refreshed_ = now;
    refreshes_.push_back({refresh_due_, now});
    refresh_due_ += t_.tREFI;
  }
}

// The oldest part that hits an open row, of those that come first or of the others.
std::optional<Controller::Served> Controller::column(bool first, Clk now) {
  auto &store = store_[mode_];
  if (now < direction_free(mode_))
    return std::nullopt;
  const auto window = std::min(store.size(), static_cast<std::size_t>(config_.pick_window));
  for (std::size_t i = 0; i < window; ++i) {
    const Bank &b = banks_[store[i].where.bank];
    if (!hits(store[i]) || now < b.activated + t_.tRCD || is_first(store[i]) != first)
      continue;
    if (!first && first_wants(store[i].where.bank))
      continue;
    running_ = store[i];
    issued_ = 0;
    run_ = {mode_, now, now + static_cast<Clk>(running_.columns - 1) * t_.tCCD,
            direction_free(mode_)};
    runs_.push_back(run_);
    store.erase(store.begin() + static_cast<std::ptrdiff_t>(i));
    switching_->served(running_.high ? kHighReads : mode_, running_.columns,
                       !waits(mode_, running_.high), run_.last + t_.tCCD);
    continue_run(now);
    return Served{running_, run_.dir, run_.last};
  }
  return std::nullopt;
}

void Controller::continue_run(Clk now) {
  const bool reads = run_.dir == kRead;
  issue(now, reads ? Command::read : Command::write, running_, running_.where.column + issued_);
  ++issued_;
  Bank &b = banks_[running_.where.bank];
  (reads ? read_ : written_) = now;
  (reads ? b.read : b.written) = now;
}

// Opens (closes) a bank for the oldest entry that needs it.
bool Controller::prepare(Command what, bool first, Clk now) {
  const auto &store = store_[mode_];
  const auto window = std::min(store.size(), static_cast<std::size_t>(config_.prepare_window));
  std::bitset<kMostBanks> older; // an older entry speaks for this bank
  for (std::size_t i = 0; i < window; ++i) {
    const Entry &e = store[i];
    Bank &b = banks_[e.where.bank];
    if (older[e.where.bank] || is_first(e) != first || (!first && first_wants(e.where.bank)))
      continue;
    older[e.where.bank] = true;
    if (hits(e) || hit_in_pick_window(e.where.bank, first))
      continue;
    if (what == Command::activate && may_activate(b, now)) {
      issue(now, what, e);
      b.open = true;
      b.row = e.where.row;
      b.activated = now;
      activates_.push_back(now);
      return true;
    }
    if (what == Command::precharge && may_precharge(b, now)) {
      issue(now, what, e);
      b.open = false;
      b.precharged = now;
      return true;
    }
  }
  return false;
}

// ---- the trace -----------------------------------------------------------------

void Controller::issue(Clk now, Command c, const Entry &e, int column) {
  TraceEntry t;
  t.clk = now;
  t.command = c;
  t.bank = e.where.bank;
  t.stream = static_cast<std::uint16_t>(e.stream);
  if (c == Command::activate || c == Command::read || c == Command::write)
    t.row = e.where.row;
  t.column = static_cast<std::uint32_t>(column);
  trace_.push_back(t);
}

void Controller::drop_the_tail() {
  while (!trace_.empty() && trace_.back().command != Command::read &&
         trace_.back().command != Command::write) {
    if (trace_.back().command == Command::refresh)
      refreshes_.pop_back();
    trace_.pop_back();
  }
}

} // namespace axm::plain
