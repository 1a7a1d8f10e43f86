// A path in one direction, as a list of what it holds.
#pragma once

#include <algorithm>
#include <vector>

#include "state.hpp"

namespace axm::plain {

class Path {
public:
  // A part on its way from its acceptance until its place is free again.
  struct Held {
    std::size_t stream = 0, part = 0;
    int columns = 0;
    std::uint64_t bytes = 0;
    Clk last = kNever;    // its last column command, once known
    Clk passed = kNever;  // given back
    Clk release = kNever; // its place is free
  };

  Path(const PathConfig &c, int column_bytes, Dir d)
      : config_(c), column_bytes_(column_bytes), dir_(d) {}

  std::vector<std::size_t> streams; // that come this way
  std::size_t turn = 0;             // the first to have a chance

  bool high() const { return config_.high(dir_); }

  // The upper five bits of the ageing counter, with a part here since `ready`.
  Clk level(Clk ready, Clk now) const {
    const Clk waited = now - std::max(ready, accepted_ + 1);
    return std::max<Clk>(config_.arbiter.priority[dir_] - waited, 0) / 32;
  }

  bool has_place(int columns, Clk now) {
    if (dir_ == kWrite && now < channel_free_)
      return false;
    if (now >= next_release_)
      release(now);
    return columns_ + columns <= config_.inflight[dir_];
  }

  // The first clock after `now` at which a place falls free by itself.
  Clk next_change(Clk now) const {
    Next next(now);
    next.may_be(channel_free_);
    next.may_be(next_release_);
    return next.at();
  }

  void accept(std::size_t stream, std::size_t part, int columns, std::uint64_t bytes, Clk now) {
    held_.push_back({stream, part, columns, bytes});
    columns_ += columns;
    accepted_ = now;
    if (dir_ == kWrite)
      channel_free_ = now + channel_time(bytes);
  }

  // The controller serves a part until `last`. `give` gets what the path gives back now: that part,
  // or on an ordered path all parts that no older one holds up.
  template <class Give> void served(std::size_t stream, std::size_t part, Clk last, Give &&give) {
    for (Held &h : held_)
      if (h.stream == stream && h.part == part) {
        h.last = last;
        if (!config_.ordered[dir_])
          give(give_back(h));
      }
    if (config_.ordered[dir_])
      for (Held &h : held_) {
        if (h.last == kNever)
          break;
        if (h.passed == kNever)
          give(give_back(h));
      }
  }

private:
  // Read data pass the channel one part after another; none overtakes another.
  const Held &give_back(Held &h) {
    h.passed = std::max(h.last, passed_);
    if (dir_ == kRead)
      h.passed = std::max(h.last, passed_ + channel_time(h.bytes));
    passed_ = h.passed;
    h.release = h.passed + config_.release_clocks[dir_];
    next_release_ = std::min(next_release_, h.release);
    return h;
  }

  // Gives up the places of parts that were released.
  void release(Clk now) {
    next_release_ = kNever;
    std::erase_if(held_, [&](const Held &h) {
      if (h.release <= now)
        columns_ -= h.columns;
      else
        next_release_ = std::min(next_release_, h.release);
      return h.release <= now;
    });
  }

  // A column command's bytes take column_clocks; fewer take as much less.
  Clk channel_time(std::uint64_t bytes) const {
    return ceil_div(static_cast<Clk>(bytes) * config_.column_clocks, column_bytes_);
  }

  PathConfig config_;
  Clk column_bytes_;
  Dir dir_;
  std::vector<Held> held_;    // in the order of acceptance, at least until their release
  int columns_ = 0;           // of these
  Clk next_release_ = kNever; // the first of theirs
  Clk channel_free_ = 0;      // of writes: the accepted data are through
  Clk accepted_ = -1;         // the latest part
  Clk passed_ = 0;            // when the latest part was given back
};

} // namespace axm::plain
