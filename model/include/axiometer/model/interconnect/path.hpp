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
#include "axiometer/model/targets/part_queue.hpp"

namespace axm {

// A part, as a path sees it.
struct InFlight {
  Part part; // as the controller gets it
  // Its last column command, once known; then when the last of its data have passed the path.
  Clk last = kNever;
  Clk channel_clocks = 0; // of its data on the path's channel
};

// Clocks that `bytes` take on a path's channel, which passes `column_bytes` in `column_clocks` and
// carries only what was asked for.
inline Clk channel_clocks(std::uint64_t bytes, Clk column_clocks, Clk column_bytes) {
  return ceil_div(static_cast<Clk>(bytes) * column_clocks, column_bytes);
}

class PathDirection {
public:
  static constexpr int kMost = 64;

  PathDirection(const PathConfig &c, Dir d)
      : limit_(c.inflight[d]), release_clocks_(c.release_clocks[d]),
        reach_(d == kRead ? Clk{kMost} * c.column_clocks : 0), ordered_(c.ordered[d]),
        priority_(c.arbiter.priority[d]), high_(c.high(d)) {}

  bool high() const { return high_; }
  // Whether parts are given back in the order in which they were taken.
  bool ordered() const { return ordered_; }

  // The stream takes the last of the turns, and its number is returned. `columns`: of each of its
  // parts; 0: they differ.
  int attach(int stream, int columns = 0) {
    streams_.push_back(stream);
    heads_.resize(std::max<std::size_t>(streams_.size(), 2));
    heads_[static_cast<std::size_t>(turns_)].columns = columns;
    heads_.data()[turns_].next = 0;
    if (turns_ > 0)
      heads_.data()[turns_ - 1].next = turns_;
    uniform_ &= columns != 0 && columns == heads_[0].columns;
    return turns_++;
  }
  const std::vector<int> &streams() const { return streams_; }

  void start() {
    released_ = given_ = taken_ = 0;
    release_[kMostReleases - 1].when = kLongAgo;
    from_ = 0;
    held_ = 0;
    next_ = 0;
    channel_free_ = left_ = 0;
    accepted_ = -1;
    short_of_places_ = false;
    for (Head &h : heads_)
      h.ready = kNever;
  }

  // The next part of the stream at `turn` is at the path from `ready` on; kNever: it has none.
  void head(int turn, Clk ready, int columns) {
    Head &h = heads_.data()[turn];
    h.ready = ready;
    h.columns = columns;
  }

  // When the next part could be accepted, if no more is served: a bound, maybe past.
  // `short_of_room` becomes true if some part waits for the store, which has `room`.
  Clk earliest(int room, bool &short_of_room) {
    short_of_places_ = false;
    const Head *const heads = heads_.data();
    const int columns = heads[0].columns;
    Clk ready = std::min(heads[0].ready, heads[1].ready);
    for (int i = 2; i < turns_; ++i)
      ready = std::min(ready, heads[i].ready);
    if (ready >= kNever)
      return kNever;
    if (!uniform_ && !alike()) [[unlikely]]
      return earliest_of_each(room, short_of_room);
    if (columns > room) {
      short_of_room = true;
      return kNever;
    }
    // They have the same first place: nothing is let in before it is free.
    while (held_ + columns > limit_) {
      if (released_ == given_) {
        short_of_places_ = true;
        return kNever;
      }
      const Release &r = next_release();
      held_ -= r.columns;
      from_ = r.when;
      ++released_;
    }
    return std::max(std::max(ready, from_), channel_free_);
  }
  // Whether a part waits that a release not yet known would let in.
  bool short_of_places() const { return short_of_places_; }

