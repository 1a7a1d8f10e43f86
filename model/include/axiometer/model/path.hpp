// A shared way from ports to the controller: in each direction it keeps a
// limited amount of data in flight and serves its streams in turn. An ordered
// path gives parts back in the order in which it took them, so that one that
// waits for its row holds up those behind it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "axiometer/model/config.hpp"

namespace axm {

// A part that the path has taken and not yet given back.
struct InFlight {
  std::uint16_t stream = 0;
  std::uint8_t columns = 0;
  std::uint32_t index = 0;
  Clk first = kNever; // its column commands, once known
  Clk last = kNever;
};

class PathDirection {
public:
  static constexpr int kMost = 64;

  PathDirection(const PathConfig &c, Dir d)
      : dir_(d), limit_(c.inflight[d]), release_clocks_(c.release_clocks[d]),
        column_clocks_(c.column_clocks), ordered_(c.ordered[d]) {}

  void attach(int stream) { streams_.push_back(stream); }
  const std::vector<int> &streams() const { return streams_; }

  void start() {
    released_ = given_ = taken_ = 0;
    held_ = 0;
    next_ = 0;
    channel_free_ = previous_last_ = 0;
  }

  // From when on there is a place for a part of `columns`, if no more is served;
  // may lie in the past.
  Clk place(int columns) const {
    const Clk channel = dir_ == kWrite ? channel_free_ : 0;
    int held = held_ + columns;
    if (held <= limit_)
      return channel;
    for (std::uint32_t i = released_; i != given_; ++i) {
      const Release &r = release_[i % kMost];
      held -= r.columns;
      if (held <= limit_)
        return std::max(channel, r.when);
    }
    return kNever;
  }

  // Takes a part of the stream at `turn` at time `t`; returns its number in the order.
  std::uint32_t accept(int turn, const InFlight &part, Clk t) {
    forget(t);
    held_ += part.columns;
    if (dir_ == kWrite)
      channel_free_ = t + part.columns * column_clocks_;
    next_ = turn + 1 == static_cast<int>(streams_.size()) ? 0 : turn + 1;
    if (!ordered_)
      return 0;
    order_[taken_ % kMost] = part;
    return taken_++;
  }

  // A part's column commands are known: calls `give` for each part that the path
  // now gives back, with the time at which the last of its data can have passed.
  // `ticket` is what accept() returned for it.
  template <class Give> void served(const InFlight &part, std::uint32_t ticket, Give &&give) {
    if (!ordered_) {
      give(release(part));
      return;
    }
    order_[ticket % kMost] = part;
    while (given_ != taken_ && order_[given_ % kMost].last != kNever)
      give(release(order_[given_ % kMost]));
  }
  int turn() const { return next_; }

  template <class Archive, class Index> void visit(Archive &ar, Clk now, Index &&index) {
    ar.small(next_);
    if (!Archive::kReads)
      forget(now);
    ar.small(held_);
    std::uint32_t n = given_ - released_;
    ar.small(n);
    if (Archive::kReads) {
      released_ = 0;
      given_ = n;
    }
    for (std::uint32_t i = released_; i != given_; ++i) {
      ar.clk(release_[i % kMost].when);
      ar.small(release_[i % kMost].columns);
    }
    // A part that passes the channel counts from when it was free, even if that is past.
    const Clk part = kMost * column_clocks_;
    channel_free_ += part;
    ar.clk(channel_free_);
    channel_free_ -= part;
    ar.clk(previous_last_);
    if (!ordered_)
      return;
    std::uint32_t held = taken_ - given_;
    ar.small(held);
    if (Archive::kReads)
      taken_ = given_ + held;
    for (std::uint32_t i = given_; i != taken_; ++i) {
      InFlight &f = order_[i % kMost];
      ar.small(f.stream);
      ar.small(f.columns);
      index(ar, f, i);
      ar.exact_clk(f.first);
      ar.exact_clk(f.last);
    }
  }

private:
  struct Release {
    Clk when = 0;
    int columns = 0;
  };

  void forget(Clk now) {
    while (released_ != given_ && release_[released_ % kMost].when <= now)
      held_ -= release_[released_++ % kMost].columns;
  }

  // Read data pass the path's channel one part after another, at the path's rate.
  InFlight release(InFlight f) {
    if (dir_ == kRead)
      f.last = channel_free_ = std::max(f.last, channel_free_ + f.columns * column_clocks_);
    else
      f.last = previous_last_ = std::max(f.last, previous_last_);
    release_[given_++ % kMost] = {f.last + release_clocks_, f.columns};
    return f;
  }

  Dir dir_;
  int limit_, release_clocks_;
  Clk column_clocks_; // of the path's data channel, for one column command's data
  bool ordered_;
  std::vector<int> streams_;
  int next_ = 0;
  int held_ = 0; // column commands in flight
  // Numbers of parts: taken >= given back >= whose place is free again.
  std::uint32_t released_ = 0, given_ = 0, taken_ = 0;
  Clk channel_free_ = 0; // the data channel has passed on all before
  Clk previous_last_ = 0;
  std::array<Release, kMost> release_{};
  std::array<InFlight, kMost> order_{};
};

} // namespace axm
