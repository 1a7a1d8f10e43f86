#include "controller.hpp"

#include <algorithm>
#include <cstdint>

namespace axm::plain {

namespace {

std::uint64_t bit(std::size_t bank) { return std::uint64_t{1} << bank; } // there are at most 64

Clk longest(const DramTiming &t, Clk write_data) {
  return std::max({t.tRC, t.tRCD, t.tRAS, t.tRP, t.tRTP, t.tCCD, t.tRRD, t.tFAW, t.tRFC,
                   t.read_to_write}) +
         write_data + t.tWR + t.tWTR;
}

} // namespace

Controller::Controller(const SystemConfig &c, Clk first_refresh)
    : t_(c.dram.timing), write_data_(t_.CWL + c.dram.burst_clocks), config_(c.controller),
      switching_(make_switching(c.controller)), banks_(static_cast<std::size_t>(c.dram.banks)),
      refresh_due_(first_refresh), limits_(longest(t_, write_data_)) {}

// ---- the stores ----------------------------------------------------------------

void Controller::accept(Dir d, const Entry &e, Clk requested, int cause, Clk now) {
  if (store_[0].empty() && store_[1].empty())
    arrivals_.push_back({now, requested, cause});
  const int of = kind(d, e.high);
  if (!waits(of))
    switching_->store_filled(of, now);
  ++waiting_[of].parts;
  waiting_[of].columns += e.columns;
  store_[d].push_back(e);
}

bool Controller::hits(const Entry &e) const {
  const Bank &b = banks_[e.where.bank];
  return b.open && b.row == e.where.row;
}

// Of reads, those of high priority come first, or the others.
bool Controller::is_first(const Entry &e) const { return mode_ == kWrite || e.high == high_first_; }

// Whether the store has parts of those that come first, or of the others.
bool Controller::any(bool first) const {
  if (mode_ == kWrite)
    return first && waits(kWrite);
  return waits(kind(kRead, high_first_ == first));
}

bool Controller::first_wants(std::size_t bank) const {
  return std::ranges::any_of(store_[mode_],
                             [&](const Entry &e) { return is_first(e) && e.where.bank == bank; });
}

// The banks whose open row a part in the pick window is for.
std::uint64_t Controller::banks_hit(bool first) const {
  const auto &store = store_[mode_];
  const auto window = std::min(store.size(), static_cast<std::size_t>(config_.pick_window));
  std::uint64_t banks = 0;
  for (std::size_t i = 0; i < window; ++i)
    if (is_first(store[i]) == first && hits(store[i]))
      banks |= bit(store[i].where.bank);
  return banks;
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
  const bool store_waits[3] = {waits(kRead), waits(kWrite), waits(kHighReads)};
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
      if (any(first))
        if (auto served = column(first, now))
          return served;
  }
  prepare(now);
  return std::nullopt;
}

// Every comparison of a clock with `now` in this file and in the switching policy is here, or in
// expect_limits. A part's next column command, and the end of the part, are those from which on its
// direction is free.
Clk Controller::next_change(Clk now) {
  Next next(now);
  next.may_be(switching_->next_change(now));
  next.may_be(refresh_due_);
  next.may_be(limits_.after(now));
  return next.at();
}

// The clocks of the rules that count from a command.
void Controller::expect_limits(Command c, Clk now) {
  switch (c) {
  case Command::activate:
    for (const Clk limit : {t_.tRC, t_.tRCD, t_.tRAS, t_.tRRD, t_.tFAW})
      limits_.add(now, limit);
    break;
  case Command::precharge:
  case Command::precharge_all:
    limits_.add(now, t_.tRP);
    break;
  case Command::refresh:
    limits_.add(now, t_.tRFC);
    break;
  case Command::read:
    for (const Clk limit : {t_.tCCD, t_.read_to_write, t_.tRTP})
      limits_.add(now, limit);
    break;
  case Command::write:
    limits_.add(now, t_.tCCD);
    for (const Clk limit : {t_.tWTR, t_.tWR})
      limits_.add(now, write_data_ + limit);
    break;
  }
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
    const int of = kind(mode_, running_.high);
    --waiting_[of].parts;
    waiting_[of].columns -= running_.columns;
    switching_->served(of, running_.columns, !waits(of), run_.last + t_.tCCD);
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

// Opens a bank for the oldest entry that needs it, or else closes one.
void Controller::prepare(Clk now) {
  const Entry *to_close = nullptr;
  for (const bool first : {true, false})
    if (any(first) && activate(first, now, to_close))
      return;
  if (to_close == nullptr)
    return;
  issue(now, Command::precharge, *to_close);
  Bank &b = banks_[to_close->where.bank];
  b.open = false;
  b.precharged = now;
}

// `to_close`, unless it is known: the oldest entry for which a bank may be closed.
bool Controller::activate(bool first, Clk now, const Entry *&to_close) {
  const auto &store = store_[mode_];
  const auto window = std::min(store.size(), static_cast<std::size_t>(config_.prepare_window));
  const std::uint64_t hit = banks_hit(first);
  std::uint64_t older = 0; // banks that an older entry speaks for
  for (std::size_t i = 0; i < window; ++i) {
    const Entry &e = store[i];
    Bank &b = banks_[e.where.bank];
    const std::uint64_t bank = bit(e.where.bank);
    if ((older & bank) != 0 || is_first(e) != first || (!first && first_wants(e.where.bank)))
      continue;
    older |= bank;
    if (hits(e) || (hit & bank) != 0)
      continue;
    if (may_activate(b, now)) {
      issue(now, Command::activate, e);
      b.open = true;
      b.row = e.where.row;
      b.activated = now;
      activates_.push_back(now);
      return true;
    }
    if (to_close == nullptr && may_precharge(b, now))
      to_close = &e;
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
  expect_limits(c, now);
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
