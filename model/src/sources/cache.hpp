// A level of caches: in each set the lines that it holds, the one used last in front.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <optional>

namespace axm::sources {

class CacheLevel {
public:
  CacheLevel(int bytes, int ways, int line_bytes) : ways_(ways), sets_(bytes / ways / line_bytes) {}

  // Whether it holds `line`, which is then the one used last.
  bool use(std::int64_t line) {
    auto &set = set_of(line);
    const auto found = std::ranges::find(set, line, &Line::number);
    if (found == set.end())
      return false;
    set.splice(set.begin(), set, found);
    return true;
  }
  bool use_to_write(std::int64_t line) {
    if (!use(line))
      return false;
    set_of(line).front().dirty = true;
    return true;
  }
  // Takes `line` in. The line that has to leave, if one must and if it is dirty.
  std::optional<std::int64_t> take(std::int64_t line, bool dirty) {
    if (dirty ? use_to_write(line) : use(line))
      return {};
    auto &set = set_of(line);
    set.push_front({line, dirty});
    if (std::ssize(set) <= ways_)
      return {};
    const Line oldest = set.back();
    set.pop_back();
    return oldest.dirty ? std::optional(oldest.number) : std::nullopt;
  }
  void clean(std::int64_t line) {
    for (Line &l : set_of(line))
      l.dirty = l.dirty && l.number != line;
  }
  void drop(std::int64_t line) {
    set_of(line).remove_if([&](const Line &l) { return l.number == line; });
  }

private:
  struct Line {
    std::int64_t number;
    bool dirty;
  };
  std::list<Line> &set_of(std::int64_t line) { return lines_[line % sets_]; }

  int ways_, sets_;
  std::map<std::int64_t, std::list<Line>> lines_;
};

} // namespace axm::sources
