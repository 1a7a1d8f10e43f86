// Writing the state of a system as numbers relative to one moment, and reading
// it back at another. Two moments with the same numbers have the same future,
// but for the addresses' rows and the ends of the streams (see memoisation.hpp).
//
// Every new variable of the state must be visited, or skipping is no longer
// exact; `tests/` compares skipping with the plain model to catch that.
#pragma once

#include <algorithm>
#include <cstdint>

#include "axiometer/model/machine/packed.hpp"
#include "axiometer/model/types.hpp"

namespace axm {

using Key = Bytes;

class KeyWriter {
public:
  static constexpr bool kReads = false;
  KeyWriter(Key &key, Clk t0) : key_(key), t0_(t0) {}

  // The moment in cycles of the clock in which those of the next numbers are.
  void cycles_from(Cycle c0) { c0_ = c0; }

  template <class T> void small(T &v) { pack(key_, static_cast<std::int64_t>(v)); }
  // A bound: values in the past no longer matter.
  void clk(Clk &v) { time(v, std::max<Clk>(v - t0_, 0)); }
  void cycle(Cycle &v) { time(v, std::max<Cycle>(v - c0_, 0)); }
  // A moment that matters even when past.
  void exact_clk(Clk &v) { time(v, v - t0_); }
  void exact_cycle(Cycle &v) { time(v, v - c0_); }

private:
  // kNever as one byte: it is frequent.
  void time(std::int64_t v, std::int64_t relative) {
    pack(key_, v >= kNever ? kFar : relative < kFar ? relative : relative + 1);
  }
  static constexpr std::int64_t kFar = 63;
  friend class KeyReader;

  Key &key_;
  Clk t0_;
  Cycle c0_ = 0;
};

class KeyReader {
public:
  static constexpr bool kReads = true;
  KeyReader(const Key &key, Clk t0) : in_(key), t0_(t0) {}

  void cycles_from(Cycle c0) { c0_ = c0; }

  template <class T> void small(T &v) { v = static_cast<T>(in_.get()); }
  void clk(Clk &v) { exact_clk(v); }
  void cycle(Cycle &v) { exact_cycle(v); }
  void exact_clk(Clk &v) { v = time(t0_); }
  void exact_cycle(Cycle &v) { v = time(c0_); }

private:
  std::int64_t time(std::int64_t origin) {
    const std::int64_t k = in_.get();
    if (k == KeyWriter::kFar)
      return kNever;
    return origin + (k < KeyWriter::kFar ? k : k - 1);
  }

  Unpacker in_;
  Clk t0_;
  Cycle c0_ = 0;
};

} // namespace axm
