// A shared way from ports to the controller: in each direction it keeps a
// limited amount of data in flight and serves its streams in turn. An ordered
// path returns parts in the order in which it took them, so that a part that
// waits for its row holds up those behind it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "axiometer/model/config.hpp"

namespace axm {

// A part that the path has taken and not yet given back.
struct InFlight {
  std::uint32_t bytes = 0;
  std::uint16_t stream = 0;
  std::uint8_t columns = 0;
  std::uint32_t index = 0;
  Clk first = kNever; // its column commands, once known
  Clk last = kNever;
};

class PathDirection {
public:
  static constexpr int kMost = 64;

  PathDirection(const PathConfig &c, int column_bytes, Dir d)
      : dir_(d), limit_(c.inflight[d]), release_clocks_(c.release_clocks[d]),
        column_clocks_(c.column_clocks),
        column_shift_(std::countr_zero(static_cast<unsigned>(column_bytes))),
        ordered_(c.ordered[d]), priority_(c.arbiter.priority[d]), high_(c.high(d)) {}

  bool high() const { return high_; }

  // The stream takes the last of the turns, and its number is returned.
  int attach(int stream) {
    streams_.push_back(stream);
    heads_.push_back({});
    return turns_++;
  }
  const std::vector<int> &streams() const { return streams_; }

  void start() {
    released_ = given_ = taken_ = 0;
    next_release_ = kNever;
    held_ = 0;
    next_ = 0;
    channel_free_ = previous_last_ = 0;
    accepted_ = -1;
    short_of_places_ = false;
    for (Head &h : heads_)
      h = {};
  }

  // The next part of the stream at `turn` is at the path from `ready` on; kNever: it has none.
  void head(int turn, Clk ready, int columns) {
    heads_[static_cast<std::size_t>(turn)] = {ready, columns};
  }

  // When the next part could be accepted, if no more is served: a bound, maybe past.
  // `short_of_room` becomes true if some part waits for the store, which has `room`.
  Clk earliest(int room, bool &short_of_room) {
    short_of_places_ = false;
    if (turns_ == 0)
      return kNever;
    const Head *const heads = heads_.data();
    Clk ready = heads[0].ready;
    const int columns = heads[0].columns;
    bool alike = true;
    for (int i = 1; i < turns_; ++i) {
      ready = std::min(ready, heads[i].ready);
      alike &= heads[i].columns == columns;
    }
    if (ready >= kNever)
      return kNever;
    if (!alike)
      return earliest_of_each(room, short_of_room);
    if (columns > room) {
      short_of_room = true;
      return kNever;
    }
    const Clk free = place(columns);
    short_of_places_ = free >= kNever;
    return std::max(ready, free);
  }
  // Whether a part waits that a release not yet known would let in.
  bool short_of_places() const { return short_of_places_; }

  // The turn, from the present one on, whose part can be accepted at `t`; -1: none.
  int pick(Clk t, int room) {
    forget(t);
    if (dir_ == kWrite && channel_free_ > t)
      return -1;
    const int most = std::min(room, limit_ - held_);
    const Head *const heads = heads_.data();
    int turn = next_;
    for (int k = 0; k < turns_; ++k, turn = next_in_turn(turn, turns_)) {
      const Head h = heads[turn];
      if (h.ready <= t && h.columns <= most)
        return turn;
    }
    return -1;
  }

  // The ageing counter's upper five of ten bits at `t` (UG585, section 10.4.3): it counts down from
  // when a part is here and none before it is in its place. 0 comes first.
  int level(Clk t) const {
    Clk ready = kNever;
    for (const Head &h : heads_)
      ready = std::min(ready, h.ready);
    return static_cast<int>(std::max<Clk>(priority_ - (t - std::max(ready, accepted_ + 1)), 0) >>
                            5);
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
    accepted_ = t;
    if (dir_ == kWrite)
      channel_free_ = t + data_clocks(part);
    next_ = next_in_turn(turn, turns_);
    if (!ordered_)
      return 0;
    order_[taken_ % kMost] = part;
    return taken_++;
  }

  // A part's column commands are known: calls `give` for each part that the path
  // now returns, with the time at which the last of its data can have passed.
  // `ticket` is what accept() returned for it.
  template <class Give> void served(const InFlight &part, std::uint32_t ticket, Give &&give) {
    if (!ordered_) {
      give(release(part));
      return;
    }
    InFlight &mine = order_[ticket % kMost];
    mine.first = part.first;
    mine.last = part.last;
    while (given_ != taken_ && order_[given_ % kMost].last != kNever)
      give(release(order_[given_ % kMost]));
  }
  int turn() const { return next_; }

  template <class Archive, class Index> void visit(Archive &ar, Clk now, bool ages, Index &&index) {
    ar.small(next_);
    if (ages)
      ar.exact_clk(accepted_);
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
    if (Archive::kReads)
      next_release_ = n != 0 ? release_[0].when : kNever;
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
      ar.small(f.bytes);
      index(ar, f, i);
      ar.exact_clk(f.first);
      ar.exact_clk(f.last);
    }
  }

private:
  struct Head {
    Clk ready = kNever;
    int columns = 0;
  };
  struct Release {
    Clk when = 0;
    int columns = 0;
  };

  Clk earliest_of_each(int room, bool &short_of_room) {
    Clk best = kNever;
    for (const Head &h : heads_) {
      if (h.ready >= best)
        continue;
      if (h.columns > room) {
        short_of_room = true;
        continue;
      }
      const Clk free = place(h.columns);
      short_of_places_ |= free >= kNever;
      best = std::min(best, std::max(h.ready, free));
    }
    return best;
  }

  void forget(Clk now) {
    while (next_release_ <= now) {
      held_ -= release_[released_++ % kMost].columns;
      next_release_ = released_ != given_ ? release_[released_ % kMost].when : kNever;
    }
  }

  // Time of its data on the channel, which carries only requested bytes.
  Clk data_clocks(const InFlight &part) const {
    return (part.bytes * column_clocks_ + (Clk{1} << column_shift_) - 1) >> column_shift_;
  }

  // Read data pass the path's channel one part after another, at the path's rate.
  InFlight release(InFlight f) {
    if (dir_ == kRead)
      f.last = channel_free_ = std::max(f.last, channel_free_ + data_clocks(f));
    else
      f.last = previous_last_ = std::max(f.last, previous_last_);
    if (released_ == given_)
      next_release_ = f.last + release_clocks_;
    release_[given_++ % kMost] = {f.last + release_clocks_, f.columns};
    return f;
  }

  Dir dir_;
  int limit_, release_clocks_;
  Clk column_clocks_; // of the path's data channel, for one column command's data
  int column_shift_;  // of a column's bytes
  bool ordered_;
  int priority_;
  bool high_;
  std::vector<int> streams_;
  std::vector<Head> heads_; // of these streams: what can be accepted
  int turns_ = 0;           // how many they are
  bool short_of_places_ = false;
  int next_ = 0;
  Clk accepted_ = -1; // the latest part
  int held_ = 0;      // column commands in flight
  // Numbers of parts: taken >= given back >= whose place is free again.
  std::uint32_t released_ = 0, given_ = 0, taken_ = 0;
  Clk next_release_ = kNever;
  Clk channel_free_ = 0; // the data channel has passed on all before
  Clk previous_last_ = 0;
  std::array<Release, kMost> release_{};
  std::array<InFlight, kMost> order_{};
};

} // namespace axm
