// The read or the write store of a controller: parts of bursts, kept in order
// of age in the bits of one 64-bit word, so that "the oldest that hits an open
// row" is one count of trailing zeros.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "axiometer/model/targets/row_numbers.hpp"
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
  static constexpr int kSlots = 63;
  static constexpr std::uint64_t kNoHit = 1ULL << kSlots; // the slot after all others
  static constexpr int kMaxBanks = RowNumbers::kMaxBanks;

  std::uint64_t valid = 0;
  std::uint64_t hits = 0;   // entries whose row is open
  std::uint64_t high = 0;   // entries that are high-priority reads
  std::uint32_t unopen = 0; // banks that have entries, but none whose row is open

  bool empty() const { return valid == 0; }
  std::uint64_t of_bank(int b) const { return of_bank_[b]; }
  std::uint64_t of_row(int number) const { return of_row_[number]; }
  const Part &operator[](int slot) const { return part_[slot]; }
  // Of the slot after all others it is kMaxBanks, which has no parts.
  int bank(int slot) const { return bank_[slot]; }
  int row(int slot) const { return row_[slot]; } // its number

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

  // A part of the row with this number; `hit`: that is open. Returns the slot. If `full`, the
  // entries change theirs.
  [[gnu::always_inline]] int push(const Part &p, int row, bool hit) {
    if (full()) [[unlikely]]
      compact();
    const int slot = tail_++;
    const std::uint64_t bit = 1ULL << slot;
    part_[slot] = p;
    row_[slot] = static_cast<std::uint8_t>(row);
    bank_[slot] = p.bank;
    valid |= bit;
    hits |= std::uint64_t{hit} << slot;
    of_row_[row] |= bit;
    const std::uint64_t of_bank = of_bank_[p.bank] |= bit;
    const std::uint32_t bank = 1U << p.bank;
    unopen = (of_bank & hits) != 0 ? unopen & ~bank : unopen | bank;
    if (p.high) [[unlikely]]
      high |= bit;
    return slot;
  }

  // Removes a hit.
  [[gnu::always_inline]] void remove(int slot) {
    const std::uint64_t keep = ~(1ULL << slot);
    const int bank = bank_[slot];
    valid &= keep;
    hits &= keep;
    high &= keep;
    of_row_[row_[slot]] &= keep;
    const std::uint64_t left = of_bank_[bank] &= keep;
    unopen |= static_cast<std::uint32_t>((left != 0) & ((left & hits) == 0)) << bank;
    if (valid == 0)
      tail_ = 0;
  }

  void row_opened(int bank, int number) {
    const std::uint64_t found = of_row_[number];
    hits |= found;
    unopen &= ~((found != 0 ? 1U : 0U) << bank);
  }
  void row_closed(int bank, int number) {
    const std::uint64_t found = of_row_[number];
    hits &= ~found;
    unopen |= (found != 0 ? 1U : 0U) << bank;
  }

  void clear() {
    for (std::uint64_t m = valid; m != 0; m &= m - 1)
      of_row_[row_[std::countr_zero(m)]] = 0;
    valid = hits = high = 0;
    unopen = 0;
    tail_ = 0;
    for (auto &m : of_bank_)
      m = 0;
  }

private:
  // Moves the entries to the low slots; their order stays. At most once in as
  // many pushes as the store has free slots.
  [[gnu::noinline]] void compact() {
    const std::uint64_t old = valid, old_hits = hits;
    clear();
    for (std::uint64_t m = old; m != 0; m &= m - 1) {
      const int slot = std::countr_zero(m);
      push(part_[slot], row_[slot], old_hits >> slot & 1);
    }
  }

  int tail_ = 0;
  std::uint64_t of_bank_[kMaxBanks + 1] = {};
  std::uint64_t of_row_[RowNumbers::kMost] = {}; // by the row's number
  Part part_[kSlots];
  std::uint8_t row_[kSlots]; // the numbers of these parts' rows
  std::array<std::uint8_t, kSlots + 1> bank_ = [] {
    std::array<std::uint8_t, kSlots + 1> a{};
    a[kSlots] = kMaxBanks;
    return a;
  }(); // and their banks
};

} // namespace axm
