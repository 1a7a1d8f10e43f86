#include "controller.hpp"

#include <algorithm>
#include <cstdint>

namespace axm::plain {

namespace {

std::uint64_t bit(std::size_t bank) { return std::uint64_t{1} << bank; } // there are at most 64

} // namespace

Controller::Controller(const SystemConfig &c, Clk first_refresh)
    : t_(c.dram.timing), write_data_(t_.CWL + c.dram.burst_clocks),
      entries_{c.controller.entries[0], c.controller.entries[1],
               c.controller.number("high_entries", 0)},
      pick_window_(c.controller.number("pick_window", 64)),
      prepare_window_(c.controller.number("prepare_window", 64)),
      switching_(part_of<PlainTwin>(c.controller).switching(c.controller)),
      banks_(static_cast<std::size_t>(c.dram.banks)), refresh_due_(first_refresh) {}

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
  store_[d].back().hits = hits(e);
}

bool Controller::hits(const Entry &e) const {
  const Bank &b = banks_[e.where.bank];
  return b.open && b.row == e.where.row;
}

// After a row was opened or closed.
void Controller::renew_hits() {
  for (auto &store : store_)
    for (Entry &e : store)
      e.hits = hits(e);
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
  const auto window = std::min(store.size(), static_cast<std::size_t>(pick_window_));
  std::uint64_t banks = 0;
  for (std::size_t i = 0; i < window; ++i)
    if (store[i].hits && is_first(store[i]) == first)
      banks |= bit(store[i].where.bank);
  return banks;
}

// ---- timing --------------------------------------------------------------------

// From when on a rule of time allows a command; `next_change` asks for the same.

// An activate, as far as the whole DRAM goes.
Clk Controller::activates_from() const {
  Clk from = refreshed_ + t_.tRFC;
  if (!activates_.empty())
    from = std::max(from, activates_.back() + t_.tRRD);
  if (activates_.size() >= 4)
    from = std::max(from, activates_[activates_.size() - 4] + t_.tFAW);
  return from;
}

// The same as far as its bank goes.
Clk Controller::opens_from(const Bank &b) const {
  return std::max(b.activated + t_.tRC, b.precharged + t_.tRP);
}

Clk Controller::closes_from(const Bank &b) const {
  return std::max({b.activated + t_.tRAS, b.read + t_.tRTP, b.written + write_data_ + t_.tWR});
}

// Its part's column commands are not over.
bool Controller::runs(const Bank &b) const {
  return issued_ < running_.columns && &b == &banks_[running_.where.bank];
}

// The precharge of all banks before a refresh, or the refresh.
Clk Controller::refreshes_from() const {
  Clk closes = kLongAgo, opens = kLongAgo;
  for (const Bank &b : banks_) {
    if (b.open)
      closes = std::max(closes, closes_from(b));
    opens = std::max(opens, opens_from(b));
  }
  return any_open() ? closes : opens;
}

