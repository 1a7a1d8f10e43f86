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
  static constexpr int kStreams = 64; // that are told apart
  // None, those of two stores of 64 parts, those open in each bank, and the streams' latest.
  static constexpr int kMost = 1 + 2 * 64 + kMaxBanks + kStreams;

  RowNumbers() { clear(); }

  // The number of this row; it gets one if it has none. A stream's parts follow one another in a
  // row, so that the stream's latest is tried first. `idle(bank, number)`: whether no part waits
  // for the row and it is closed. Then its number may go to another row, unless it is the latest.
  template <class Idle> int of(int bank, std::uint32_t row, int stream, Idle &&idle) {
    const std::uint64_t key = std::uint64_t{row} << 5 | static_cast<std::uint64_t>(bank);
    const auto of = static_cast<std::size_t>(stream) % kStreams;
    if (key_[latest_[of]] != key) [[unlikely]] {
      latest_[of] = find(bank, key, idle);
      stream_[latest_[of]] = static_cast<std::uint8_t>(of);
    }
    return latest_[of];
  }

  void clear() {
    key_.fill(kNoKey);
    first_.fill(kNone);
    latest_.fill(kNone);
    stream_.fill(0);
    for (std::size_t i = 1; i < kMost; ++i)
      next_[i] = static_cast<std::uint8_t>(i + 1 < kMost ? i + 1 : kNone);
    free_ = 1;
  }

private:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  template <class Idle>
  [[gnu::noinline]] std::uint8_t find(int bank, std::uint64_t key, Idle &&idle) {
    if (const std::uint8_t n = look(bank, key, idle); n != kNone)
      return n;
    for (int b = 0; free_ == kNone && b < kMaxBanks; ++b)
      look(b, kNoKey, idle);
    const std::uint8_t n = free_;
    std::uint8_t &first = first_[static_cast<std::size_t>(bank)];
    free_ = next_[n];
    next_[n] = first;
    first = n;
    key_[n] = key;
    return n;
  }

  // The number of the bank that is that row's, or none. Takes back those of the others that are
  // idle.
  template <class Idle> std::uint8_t look(int bank, std::uint64_t key, Idle &&idle) {
    std::uint8_t found = kNone;
    for (std::uint8_t *link = &first_[static_cast<std::size_t>(bank)]; *link != kNone;) {
      const std::uint8_t n = *link;
      if (key_[n] == key) {
        found = n;
      } else if (latest_[stream_[n]] != n && idle(bank, n)) {
        *link = next_[n];
        key_[n] = kNoKey;
        next_[n] = free_;
        free_ = n;
        continue;
      }
      link = &next_[n];
    }
    return found;
  }

  std::array<std::uint64_t, kMost> key_; // row and bank
  std::array<std::uint8_t, kMost> next_; // of the same bank, or of those that are free
  std::array<std::uint8_t, kMaxBanks> first_;
  std::array<std::uint8_t, kStreams> latest_;
  std::array<std::uint8_t, kMost> stream_; // the last that had it as its latest
  std::uint8_t free_;
};

} // namespace axm
