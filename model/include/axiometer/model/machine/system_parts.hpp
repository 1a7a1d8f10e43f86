// The members of System that run for every part: its acceptance by the controller, its return, and
// what these set going. See system.hpp, which includes this.
#pragma once

#include <algorithm>

#include "axiometer/model/machine/system.hpp"

namespace axm {

// Passes the stream's next part to the path.
template <class S> void System<S>::show_head(const Stream &s, PathDirection &path, int turn) {
  path.head(turn, s.waiting() ? s.head().ready : kNever, s.head().part.columns);
}

template <class S> template <Dir d> void System<S>::show_head(const Stream &s) {
  show_head(s, paths_[d].data()[s.path()], turns_.data()[s.id()]);
}

// What happened may set a stream going, what one half of a pair completes then the other half, and
// that the first again.
template <class S> template <Dir d> void System<S>::wake_up(Stream &s, unsigned happened) {
  Stream *const partner = s.partner() < 0 ? nullptr : &streams_.data()[s.partner()];
  if (s.waits_for(happened)) {
    const bool waited = s.waiting();
    s.proceed<d>(partner);
    if (!waited && s.waiting()) {
      show_head<d>(s);
      look_at<d>(s.path());
    }
    if (s.all_issued())
      watch_end();
  }
  if (partner == nullptr)
    return;
  if (const unsigned news = s.news(); partner->waits_for(news))
    wake_up<other(d)>(*partner, news);
}

template <class S> void System<S>::wake(int stream, unsigned happened) {
  Stream &s = streams_.data()[stream];
  s.dir() == kRead ? wake<kRead>(s, happened) : wake<kWrite>(s, happened);
}

// Finds when the next part could be accepted, after a change of a path. One that waits for the
// store may wait no longer.
template <class S>
template <Dir d>
inline void System<S>::look_at(int p, PathDirection &path, int room) {
  if (short_of_room_[d]) [[unlikely]]
    return look_at_all<d>();
  Clk *const earliest = earliest_[d].data();
  earliest[p] = path.earliest(room, short_of_room_[d]);
  Clk when = std::min(earliest[0], earliest[1]);
  for (int i = 2; i < path_count_; ++i)
    when = std::min(when, earliest[i]);
  soonest_[d] = std::max(when, accepted_at_[d] + 1);
}

template <class S> template <Dir d> void System<S>::look_at_all() {
  bool short_of_room = false;
  Clk when = kNever;
  for (int p = 0; p < path_count_; ++p) {
    PathDirection &path = paths_[d].data()[p];
    const Clk earliest = path.earliest(room<d>(path), short_of_room);
    earliest_[d].data()[p] = earliest;
    when = std::min(when, earliest);
  }
  short_of_room_[d] = short_of_room;
  soonest_[d] = std::max(when, accepted_at_[d] + 1);
}

template <class S> template <Dir d> void System<S>::accept(Clk t) {
  if (ages_[d]) [[unlikely]]
    return accept_by_age<d>(t);
  int p = next_path_[d];
  for (int k = 0; k < path_count_; ++k, p = next_in_turn(p, path_count_)) {
    if (earliest_[d].data()[p] > t)
      continue;
    PathDirection &path = paths_[d].data()[p];
    const int turn = path.pick(t, room<d>(path));
    if (turn >= 0) [[likely]]
      return accept<d>(p, turn, t);
  }
}

template <class S> template <Dir d> void System<S>::accept_by_age(Clk t) {
  int p = next_path_[d], best = -1, best_turn = 0, best_level = 0;
  for (int k = 0; k < path_count_; ++k, p = next_in_turn(p, path_count_)) {
    if (earliest_[d].data()[p] > t)
      continue;
    PathDirection &path = paths_[d].data()[p];
    const int turn = path.pick(t, room<d>(path));
    const int level = turn < 0 ? 0 : path.level(t);
    if (turn >= 0 && (best < 0 || level < best_level)) {
      best = p;
      best_turn = turn;
      best_level = level;
    }
  }
  if (best >= 0)
    accept<d>(best, best_turn, t);
}

template <class S> template <Dir d> inline void System<S>::accept(int p, int turn, Clk t) {
  PathDirection &path = paths_[d].data()[p];
  const int id = path.streams().data()[turn];
  Stream &s = streams_.data()[id];
  Flight &f = s.accept<d>(t);
  show_head(s, path, turn);
  controller_.push(d, f.part, t);
  path.template accept<d>(turn, f, t);
  next_path_[d] = next_in_turn(p, path_count_);
  accepted_at_[d] = t;
  // What fitted before may no longer fit.
  if (const int left = room<d>(path); left >= most_columns_) [[likely]]
    look_at<d>(p, path, left);
  else
    look_at_all<d>();
  if (d == kWrite && f.ends_burst)
    wake<kWrite>(s, Stream::kBurstDone);
}

template <class S> template <Dir d> void System<S>::served(const ColumnRun &run) {
  const Part &part = *run.part;
  Stream &s = streams_.data()[part.stream];
  PathDirection &path = paths_[d].data()[s.path()];
  Flight &of = s.flight(part.index);
  of.first = run.first;
  of.last = run.last;
  if (path.ordered() == (d == kRead)) [[likely]] // as they mostly are
    give_back<d, d == kRead>(path, of);
  else
    give_back_otherwise<d>(path, of);
  if (path.short_of_places() || short_of_room_[d])
    look_at<d>(s.path());
}

template <class S>
template <Dir d, bool ordered>
inline void System<S>::give_back(PathDirection &path, Flight &of) {
  path.template served<d, ordered>(of, [&](const InFlight &f) {
    Stream &from = streams_.data()[f.part.stream];
    if (const unsigned now = from.template given<d, ordered>(f))
      wake<d>(from, now);
  });
}

template <class S>
template <Dir d>
void System<S>::give_back_otherwise(PathDirection &path, Flight &of) {
  give_back<d, d != kRead>(path, of);
}

} // namespace axm
