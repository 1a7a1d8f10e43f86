// How a configuration names its members: each structure has one function `visit` that gives every
// member once, with its key, limits and meaning. Code that reads, checks, prints or documents a
// configuration is a visitor of it, so that a key is written in one place.
//
// A visitor `v` has
//   v(key, member, about, meaning)         a number, truth, text, word or list of numbers
//   v.pair(key, both, about, meaning)      KEY_read and KEY_write; a document may give KEY for both
//   v.table(key, required, inside)         calls inside(visitor of the table)
//   v.list(key, items, inside)             calls inside(visitor of the item, item) for each
//   v.only(policy, wanted, inside)         calls inside() where the policy is the wanted one
//
// Not for: conditions on two values together (`SystemConfig::check`).
#pragma once

#include <cstdint>
#include <limits>

#include "axiometer/model/types.hpp"

namespace axm {

// Limits of a member, and the unit of its numbers. A required one has no default.
struct About {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const char *unit = "";
  bool required = true;
};

// The same of an optional key; without it the member keeps its value.
constexpr About optional(About about = {}) {
  about.required = false;
  return about;
}

// The words that an enumeration is written in. An enumeration E of a configuration has a function
// `words(E)` that returns an array of these.
template <class E> struct Word {
  const char *name;
  E value;
};

inline constexpr Word<Dir> kDirections[] = {{"read", kRead}, {"write", kWrite}};
constexpr auto &words(Dir) { return kDirections; }

// A table that is a structure.
template <class V, class T> void visit_table(V &v, const char *key, T &table) {
  v.table(key, true, [&](auto &of) { visit(of, table); });
}
// One that may be left out as a whole.
template <class V, class T> void visit_optional(V &v, const char *key, T &table) {
  v.table(key, false, [&](auto &of) { visit(of, table); });
}

// Limits that several keys have. Delays, in any clock: milliseconds. Sizes of what is between
// memory and master. Counts of waiting items. Bytes of a memory, and bits of its address.
inline constexpr std::int64_t kMostDelay = 1 << 20;
inline constexpr std::int64_t kMostSize = 1 << 20;
inline constexpr std::int64_t kMostCount = 1 << 16;
inline constexpr std::int64_t kMostMemory = std::int64_t{1} << 40;
inline constexpr std::int64_t kAddressBits = 40;
// A base unit is at least this part of a clock: the longest run still has millions of clocks.
inline constexpr std::int64_t kMostPeriod = std::int64_t{1} << 38;
// Times beyond this many base units are never reached: sums of a few of them still fit.
inline constexpr std::int64_t kMostTime = std::int64_t{1} << 61;

inline constexpr const char *kUspDdrc = "usp-ddrc";
inline constexpr const char *kZynqDdrc = "zynq-ddrc";

} // namespace axm