  // The turn, from the present one on, whose part can be accepted at `t`; -1: none. After
  // `earliest`, with nothing in between.
  int pick(Clk t, int room) {
    if (channel_free_ > t || from_ > t) [[unlikely]]
      return -1;
    int most = PartQueue::kSlots; // any of those that `earliest` let in
    if (!alike_) [[unlikely]] {
      hold_as_of(t);
      most = std::min(room, limit_ - held_);
    }
    const Head *const heads = heads_.data();
    int turn = next_;
    for (int k = 0; k < turns_; ++k, turn = heads[turn].next)
      if (heads[turn].ready <= t && heads[turn].columns <= most)
        return turn;
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
  Clk place(int columns) {
    hold_as_of(accepted_);
    int held = held_ + columns;
    if (held <= limit_)
      return channel_free_;
    for (std::uint32_t i = released_; i != given_; ++i) {
      const Release &r = release_[i % kMostReleases];
      held -= r.columns;
      if (held <= limit_)
        return std::max(channel_free_, r.when);
    }
    return kNever;
  }

  // Takes a part of the stream at `turn` at time `t`. It stays where it is until it is given back.
  // `d`: the path's direction, here and below.
  template <Dir d> void accept(int turn, InFlight &part, Clk t) {
    held_ += part.part.columns;
    if (held_ > limit_) [[unlikely]]
      hold_as_of(t);
    accepted_ = t;
    if (d == kWrite)
      channel_free_ = t + part.channel_clocks;
    next_ = heads_.data()[turn].next;
    if (ordered_)
      order_[taken_++ % kMost] = &part;
  }

  // The last column command of a part is known, `part.last`: calls `give` for each part that the
  // path now returns, with the time at which the last of its data can have passed. `ordered`: what
  // the path is.
  template <Dir d, bool ordered, class Give> void served(InFlight &part, Give &&give) {
    if (!ordered) {
      release<d>(part);
      give(part);
      return;
    }
    if (&part != order_[given_ % kMost])
      return;
    InFlight *next = &part;
    do {
      release<d>(*next);
      give(*next);
      next = order_[given_ % kMost];
    } while (given_ != taken_ && next->last != kNever);
  }
  int turn() const { return next_; }

  // `part(archive, p)` visits which part `p` is.
  template <class Archive, class Which> void visit(Archive &ar, Clk now, bool ages, Which &&part) {
    ar.small(next_);
    if (ages)
      ar.exact_clk(accepted_);
    if (!Archive::kReads)
      hold_as_of(now);
    ar.small(held_);
    std::uint32_t n = given_ - released_;
    ar.small(n);
    if (Archive::kReads) {
      released_ = 0;
      given_ = n;
      release_[kMostReleases - 1].when = kLongAgo;
      from_ = 0;
    }
    for (std::uint32_t i = released_; i != given_; ++i) {
      ar.clk(release_[i % kMostReleases].when);
      ar.small(release_[i % kMostReleases].columns);
    }
    // A part that passes the channel counts from when it was free, even if that is past.
    left_ += reach_;
    ar.clk(left_);
    left_ -= reach_;
    ar.clk(channel_free_);
    if (!ordered_)
      return;
    std::uint32_t held = taken_ - given_;
    ar.small(held);
    if (Archive::kReads)
      taken_ = given_ + held;
    for (std::uint32_t i = given_; i != taken_; ++i)
      part(ar, order_[i % kMost]);
  }

private:
  struct Head {
    Clk ready = kNever;
    int columns = 0;
    int next = 0; // the turn after
  };
  struct Release {
    Clk when = 0;
    int columns = 0;
  };

  // Longer than what is under way, so that a release which has been counted is still there.
  static constexpr std::uint32_t kMostReleases = 2 * kMost;
  static constexpr Clk kLongAgo = -kNever;

  // Whether the parts at the heads have as many columns.
  bool alike() {
    alike_ = true;
    for (int i = 1; i < turns_; ++i)
      alike_ &= heads_.data()[i].columns == heads_.data()[0].columns;
    return alike_;
  }
  [[gnu::noinline]] Clk earliest_of_each(int room, bool &short_of_room) {
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

  const Release &next_release() const { return release_[released_ % kMostReleases]; }
  // Counts as in flight what is so at `t`: `earliest` counts a release before its time.
  [[gnu::noinline]] void hold_as_of(Clk t) {
    for (;;) {
      const Release &r = release_[(released_ - 1) % kMostReleases];
      if (r.when <= t)
        break;
      held_ += r.columns;
      --released_;
    }
    for (; released_ != given_ && next_release().when <= t; ++released_)
      held_ -= next_release().columns;
    from_ = 0;
  }

  // Read data pass the path's channel one part after another, at the path's rate.
  template <Dir d> void release(InFlight &f) {
    const Clk passed = d == kRead ? left_ + f.channel_clocks : left_;
    f.last = left_ = std::max(f.last, passed);
    release_[given_++ % kMostReleases] = {left_ + release_clocks_, f.part.columns};
  }

  int limit_, release_clocks_;
  Clk reach_; // the longest that one part's data take on the channel of reads
  bool ordered_;
  int priority_;
  bool high_;
  std::vector<int> streams_;
  std::vector<Head> heads_ = std::vector<Head>(2); // of these streams: what can be accepted
  int turns_ = 0;                                  // how many they are
  bool short_of_places_ = false;
  bool uniform_ = true; // all parts have as many columns
  bool alike_ = true;   // those at the heads have
  int next_ = 0;
  Clk accepted_ = -1; // the latest part
  int held_ = 0;      // column commands in flight, without those whose release is counted
  Clk from_ = 0;      // when the latest counted release is
  // Numbers of parts: taken >= given back >= whose release is counted.
  std::uint32_t released_ = 0, given_ = 0, taken_ = 0;
  Clk channel_free_ = 0; // for the next part to be accepted
  Clk left_ = 0;         // when the latest part to be given back has passed
  std::array<Release, kMostReleases> release_{};
  std::array<InFlight *, kMost> order_{};
};

} // namespace axm
