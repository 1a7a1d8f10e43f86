// Numbers for the rows that a controller has to do with: those that are open, and those for which
// parts wait. Parts of one row then have one small number, by which they are kept together.
#pragma once

#include <array>
#include <cstdint>

namespace axm {

class RowNumbers {
public:
  static constexpr int kNone = 0;
  static constexpr int kMaxBanks = 32;
  // Up to two stores of 64 parts, and a row that is open in each bank.
  static constexpr int kMost = 1 + 2 * 64 + kMaxBanks;

  RowNumbers() { clear(); }

  // The number of this row; it gets one if it has none. A stream's parts follow one another in a
  // row, so that the stream's latest is tried first.
  int of(int bank, std::uint32_t row, int stream) {
    const std::uint64_t key = std::uint64_t{row} << 5 | static_cast<std::uint64_t>(bank);
    std::uint8_t &latest = latest_[static_cast<std::size_t>(stream) % latest_.size()];
    if (key_[latest] != key) [[unlikely]]
      latest = find(bank, key);
    return latest;
  }

  // The row, of which no part waits, is closed.
  void release(int bank, int number) {
    std::uint8_t *link = &first_[static_cast<std::size_t>(bank)];
    while (*link != number)
      link = &next_[*link];
    *link = next_[static_cast<std::size_t>(number)];
    key_[static_cast<std::size_t>(number)] = kNoKey;
    next_[static_cast<std::size_t>(number)] = free_;
    free_ = static_cast<std::uint8_t>(number);
  }

  void clear() {
    key_.fill(kNoKey);
    first_.fill(kNone);
    latest_.fill(kNone);
    for (std::size_t i = 1; i < kMost; ++i)
      next_[i] = static_cast<std::uint8_t>(i + 1 < kMost ? i + 1 : kNone);
    free_ = 1;
  }

private:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  [[gnu::noinline]] std::uint8_t find(int bank, std::uint64_t key) {
    std::uint8_t &first = first_[static_cast<std::size_t>(bank)];
    for (std::uint8_t n = first; n != kNone; n = next_[n])
      if (key_[n] == key)
        return n;
    const std::uint8_t n = free_;
    free_ = next_[n];
    next_[n] = first;
    first = n;
    key_[n] = key;
    return n;
  }

  std::array<std::uint64_t, kMost> key_; // row and bank
  std::array<std::uint8_t, kMost> next_; // of the same bank, or of those that are free
  std::array<std::uint8_t, kMaxBanks> first_;
  std::array<std::uint8_t, 64> latest_; // of streams
  std::uint8_t free_;
};

} // namespace axm
