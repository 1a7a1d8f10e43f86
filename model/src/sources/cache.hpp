// A level of caches: in each set the lines that it holds, the one used last in front.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace axm::sources {

class CacheLevel {
public:
  CacheLevel(int bytes, int ways, int line_bytes)
      : ways_(ways), sets_(bytes / ways / line_bytes),
        mask_(std::has_single_bit(static_cast<unsigned>(sets_)) ? sets_ - 1 : -1),
        parts_(static_cast<std::size_t>((sets_ + kPart - 1) / kPart)) {}
  CacheLevel(const CacheLevel &) = delete;
  CacheLevel &operator=(const CacheLevel &) = delete;

  // Whether it holds `line`, which is then the one used last.
  bool use(std::int64_t line) {
    if (*latest_ >> 1 == line)
      return true;
    if (*before_ >> 1 == line) { // as where a loop loads from one line and stores to another
      std::swap(latest_, before_);
      return true;
    }
    Line *const set = set_of(line);
    const int i = find(set, line);
    if (i == ways_)
      return false;
    in_front(set, i, set[i]);
    return true;
  }
  bool use_to_write(std::int64_t line) {
    if (!use(line))
      return false;
    *latest_ |= kDirty;
    return true;
  }
  // Takes `line` in. The line that has to leave, if one must and if it is dirty.
  std::optional<std::int64_t> take(std::int64_t line, bool dirty) {
    if (dirty ? use_to_write(line) : use(line))
      return {};
    Line *const set = set_of(line);
    const Line oldest = set[ways_ - 1];
    in_front(set, ways_ - 1, line << 1 | (dirty ? kDirty : 0));
    return oldest >= 0 && (oldest & kDirty) ? std::optional(oldest >> 1) : std::nullopt;
  }
  void clean(std::int64_t line) {
    Line *const set = set_of(line);
    if (const int i = find(set, line); i < ways_)
      set[i] &= ~kDirty;
  }
  void drop(std::int64_t line) {
    Line *const set = set_of(line);
    if (const int i = find(set, line); i < ways_) {
      std::copy(set + i + 1, set + ways_, set + i);
      set[ways_ - 1] = kNone;
    }
  }

private:
  using Line = std::int64_t; // its number, and whether it is dirty
  static constexpr Line kNone = -1, kDirty = 1;

  int find(const Line *set, std::int64_t line) const {
    int i = 0;
    while (i < ways_ && set[i] >> 1 != line)
      ++i;
    return i;
  }
  void in_front(Line *set, int i, Line line) {
    for (; i > 0; --i)
      set[i] = set[i - 1];
    *set = line;
    if (set != latest_)
      before_ = std::exchange(latest_, set);
  }
  // Sets are made when they are needed, some at a time.
  Line *set_of(std::int64_t line) {
    const std::int64_t set = mask_ >= 0 ? line & mask_ : line % sets_;
    auto &part = parts_[static_cast<std::size_t>(set / kPart)];
    if (!part) {
      const auto size = static_cast<std::size_t>(kPart * ways_);
      part = std::make_unique_for_overwrite<Line[]>(size);
      std::fill_n(part.get(), size, kNone);
    }
    return &part[static_cast<std::size_t>(set % kPart * ways_)];
  }

  static constexpr int kPart = 64;
  int ways_, sets_;
  std::int64_t mask_; // of the sets, if they are a power of two
  std::vector<std::unique_ptr<Line[]>> parts_;
  Line none_ = kNone;
  Line *latest_ = &none_, *before_ = &none_; // in front of their sets
};

} // namespace axm::sources
