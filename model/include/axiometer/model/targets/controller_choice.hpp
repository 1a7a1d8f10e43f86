// The members of Controller that choose its next command; see controller.hpp, which includes this.
#pragma once

#include <algorithm>
#include <bit>

#include "axiometer/model/targets/controller.hpp"

namespace axm {

// Chooses the direction. Returns until when it is that one, if nothing but a part comes.
template <class S> [[gnu::noinline]] Clk Controller<S>::decide() {
  const bool reads = waits(kRead), writes = waits(kWrite);
  switching_.decide(reads, writes, now_, waits(kHighReads));
  if (ranks_)
    return switching_.next_change_of_three(now_);
  return reads && writes ? switching_.next_change(now_) : kNever;
}

// What to do next, and until when nothing but a part that comes can change that.
template <class S> [[gnu::always_inline]] inline void Controller<S>::reconsider() {
  standing_ = true;
  until_ = refresh_due_;
  if (empty() || now_ >= refresh_due_) [[unlikely]] {
    chosen_ = {};
    return;
  }
  // Between parts only: a new one may be chosen from tCCD after the last column command on.
  Clk decide_at = std::max(decide_at_, run_end_);
  if (now_ >= decide_at)
    decide_at_ = decide_at = decide();
  until_ = std::min(until_, decide_at);
  // A choice is valid until a command is issued or a new part comes.
  const Dir mode = switching_.mode();
  if (chosen_.act == Act::none || chosen_for_ != mode || ranks_) {
    chosen_for_ = mode;
    if (windowed_ || ranks_) [[unlikely]]
      choose_of_some(queue_[mode]);
    else
      mode == kRead ? choose_of_all<kRead>() : choose_of_all<kWrite>();
  }
}

// The next command if all parts may be served and prepared for. By direction at compile time: it
// runs for every command.
template <class S>
template <Dir mode>
[[gnu::always_inline]] inline void Controller<S>::choose_of_all() {
  const PartQueue &q = queue_[mode];
  const Clk now = now_;
  Choice best = first_column(q, q.hits, std::max(now, dir_ok_[mode]));
  if (now < best.when)
    for (std::uint32_t m = q.unopen; m != 0; m &= m - 1) {
      const int bank = std::countr_zero(m);
      if (open_banks_ >> bank & 1)
        consider(best, q.of_bank(bank), std::max(now, bank_[bank].precharge_ok), Act::precharge);
      else
        consider(best, q.of_bank(bank), std::max({now, activate_all_ok_, bank_[bank].activate_ok}),
                 Act::activate);
    }
  chosen_ = best;
}

template <class S> [[gnu::noinline]] void Controller<S>::choose_of_some(const PartQueue &q) {
  if (ranks_ && q.high != 0)
    choose_by_rank(q);
  else
    chosen_ = choose_among(q, q.hits & q.window(pick_window_), q.window(prepare_window_));
}

// Of the next command for the reads that come first and of that for the others, the earlier one.
// Where one of the first waits for a bank, none of the others is served there.
template <class S> void Controller<S>::choose_by_rank(const PartQueue &q) {
  const std::uint64_t first = switching_.high_first() ? q.high : q.valid & ~q.high;
  std::uint64_t others = q.valid & ~first;
  for (std::uint64_t m = first; m != 0;) {
    const std::uint64_t of_bank = q.of_bank(q.bank(std::countr_zero(m)));
    others &= ~of_bank;
    m &= ~of_bank;
  }
  const Choice a = choose_among(q, q.hits & first, first);
  const Choice b = choose_among(q, q.hits & others, others);
  chosen_ = a.when < b.when || (a.when == b.when && a.act <= b.act) ? a : b;
}

// The next command if `hits` may be served and banks be prepared for `window`.
template <class S>
auto Controller<S>::choose_among(const PartQueue &q, std::uint64_t hits, std::uint64_t window) const
    -> Choice {
  Choice best = first_column(q, hits, std::max(now_, dir_ok_[chosen_for_]));
  for (std::uint64_t m = window; m != 0;) {
    const int bank = q.bank(std::countr_zero(m));
    const std::uint64_t of_bank = q.of_bank(bank), mine = m & of_bank;
    m &= ~of_bank;
    if ((open_banks_ >> bank & 1) == 0)
      consider(best, mine, std::max({now_, activate_all_ok_, bank_[bank].activate_ok}),
               Act::activate);
    // Hits are served first; or the oldest is one, and waits for its turn.
    else if ((hits & of_bank) == 0 && (mine & q.hits & (~mine + 1)) == 0)
      consider(best, mine, std::max(now_, bank_[bank].precharge_ok), Act::precharge);
  }
  return best;
}

// The first column command for one of `hits`, if the bus is free from `from` on.
template <class S>
[[gnu::always_inline]] inline auto Controller<S>::first_column(const PartQueue &q,
                                                               std::uint64_t hits, Clk from) const
    -> Choice {
  Choice best;
  for (std::uint64_t h = hits; h != 0;) {
    const int slot = std::countr_zero(h);
    const int bank = q.bank(slot);
    const Clk ready = bank_[bank].column_ok;
    if (ready <= from) [[likely]]
      return {from, Act::column, slot};
    if (ready < best.when)
      best = {ready, Act::column, slot};
    h &= ~q.of_bank(bank);
  }
  return best;
}

// Chooses the command `act` for the first of `parts`, possible from `when` on, if that comes before
// `best`.
template <class S>
[[gnu::always_inline]] inline void Controller<S>::consider(Choice &best, std::uint64_t parts,
                                                           Clk when, Act act) const {
  const int slot = std::countr_zero(parts);
  when = command_slot(when);
  // At the same clock: a column first, then activates before precharges, then age.
  if (when < best.when || (when == best.when && best.act != Act::column &&
                           (act < best.act || (act == best.act && slot < best.slot))))
    best = {when, act, slot};
}

// A valid choice, and a new part, to bank `bank`: only that part can change the choice, and only
// for its bank, because nothing else has changed.
template <class S>
inline void Controller<S>::weigh(const PartQueue &q, int bank, int slot, bool hit) {
  if (hit) {
    const Clk when = std::max({now_, dir_ok_[chosen_for_], bank_[bank].column_ok});
    if (chosen_.act == Act::precharge)
      chosen_.act = Act::none; // maybe of this bank, and then not needed now
    else if (when < chosen_.when || (when == chosen_.when && chosen_.act != Act::column))
      chosen_ = {when, Act::column, slot};
    return;
  }
  if ((q.of_bank(bank) & (q.of_bank(bank) - 1)) != 0)
    return; // an older part decides for the bank
  const bool closed = (open_banks_ >> bank & 1) == 0;
  const Clk when = command_slot(closed ? std::max({now_, activate_all_ok_, bank_[bank].activate_ok})
                                       : std::max(now_, bank_[bank].precharge_ok));
  const Act act = closed ? Act::activate : Act::precharge;
  if (when < chosen_.when ||
      (when == chosen_.when && act < chosen_.act && chosen_.act != Act::column))
    chosen_ = {when, act, slot};
}

} // namespace axm
