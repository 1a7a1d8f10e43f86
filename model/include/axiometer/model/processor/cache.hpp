// A set-associative cache with least-recently-used replacement: which lines it holds, and which
// of them are dirty. It has no time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace axm::processor {

class Cache {
public:
  Cache(int bytes, int ways, int line_bytes)
      : ways_(static_cast<std::size_t>(ways)),
        sets_(static_cast<std::size_t>(bytes / (ways * line_bytes))), slots_(ways_ * sets_) {}

  // Whether `line` (an address over the line's size) is here; it is then the latest one used.
  bool touch(std::uint64_t line, bool write) {
    Slot *slot = find(line);
    if (!slot)
      return false;
    slot->used = ++clock_;
    slot->dirty = slot->dirty || write;
    return true;
  }
  // Puts `line` in. The dirty line that had to leave, if one had to.
  std::optional<std::uint64_t> fill(std::uint64_t line, bool dirty) {
    if (touch(line, dirty))
      return std::nullopt;
    Slot *set = &slots_[line % sets_ * ways_], *oldest = set;
    for (Slot *slot = set; slot != set + ways_; ++slot)
      if (slot->used < oldest->used)
        oldest = slot;
    std::optional<std::uint64_t> left;
    if (oldest->used && oldest->dirty)
      left = oldest->line;
    *oldest = {line, ++clock_, dirty};
    return left;
  }

  // `line` is not dirty any more, if it is here.
  void clean(std::uint64_t line) {
    if (Slot *slot = find(line))
      slot->dirty = false;
  }
  // Forgets `line`, whatever it holds.
  void drop(std::uint64_t line) {
    if (Slot *slot = find(line))
      *slot = {};
  }

private:
  struct Slot {
    std::uint64_t line = 0, used = 0; // used 0: empty
    bool dirty = false;
  };
  Slot *find(std::uint64_t line) {
    Slot *set = &slots_[line % sets_ * ways_];
    for (Slot *slot = set; slot != set + ways_; ++slot)
      if (slot->used && slot->line == line)
        return slot;
    return nullptr;
  }
  std::size_t ways_, sets_;
  std::vector<Slot> slots_;
  std::uint64_t clock_ = 0;
};

} // namespace axm::processor
