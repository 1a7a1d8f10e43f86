// Clocks at which something may happen, of which the next is asked for again and again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "state.hpp"

namespace axm::plain {

class Agenda {
public:
  // `farthest`: how many clocks a clock that is added is ahead at most.
  explicit Agenda(Clk farthest)
      : words_(std::bit_ceil(static_cast<std::size_t>(farthest) / kBits + 2)) {}

  // The clock `now + ahead`. `now` is never earlier than it was in a call before.
  void add(Clk now, Clk ahead) {
    forget_before(now / kBits);
    word((now + ahead) / kBits) |= std::uint64_t{1} << (now + ahead) % kBits;
  }

  // The first one later than `now`; kNever if there is none. Earlier ones are forgotten.
  Clk after(Clk now) {
    const Clk here = (now + 1) / kBits;
    forget_before(here);
    word(here) &= ~std::uint64_t{0} << (now + 1) % kBits;
    for (Clk i = here; i < here + all(); ++i)
      if (word(i) != 0)
        return i * kBits + std::countr_zero(word(i));
    return kNever;
  }

private:
  static constexpr Clk kBits = 64;
  Clk all() const { return static_cast<Clk>(words_.size()); }
  std::uint64_t &word(Clk i) { return words_[static_cast<std::size_t>(i) & (words_.size() - 1)]; }
  // A word is used again for later clocks.
  void forget_before(Clk here) {
    for (past_ = std::max(past_, here - all()); past_ < here; ++past_)
      word(past_) = 0;
  }

  std::vector<std::uint64_t> words_; // a ring, bit `clock % 64` of word `clock / 64`
  Clk past_ = 0;                     // words before this one are empty
};

} // namespace axm::plain
