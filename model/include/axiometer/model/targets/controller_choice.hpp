// The members of Controller that choose its next command; see controller.hpp, which includes this.
#pragma once

#include <algorithm>
#include <bit>

#include "axiometer/model/targets/controller.hpp"

namespace axm {

// Chooses the direction. Returns until when it is that one, if nothing but a part comes.
template <class S> [[gnu::noinline]] Clk Controller<S>::decide() {
  const bool reads = waits(kRead), writes = waits(kWrite);
  if (!ranks_) [[likely]] {
    switching_.decide(reads, writes, now_);
    return reads && writes ? switching_.next_change(now_) : kNever;
  }
  switching_.decide(reads, writes, now_, waits(kHighReads));
  chosen_ = {}; // which reads come first may have changed
  return switching_.next_change_of_three(now_);
}

// What to do next, and until when nothing but a part that comes can change that.
template <class S> [[gnu::always_inline]] inline void Controller<S>::reconsider() {
  standing_ = true;
  // Between parts only: a new one may be chosen from tCCD after the last column command on.
  Clk decide_at = std::max(decide_at_, run_end_);
  if (now_ >= decide_at && now_ < refresh_due_)
    decide_at_ = decide_at = decide();
  until_ = std::min(refresh_due_, decide_at);
  // A choice is valid until a command is issued or a new part comes.
  const Dir mode = switching_.mode();
  if (chosen_.none() || chosen_for_ != mode) {
    chosen_for_ = mode;
    if (chooses_of_all_) [[likely]]
      choose_of_all(queue_[mode]);
    else
      choose_of_some(queue_[mode]);
  }
}

// The next command if all parts may be served and prepared for.
template <class S>
[[gnu::always_inline]] inline void Controller<S>::choose_of_all(const PartQueue &q) {
  const Clk now = now_;
  Choice best = first_column(q, q.hits, std::max(now, dir_ok_[chosen_for_]));
  if (now < best.when)
    for (std::uint32_t m = q.unopen; m != 0; m &= m - 1) {
      const int bank = std::countr_zero(m);
      best.or_sooner(preparation(bank, std::countr_zero(q.of_bank(bank))));
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
  chosen_ = a.when < b.when || (a.when == b.when && a.act() <= b.act()) ? a : b;
}

// The next command if `hits` may be served and banks be prepared for `window`.
template <class S>
auto Controller<S>::choose_among(const PartQueue &q, std::uint64_t hits, std::uint64_t window) const
    -> Choice {
  Choice best = first_column(q, hits, std::max(now_, dir_ok_[chosen_for_]));
  for (std::uint64_t m = window; m != 0;) {
    const int slot = std::countr_zero(m);
    const int bank = q.bank(slot);
    const std::uint64_t of_bank = q.of_bank(bank);
    m &= ~of_bank;
    // Hits are served first; or the oldest is one, and waits for its turn.
    if ((hits & of_bank) == 0 && (q.hits >> slot & 1) == 0)
      best.or_sooner(preparation(bank, slot));
  }
  return best;
}

// The first column command for one of `hits`, if the bus is free from `from` on.
template <class S>
[[gnu::always_inline]] inline auto Controller<S>::first_column(const PartQueue &q,
                                                               std::uint64_t hits, Clk from) const
    -> Choice {
  // Without a branch for the first, which mostly is the answer, and for none.
  int slot = std::countr_zero(hits | PartQueue::kNoHit), bank = q.bank(slot);
  Clk ready = bank_[bank].column_ok;
  Choice best(std::max(from, ready), kColumn, slot);
  while (ready > from && (hits &= ~q.of_bank(bank)) != 0) [[unlikely]] {
    slot = std::countr_zero(hits);
    bank = q.bank(slot);
    ready = bank_[bank].column_ok;
    best.or_sooner({std::max(from, ready), kColumn, slot});
  }
  return best;
}

// What opens the bank for the part in `slot`: an activate, or before that a precharge.
template <class S>
[[gnu::always_inline]] inline auto Controller<S>::preparation(int bank, int slot) const -> Choice {
  const int open = static_cast<int>(open_banks_ >> bank & 1);
  const Clk when = command_slot(std::max({now_, all_ok_[open], bank_[bank].prepare_ok[open]}));
  return {when, kActivate + open, slot};
}

// A valid choice, and a new part, to bank `bank`: only that part can change the choice, and only
// for its bank, because nothing else has changed.
template <class S>
inline void Controller<S>::weigh(const PartQueue &q, int bank, int slot, bool hit) {
  if (hit) {
    const Clk when = std::max({now_, dir_ok_[chosen_for_], bank_[bank].column_ok});
    if (chosen_.act() == kPrecharge)
      chosen_ = {}; // maybe of this bank, and then not needed now
    else
      chosen_.or_sooner({when, kColumn, slot});
  } else if ((q.of_bank(bank) & (q.of_bank(bank) - 1)) == 0) { // otherwise an older part decides
    chosen_.or_sooner(preparation(bank, slot));
  }
}

} // namespace axm
