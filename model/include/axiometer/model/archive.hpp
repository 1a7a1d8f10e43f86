// Writing the state of a system as numbers relative to one moment, and reading
// it back at another. Two moments with the same numbers have the same future,
// but for the addresses' rows and the ends of the streams (see memory.hpp).
//
// Every new variable of the state must be visited, or skipping is no longer
// exact; `tests/` compares skipping with the plain model to catch that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "axiometer/model/types.hpp"

namespace axm {

using Key = std::vector<std::int32_t>;

class KeyWriter {
public:
  static constexpr bool kReads = false;
  KeyWriter(Key &key, Clk t0, Cycle c0) : key_(key), t0_(t0), c0_(c0) {}

  template <class T> void small(T &v) { put(static_cast<std::int64_t>(v)); }
  // A bound: what lies in the past no longer matters.
  void clk(Clk &v) { put(v >= kNever ? kFar : std::max<Clk>(v - t0_, 0)); }
  void cycle(Cycle &v) { put(v >= kNever ? kFar : std::max<Cycle>(v - c0_, 0)); }
  // A moment that matters even when past.
  void exact_clk(Clk &v) { put(v >= kNever ? kFar : v - t0_); }
  void exact_cycle(Cycle &v) { put(v >= kNever ? kFar : v - c0_); }

private:
  static constexpr std::int64_t kFar = 0x7fffffff;
  void put(std::int64_t v) {
    if (v > kFar || v < -kFar)
      fits_ = false;
    key_.push_back(static_cast<std::int32_t>(v));
  }
  Key &key_;
  Clk t0_;
  Cycle c0_;

public:
  // False if a number was too large for the key: the state is then not kept.
  bool fits_ = true;
};

class KeyReader {
public:
  static constexpr bool kReads = true;
  KeyReader(const Key &key, Clk t0, Cycle c0) : at_(key.data()), t0_(t0), c0_(c0) {}

  template <class T> void small(T &v) { v = static_cast<T>(*at_++); }
  void clk(Clk &v) { exact_clk(v); }
  void cycle(Cycle &v) { exact_cycle(v); }
  void exact_clk(Clk &v) {
    const std::int32_t k = *at_++;
    v = k == 0x7fffffff ? kNever : t0_ + k;
  }
  void exact_cycle(Cycle &v) {
    const std::int32_t k = *at_++;
    v = k == 0x7fffffff ? kNever : c0_ + k;
  }

private:
  const std::int32_t *at_;
  Clk t0_;
  Cycle c0_;
};

} // namespace axm
