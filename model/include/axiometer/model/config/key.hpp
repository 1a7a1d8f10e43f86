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
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

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

// A word whose words are known only at run time.
struct AnyWord {
  int value = -1;
  std::vector<Word<int>> of;
  void operator=(int x) { value = x; }
  friend bool operator==(int x, const AnyWord &w) { return x == w.value; }
  friend const auto &words(const AnyWord &w) { return w.of; }
};
template <class T> inline constexpr bool kIsWord = std::is_enum_v<T> || std::is_same_v<T, AnyWord>;

// A visitor for what registers itself (targets/registry.hpp), which cannot be a template: its keys
// are whole numbers, pairs of these, truths and words.
struct KeyMember { // one of them
  int *number = nullptr;
  int (*pair)[2] = nullptr;
  bool *truth = nullptr;
  AnyWord *word = nullptr;
};
struct KeyVisitor {
  std::function<void(const char *, KeyMember, const About &, const char *)> give;

  void operator()(const char *key, int &x, const About &about, const char *meaning) const {
    give(key, {.number = &x}, about, meaning);
  }
  void operator()(const char *key, bool &x, const About &about, const char *meaning) const {
    give(key, {.truth = &x}, about, meaning);
  }
  template <class E>
  void operator()(const char *key, E &x, const About &about, const char *meaning) const {
    AnyWord word{static_cast<int>(x), {}};
    for (const auto &[name, value] : words(x))
      word.of.push_back({name, static_cast<int>(value)});
    give(key, {.word = &word}, about, meaning);
    x = static_cast<E>(word.value);
  }
  void pair(const char *key, int (&both)[2], const About &about, const char *meaning) const {
    give(key, {.pair = &both}, about, meaning);
  }
};

template <class V> KeyVisitor any_visitor(V &v) {
  return {[&v](const char *key, KeyMember member, const About &about, const char *meaning) {
    if (member.number != nullptr)
      v(key, *member.number, about, meaning);
    else if (member.pair != nullptr)
      v.pair(key, *member.pair, about, meaning);
    else if (member.truth != nullptr)
      v(key, *member.truth, about, meaning);
    else
      v(key, *member.word, about, meaning);
  }};
}

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
