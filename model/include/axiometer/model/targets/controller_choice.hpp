// The members of Controller that choose its next command; see controller.hpp, which includes this.
#pragma once

#include <algorithm>
#include <bit>

#include "axiometer/model/targets/controller.hpp"

namespace axm {

// What to do next, and until when nothing but a part that comes can change that.
template <class S> void Controller<S>::reconsider() {
  standing_ = true;
  until_ = refresh_due_;
  if (empty() || now_ >= refresh_due_) {
    chosen_ = {};
    return;
  }
  // Between parts only: a new one may be chosen from tCCD after the last column command on.
  Clk decide_at = std::max(decide_at_, run_last_ + t_.tCCD);
  if (now_ >= decide_at) {
    const bool waits[2] = {!queue_[0].empty(), !queue_[1].empty()};
    if (ranks_) [[unlikely]] {
      switching_.decide(columns(kRead, false) != 0, waits[1], now_, columns(kRead, true) != 0);
      decide_at_ = decide_at = switching_.next_change_of_three(now_);
    } else {
      switching_.decide(waits[0], waits[1], now_);
      decide_at_ = decide_at = waits[0] && waits[1] ? switching_.next_change(now_) : kNever;
    }
  }
  until_ = std::min(until_, decide_at);
  // A choice is valid until a command is issued or a new part comes.
  const Dir mode = switching_.mode();
  if (chosen_.act == Act::none || chosen_for_ != mode || ranks_) {
    chosen_for_ = mode;
    choose();
  }
}

template <class S> void Controller<S>::choose() {
  const PartQueue &q = queue_[chosen_for_];
  if (ranks_ && q.high != 0) [[unlikely]]
    choose_by_rank(q);
  else
    choose_among<false>(q, windowed_ ? q.hits & q.window(pick_window_) : q.hits,
                        windowed_ ? q.window(prepare_window_) : ~0ULL);
}

// Of the next command for the reads that come first and of that for the others, the earlier one.
// Where one of the first waits for a bank, none of the others is served there.
template <class S> void Controller<S>::choose_by_rank(const PartQueue &q) {
  const std::uint64_t first = switching_.high_first() ? q.high : q.valid & ~q.high;
  std::uint64_t others = q.valid & ~first;
  for (std::uint32_t m = q.banks; m != 0; m &= m - 1) {
    const std::uint64_t of_bank = q.of_bank(std::countr_zero(m));
    if ((of_bank & first) != 0)
      others &= ~of_bank;
  }
  choose_among<true>(q, q.hits & first, first);
  const Choice of_first = chosen_;
  choose_among<true>(q, q.hits & others, others);
  if (of_first.when < chosen_.when ||
      (of_first.when == chosen_.when && of_first.act <= chosen_.act))
    chosen_ = of_first;
}

// The next command if `hits` may be served and banks be prepared for `window`.
template <class S>
template <bool by_rank>
inline void Controller<S>::choose_among(const PartQueue &q, std::uint64_t hits,
                                        std::uint64_t window) {
  Clk best = kNever;
  Act best_act = Act::none;
  int best_slot = 0;
  const Clk now = now_;
  const Clk from = std::max(now, dir_ok_[chosen_for_]);
  for (std::uint64_t h = hits; h != 0;) {
    const int slot = std::countr_zero(h);
    const int bank = q.bank(slot);
    const Clk when = std::max(from, column_ok_[bank]);
    if (when < best) {
      best = when;
      best_act = Act::column;
      best_slot = slot;
    }
    if (when == from)
      break;
    h &= ~q.of_bank(bank);
  }
  const auto consider = [&](std::uint64_t mine, Clk when, Act act) {
    const int slot = std::countr_zero(mine);
    when = command_slot(when);
    // At the same clock: a column first, then activates before precharges, then age.
    if (when < best || (when == best && best_act != Act::column &&
                        (act < best_act || (act == best_act && slot < best_slot)))) {
      best = when;
      best_act = act;
      best_slot = slot;
    }
  };
  // Banks that this direction needs otherwise: closed, or open with another row.
  const Clk any = std::max(now, activate_all_ok_);
  if (any < best)
    for (std::uint32_t m = q.banks & ~open_banks_; m != 0; m &= m - 1) {
      const int bank = std::countr_zero(m);
      const std::uint64_t mine = q.of_bank(bank) & window;
      if (mine != 0)
        consider(mine, std::max(any, activate_ok_[bank]), Act::activate);
    }
  if (now < best) {
    std::uint32_t other_row = q.banks & open_banks_;
    if (!by_rank && !windowed_)
      other_row &= ~q.hit_banks;
    for (std::uint32_t m = other_row; m != 0; m &= m - 1) {
      const int bank = std::countr_zero(m);
      const std::uint64_t mine = q.of_bank(bank) & window;
      // Hits are served first; or the oldest is one, and waits for its turn.
      if (mine == 0 || (hits & q.of_bank(bank)) != 0 || (mine & q.hits & (~mine + 1)) != 0)
        continue;
      consider(mine, std::max(now, precharge_ok_[bank]), Act::precharge);
    }
  }
  chosen_ = {best, best_act, best_slot};
}

// A valid choice, and a new part, to bank `bank`: only that part can change the choice, and only
// for its bank, because nothing else has changed.
template <class S> void Controller<S>::weigh(const PartQueue &q, int bank, int slot, bool hit) {
  if (hit) {
    const Clk when = std::max(std::max(now_, dir_ok_[chosen_for_]), column_ok_[bank]);
    if (chosen_.act == Act::precharge)
      chosen_.act = Act::none; // maybe of this bank, and then not needed now
    else if (when < chosen_.when || (when == chosen_.when && chosen_.act != Act::column))
      chosen_ = {when, Act::column, slot};
    return;
  }
  if ((q.of_bank(bank) & (q.of_bank(bank) - 1)) != 0)
    return; // an older part decides for the bank
  const bool closed = (open_banks_ >> bank & 1) == 0;
  const Clk when =
      command_slot(closed ? std::max(std::max(now_, activate_all_ok_), activate_ok_[bank])
                          : std::max(now_, precharge_ok_[bank]));
  const Act act = closed ? Act::activate : Act::precharge;
  if (when < chosen_.when ||
      (when == chosen_.when && act < chosen_.act && chosen_.act != Act::column))
    chosen_ = {when, act, slot};
}

} // namespace axm
