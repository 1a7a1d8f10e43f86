// The read or the write store of the UltraScale+ controller: single column commands in
// order of age, with masks so that "the oldest that hits an open row" is found by counting
// zeros. Holds up to 128, so that entries move at most once in 64 pushes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "axiometer/model/config/ports.hpp"
#include "axiometer/model/types.hpp"

namespace axm::clocked {

struct Entry {
  std::uint64_t column = 0; // byte address of the DRAM burst
  std::uint32_t row = 0;
  std::uint16_t stream = 0;
  std::uint8_t bank = 0; // with the rank above the bank
  std::uint8_t port = 0;
  TrafficClass traffic = TrafficClass::best_effort;
  Clk deadline = kNever;    // of the video class: from here on it is expired
  std::uint32_t ticket = 0; // read: its place in the port's order of return
};

// A set of slots.
class Slots {
public:
  std::uint64_t lo = 0, hi = 0;
  static Slots one(int i) { return i < 64 ? Slots{1ULL << i, 0} : Slots{0, 1ULL << (i - 64)}; }
  static Slots below(int i) {
    if (i >= 128)
      return {~0ULL, ~0ULL};
    return i < 64 ? Slots{(1ULL << i) - 1, 0} : Slots{~0ULL, (1ULL << (i - 64)) - 1};
  }
  explicit operator bool() const { return (lo | hi) != 0; }
  int first() const { return lo != 0 ? std::countr_zero(lo) : 64 + std::countr_zero(hi); }
  void drop_first() {
    if (lo != 0)
      lo &= lo - 1;
    else
      hi &= hi - 1;
  }
  Slots operator&(Slots o) const { return {lo & o.lo, hi & o.hi}; }
  Slots operator|(Slots o) const { return {lo | o.lo, hi | o.hi}; }
  Slots without(Slots o) const { return {lo & ~o.lo, hi & ~o.hi}; }
  bool has(int i) const { return ((i < 64 ? lo >> i : hi >> (i - 64)) & 1) != 0; }
};

class CommandStore {
public:
  static constexpr int kSlots = 128;
  static constexpr int kMaxBanks = 64;

  bool empty() const { return !valid_; }
  int size() const { return size_; }
  int size(TrafficClass c) const { return of_class_[static_cast<int>(c)]; }
  const Entry &operator[](int slot) const { return entry_[slot]; }
  Slots valid() const { return valid_; }
  Slots hits() const { return hits_; }
  Slots expired() const { return expired_; }
  Slots of_bank(int b) const { return of_bank_[b]; }
  std::uint64_t banks() const { return banks_; } // that have an entry
  bool holds(std::uint64_t column, int bank) const {
    if (alike_[hash(column)] == 0)
      return false;
    for (Slots m = of_bank_[bank]; m; m.drop_first())
      if (entry_[m.first()].column == column)
        return true;
    return false;
  }

  void push(const Entry &e, bool hit) {
    if (tail_ == kSlots)
      compact();
    const Slots bit = Slots::one(tail_);
    entry_[tail_++] = e;
    valid_ = valid_ | bit;
    of_bank_[e.bank] = of_bank_[e.bank] | bit;
    banks_ |= 1ULL << e.bank;
    if (hit)
      hits_ = hits_ | bit;
    if (e.deadline < next_deadline_)
      next_deadline_ = e.deadline;
    ++alike_[hash(e.column)];
    ++size_;
    ++of_class_[static_cast<int>(e.traffic)];
  }

  void remove(int slot) {
    const Slots bit = Slots::one(slot);
    const Entry &e = entry_[slot];
    valid_ = valid_.without(bit);
    hits_ = hits_.without(bit);
    expired_ = expired_.without(bit);
    of_bank_[e.bank] = of_bank_[e.bank].without(bit);
    if (!of_bank_[e.bank])
      banks_ &= ~(1ULL << e.bank);
    --alike_[hash(e.column)];
    --size_;
    --of_class_[static_cast<int>(e.traffic)];
    if (!valid_)
      tail_ = 0;
  }

  void row_opened(int bank, std::uint32_t row) {
    for (Slots m = of_bank_[bank]; m; m.drop_first())
      if (entry_[m.first()].row == row)
        hits_ = hits_ | Slots::one(m.first());
  }
  void row_closed(int bank) { hits_ = hits_.without(of_bank_[bank]); }

  // Marks what has expired at `now`.
  void expire(Clk now) {
    if (now < next_deadline_)
      return;
    next_deadline_ = kNever;
    for (Slots m = valid_.without(expired_); m; m.drop_first()) {
      const int slot = m.first();
      const Clk d = entry_[slot].deadline;
      if (d <= now)
        expired_ = expired_ | Slots::one(slot);
      else if (d < next_deadline_)
        next_deadline_ = d;
    }
  }

private:
  // Neighbouring DRAM bursts, and those of streams some megabytes apart, differ in it.
  static std::size_t hash(std::uint64_t column) {
    return static_cast<std::size_t>(column * 0x9e3779b97f4a7c15ULL >> 56);
  }
  void compact() {
    int n = 0;
    Slots new_hits, new_expired;
    for (Slots &m : of_bank_)
      m = {};
    for (Slots m = valid_; m; m.drop_first(), ++n) {
      const int slot = m.first();
      const Slots bit = Slots::one(n);
      if (hits_.has(slot))
        new_hits = new_hits | bit;
      if (expired_.has(slot))
        new_expired = new_expired | bit;
      entry_[n] = entry_[slot];
      of_bank_[entry_[n].bank] = of_bank_[entry_[n].bank] | bit;
    }
    valid_ = Slots::below(n);
    hits_ = new_hits;
    expired_ = new_expired;
    tail_ = n;
  }

  Slots valid_, hits_, expired_;
  Slots of_bank_[kMaxBanks];
  std::uint64_t banks_ = 0;
  Clk next_deadline_ = kNever;
  int tail_ = 0, size_ = 0, of_class_[3] = {};
  std::array<std::uint8_t, 256> alike_{}; // entries of each hash
  Entry entry_[kSlots];
};

} // namespace axm::clocked