bool Controller::any_open() const { return std::ranges::any_of(banks_, &Bank::open); }

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
  chosen_ = false;
  if (issued_ < running_.columns && now == next_column()) {
    continue_run(now);
    return std::nullopt;
  }
  if (now >= refresh_due_) {
    if (issued_ == running_.columns)
      refresh(now);
    return std::nullopt;
  }
  if (!part_in_progress) {
    chosen_ = !waits[other(mode_)] || !switching_->turn(mode_, waits[mode_]);
    if (!chosen_)
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

// Whatever `clock` compares with a clock is here. Clocks before `now + 1` are those at which
// something else came first.
Clk Controller::next_change(Clk now) const {
  Clk next = switching_->next_change(now);
  const auto may_be = [&](Clk c) { next = std::min(next, std::max(c, now + 1)); };
  if (issued_ < running_.columns)
    may_be(next_column());
  if (now + 1 >= refresh_due_) {
    if (issued_ == running_.columns)
      may_be(refreshes_from());
    return next;
  }
  may_be(refresh_due_);
  for (const bool first : {true, false}) {
    if (!any(first))
      continue;
    const Clk activates = activates_from();
    prepares(first, [&](const Entry &, const Bank &b) {
      if (!b.open)
        may_be(std::max(activates, opens_from(b)));
      else if (!runs(b))
        may_be(closes_from(b));
      return false;
    });
  }
  // While a part is in progress neither the mode nor the next part is chosen.
  if (const Clk end = run_.last + t_.tCCD; now < end) {
    if (!store_[kRead].empty() || !store_[kWrite].empty())
      may_be(end);
    return next;
  }
  if (!chosen_)
    may_be(now + 1);
  for (const bool first : {true, false})
    if (any(first))
      picks(first, [&](const Entry &, const Bank &b) {
        may_be(std::max(direction_free(mode_), b.activated + t_.tRCD));
        return false;
      });
  return next;
}

void Controller::refresh(Clk now) {
  if (now < refreshes_from())
    return;
  if (any_open()) {
    issue(now, Command::precharge_all, {});
    for (Bank &b : banks_) {
      if (b.open)
        b.precharged = now;
      b.open = false;
    }
    renew_hits();
  } else {
    issue(now, Command::refresh, {});
    refreshed_ = now;
    refreshes_.push_back({refresh_due_, now});
    refresh_due_ += t_.tREFI;
  }
}

// Calls `act` for the entries in the pick window that hit an open row, of those that come first or
// of the others, by age, until it returns true.
template <class Act> void Controller::picks(bool first, Act &&act) const {
  const auto &store = store_[mode_];
  const auto window = std::min(store.size(), static_cast<std::size_t>(pick_window_));
  for (std::size_t i = 0; i < window; ++i) {
    const Entry &e = store[i];
    if (e.hits && is_first(e) == first && (first || !first_wants(e.where.bank)) &&
        act(e, banks_[e.where.bank]))
      return;
  }
}

std::optional<Controller::Served> Controller::column(bool first, Clk now) {
  if (now < direction_free(mode_))
    return std::nullopt;
  const Entry *chosen = nullptr;
  picks(first, [&](const Entry &e, const Bank &b) {
    if (now >= b.activated + t_.tRCD)
      chosen = &e;
    return chosen != nullptr;
  });
  if (chosen == nullptr)
    return std::nullopt;
  running_ = *chosen;
  issued_ = 0;
  run_ = {mode_, now, now + static_cast<Clk>(running_.columns - 1) * t_.tCCD,
          direction_free(mode_)};
  runs_.push_back(run_);
  auto &store = store_[mode_];
  store.erase(store.begin() + (chosen - store.data()));
  const int of = kind(mode_, running_.high);
  --waiting_[of].parts;
  waiting_[of].columns -= running_.columns;
  switching_->served(of, running_.columns, !waits(of), run_.last + t_.tCCD);
  continue_run(now);
  return Served{running_, run_.dir, run_.last};
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
  renew_hits();
}

// Calls `act` for the entries in the prepare window that want another row of their bank, of those
// that come first or of the others, by age, until it returns true: one of each bank, unless it or
// one that will be picked hits there.
template <class Act> void Controller::prepares(bool first, Act &&act) const {
  const auto &store = store_[mode_];
  const auto window = std::min(store.size(), static_cast<std::size_t>(prepare_window_));
  std::uint64_t spoken_for = banks_hit(first);
  for (std::size_t i = 0; i < window; ++i) {
    const Entry &e = store[i];
    const std::uint64_t bank = bit(e.where.bank);
    if ((spoken_for & bank) != 0 || is_first(e) != first || (!first && first_wants(e.where.bank)))
      continue;
    spoken_for |= bank;
    if (!e.hits && act(e, banks_[e.where.bank]))
      return;
  }
}

// `to_close`, unless it is known: the oldest entry for which a bank may be closed.
bool Controller::activate(bool first, Clk now, const Entry *&to_close) {
  const bool activates = now >= activates_from();
  const Entry *to_open = nullptr;
  prepares(first, [&](const Entry &e, const Bank &b) {
    if (!b.open && activates && now >= opens_from(b))
      to_open = &e;
    else if (b.open && to_close == nullptr && !runs(b) && now >= closes_from(b))
      to_close = &e;
    return to_open != nullptr;
  });
  if (to_open == nullptr)
    return false;
  issue(now, Command::activate, *to_open);
  Bank &b = banks_[to_open->where.bank];
  b.open = true;
  b.row = to_open->where.row;
  b.activated = now;
  activates_.push_back(now);
  renew_hits();
  return true;
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
