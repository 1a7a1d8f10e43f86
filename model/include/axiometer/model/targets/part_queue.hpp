// The read or the write store of a controller: parts of bursts, kept in order
// of age in the bits of one 64-bit word, so that "the oldest that hits an open
// row" is one count of trailing zeros.
#pragma once

#include <bit>
#include <cstdint>

#include "axiometer/model/types.hpp"

namespace axm {

// Up to `columns` neighbouring column commands in one row, served in one go.
struct Part {
  std::uint32_t row = 0;
  std::uint16_t column = 0;
  std::uint8_t bank = 0;
  std::uint8_t columns = 1;
  std::uint16_t stream = 0;
  bool high = false;       // a high-priority read
  std::uint8_t cause = 0;  // BusClass of the time before `requested`: why it came no sooner
  std::uint32_t index = 0; // of the part within its stream
  Clk requested = 0;       // time of its master's or port's request
};

class PartQueue {
public:
  static constexpr int kSlots = 64;
  static constexpr int kMaxBanks = 32;

  std::uint64_t valid = 0;
  std::uint64_t hits = 0;      // entries whose row is open
  std::uint32_t banks = 0;     // banks that have an entry
  std::uint32_t hit_banks = 0; // banks that have an entry whose row is open
  int columns[2] = {0, 0};     // column commands held: of others, of high-priority reads
  std::uint64_t high = 0;      // entries that are high-priority reads

  bool empty() const { return valid == 0; }
  std::uint64_t of_bank(int b) const { return of_bank_[b]; }
  const Part &operator[](int slot) const { return part_[slot]; }
  int bank(int slot) const { return part_[slot].bank; }

  // The oldest `n` entries.
  std::uint64_t window(int n) const {
    if (n >= std::popcount(valid))
      return valid;
    std::uint64_t rest = valid;
    for (int i = 0; i < n; ++i)
      rest &= rest - 1;
    return valid & ~rest;
  }

  bool full() const { return tail_ == kSlots; }

  // Returns the slot. If `full`, the entries change theirs.
  int push(const Part &p, bool hit) {
    if (full())
      compact();
    const int slot = tail_++;
    const std::uint64_t bit = 1ULL << slot;
    part_[slot] = p;
    row_[slot] = p.row;
    valid |= bit;
    of_bank_[p.bank] |= bit;
    banks |= 1U << p.bank;
    hits |= hit ? bit : 0;
    hit_banks |= (hit ? 1U : 0U) << p.bank;
    high |= p.high ? bit : 0;
    columns[p.high] += p.columns;
    return slot;
  }

  void remove(int slot) {
    const std::uint64_t keep = ~(1ULL << slot);
    const Part &p = part_[slot];
    valid &= keep;
    hits &= keep;
    const std::uint64_t left = of_bank_[p.bank] &= keep;
    banks &= ~((left == 0 ? 1U : 0U) << p.bank);
    hit_banks &= ~(((left & hits) == 0 ? 1U : 0U) << p.bank);
    high &= keep;
    columns[p.high] -= p.columns;
    if (valid == 0)
      tail_ = 0;
  }

  void row_opened(int bank, std::uint32_t row) {
    std::uint64_t found = 0;
    for (std::uint64_t m = of_bank_[bank]; m != 0; m &= m - 1)
      found |= m & (~m + 1) & (~std::uint64_t{row_[std::countr_zero(m)] == row} + 1); // no branch
    hits |= found;
    hit_banks |= (found != 0 ? 1U : 0U) << bank;
  }
  void row_closed(int bank) {
    hits &= ~of_bank_[bank];
    hit_banks &= ~(1U << bank);
  }
  void all_rows_closed() {
    hits = 0;
    hit_banks = 0;
  }

  void clear() {
    valid = hits = high = 0;
    banks = hit_banks = 0;
    columns[0] = columns[1] = tail_ = 0;
    for (auto &m : of_bank_)
      m = 0;
  }

private:
  // Moves the entries to the low slots; their order stays. At most once in as
  // many pushes as the store has free slots.
  void compact() {
    int n = 0;
    std::uint64_t new_hits = 0;
    high = 0;
    for (auto &m : of_bank_)
      m = 0;
    for (std::uint64_t m = valid; m != 0; m &= m - 1) {
      const int slot = std::countr_zero(m);
      const std::uint64_t bit = 1ULL << n;
      if (hits >> slot & 1)
        new_hits |= bit;
      part_[n] = part_[slot];
      high |= (part_[n].high ? bit : 0);
      row_[n] = row_[slot];
      of_bank_[part_[n].bank] |= bit;
      ++n;
    }
    valid = n == 64 ? ~0ULL : (1ULL << n) - 1;
    hits = new_hits;
    tail_ = n;
  }

  int tail_ = 0;
  std::uint64_t of_bank_[kMaxBanks] = {};
  Part part_[kSlots];
  std::uint32_t row_[kSlots]; // of these parts, close together
};

} // namespace axm
