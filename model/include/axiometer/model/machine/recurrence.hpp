// The members of System that recognise recurrence and skip it; see memoisation.hpp.
#pragma once

#include <map>
#include <utility>

#include "axiometer/model/machine/system.hpp"

namespace axm {

// Streams in their own rows, walking through them in order, in a mapping in
// which a shift by rows renames banks.
template <class S> bool System<S>::recurrence_possible() const {
  if (config_.dram.mapping != Mapping::row_bank_column)
    return false;
  std::map<std::uint64_t, std::uint64_t> rows;
  for (const StreamConfig &s : config_.streams) {
    if (s.pattern != Pattern::sequential || s.region != 0)
      return false;
    const auto row = static_cast<std::uint64_t>(config_.dram.row_bytes);
    if (!rows.emplace(s.base / row, (s.base + s.bytes - 1) / row).second)
      return false;
  }
  for (auto i = rows.begin(); std::next(i) != rows.end(); ++i)
    if (i->second >= std::next(i)->first)
      return false;
  return true;
}

template <class S> Sums System<S>::sums() const {
  Sums s;
  s.dram = controller_.books().stats();
  for (const Stream &x : streams_)
    s.streams.push_back({x.stats().classes, x.stats().bursts, x.stats().latency_sum});
  return s;
}

template <class S>
template <class Archive>
void System<S>::visit(Archive &ar, Clk t0, const std::vector<Stream::Progress> &at) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    ar.cycles_from(clocks_.cycle(i, t0));
    streams_[i].visit(ar, at[i]);
  }
  controller_.visit(ar, t0, [&](Archive &a, const PartQueue &q, Dir d, auto &&push) {
    int n = std::popcount(q.valid);
    a.small(n);
    std::uint64_t slots = q.valid;
    for (int k = 0; k < n; ++k) {
      std::uint16_t stream = 0;
      std::int64_t index = 0;
      if (!Archive::kReads) {
        const Part &p = q[std::countr_zero(slots)];
        slots &= slots - 1;
        stream = p.stream;
        index = p.index -
                static_cast<std::int64_t>(static_cast<std::uint32_t>(at[stream].parts_retired));
      }
      a.small(stream);
      a.small(index);
      if (Archive::kReads)
        push(streams_[stream]
                 .flight(static_cast<std::uint32_t>(at[stream].parts_retired + index))
                 .part);
    }
    a.small(next_path_[d]);
    a.clk(accepted_at_[d]);
    for (PathDirection &p : paths_[d])
      p.visit(a, t0 + 1, ages_[d], [&](Archive &b, InFlight *&f) {
        std::uint16_t stream = 0;
        std::int64_t index = 0;
        if (!Archive::kReads) {
          stream = f->part.stream;
          index = static_cast<std::int32_t>(f->part.index -
                                            static_cast<std::uint32_t>(at[stream].parts_retired));
        }
        b.small(stream);
        b.small(index);
        if (Archive::kReads)
          f = &streams_[stream].flight(
              static_cast<std::uint32_t>(at[stream].parts_retired + index));
      });
  });
}

// A stream's position in the key: the column, and the bank relative to the row `first`.
template <class S>
std::pair<std::int64_t, std::int64_t> System<S>::whereabouts(const Stream &s,
                                                             std::int64_t first) const {
  const auto row = static_cast<std::int64_t>(config_.dram.row_bytes);
  const auto banks = static_cast<std::int64_t>(config_.dram.banks);
  const auto position = static_cast<std::int64_t>(s.position());
  return {position & (row - 1), (position / row - first) & (banks - 1)};
}

// The row of the first stream that is not over.
template <class S> std::int64_t System<S>::first_row() const {
  for (const Stream &s : streams_)
    if (!s.over())
      return static_cast<std::int64_t>(s.position()) / config_.dram.row_bytes;
  return 0;
}

// Equal for equal keys, and found with much less work than a key.
template <class S> std::uint64_t System<S>::fingerprint(Clk t0) const {
  const std::int64_t first = first_row();
  std::uint64_t h = 0;
  for (std::size_t p = 0; p < clocks_.several(); ++p) {
    const auto phase = static_cast<std::uint64_t>(clocks_.phase(p, t0));
    h = p == 0 ? phase : Memoisation::mix(h, phase);
  }
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    const Stream &s = streams_[k];
    if (s.over())
      continue;
    const auto [column, bank] = whereabouts(s, first);
    h = Memoisation::mix(h, static_cast<std::uint64_t>(column) << 8 ^
                                static_cast<std::uint64_t>(bank));
    h = Memoisation::mix(h, s.fingerprint(clocks_.cycle(k, t0)));
  }
  return h;
}

template <class S> void System<S>::write_key(Clk t0) {
  key_.clear();
  KeyWriter w(key_, t0);
  for (std::size_t p = 0; p < clocks_.several(); ++p) {
    std::int64_t phase = clocks_.phase(p, t0);
    w.small(phase);
  }
  std::vector<Stream::Progress> &at = here_;
  at.clear();
  const std::int64_t first = first_row();
  for (const Stream &s : streams_) {
    at.push_back(s.progress());
    if (s.over())
      continue;
    auto [column, bank] = whereabouts(s, first);
    w.small(column);
    w.small(bank);
  }
  visit(w, t0, at);
}

template <class S>
void System<S>::read_key(const Key &key, Clk t0, const std::vector<Stream::Progress> &at) {
  KeyReader r(key, t0);
  std::int64_t skip = 0;
  for (std::size_t p = 0; p < clocks_.several(); ++p)
    r.small(skip);
  for (const Stream &s : streams_)
    if (!s.over()) {
      r.small(skip);
      r.small(skip);
    }
  visit(r, t0, at);
  for (const Stream &s : streams_)
    s.dir() == kRead ? show_head<kRead>(s) : show_head<kWrite>(s);
  look_at_all<kRead>();
  look_at_all<kWrite>();
}

template <class S> void System<S>::refreshed() {
  const Clk t0 = controller_.now() - 1;
  // What is simulated only to be compared goes on up to its end.
  if (verifying_ && t0 - mark_.t0 < memoisation_[recording_].clocks)
    return;
  memoisation_.passed(intervals_ - told_intervals_, skipped_ - told_skipped_);
  told_intervals_ = intervals_;
  told_skipped_ = skipped_;
  const std::uint64_t print = fingerprint(t0);
  const bool anchor = memoisation_.anchor(print, static_cast<std::int64_t>(intervals_ - anchored_));
  if (!anchor && !memoisation_.may_know(print) && !verifying_)
    return;
  write_key(t0);
  int here = memoisation_.find(print, key_);
  if (here == Memoisation::kNone && !verifying_) {
    if (!anchor)
      return;
    if (memoisation_.full()) {
      settle_visits();
      memoisation_.make_room();
      recording_ = Memoisation::kNone;
      log_.on = false;
    }
    here = memoisation_.add(print, key_);
    if (here == Memoisation::kNone)
      return;
  }
  anchored_ = intervals_;
  if (recording_ != Memoisation::kNone)
    end_recording(here, t0);
  if (here != Memoisation::kNone)
    follow(here, t0);
}

// Adds what the segments that were taken from memory have contributed so far.
template <class S> void System<S>::settle_visits() {
  if (taken_.streams.empty())
    taken_.streams.resize(streams_.size());
  for (const int i : visited_) {
    Segment &v = memoisation_[i];
    found_.unpack(v.contribution, streams_.size());
    taken_.add(found_.sums, v.visits);
    for (const Latency &l : found_.latencies)
      streams_[l.stream].stats().latency[l.bin] += l.count * v.visits;
    v.visits = 0;
    v.used = true;
  }
  visited_.clear();
}

template <class S> void System<S>::begin_recording(int segment, Clk t0) {
  recording_ = segment;
  log_.begin(streams_.size());
  mark_.t0 = t0;
  mark_.intervals = intervals_;
  mark_.sums = sums();
  mark_.at = here_;
  mark_.over.clear();
  mark_.complete.clear();
  mark_.issued_all.clear();
  for (const Stream &s : streams_) {
    mark_.over.push_back(s.over());
    mark_.complete.push_back(s.complete());
    mark_.issued_all.push_back(s.all_issued());
  }
  mark_.trace = options_.trace ? options_.trace->size() : 0;
}

template <class S> void System<S>::end_recording(int next, Clk t0) {
  const int which = std::exchange(recording_, Memoisation::kNone);
  log_.on = false;
  Segment done;
  done.next = next;
  done.clocks = t0 - mark_.t0;
  done.intervals = static_cast<std::int64_t>(intervals_ - mark_.intervals);
  bool same = done.clocks <= Segment::kMostClocks;
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    const Stream &s = streams_[k];
    const Cycle c0 = clocks_.cycle(k, mark_.t0);
    const Stream::Progress &a = mark_.at[k];
    const Stream::Progress &b = here_[k];
    const auto bytes = static_cast<std::int64_t>(b.position - a.position);
    same = same && s.over() == (mark_.over[k] != 0) && s.complete() == (mark_.complete[k] != 0) &&
           s.all_issued() == (mark_.issued_all[k] != 0) &&
           bytes <= done.clocks * Segment::kMostBytes;
    if (!same) {
      verifying_ = false;
      return;
    }
    const std::int64_t bursts = b.bursts_done - a.bursts_done;
    done.steps.push_back({static_cast<std::int32_t>(bursts),
                          static_cast<std::int32_t>(b.parts_retired - a.parts_retired),
                          static_cast<std::int32_t>(bytes),
                          static_cast<std::int32_t>(s.bursts_issued() - a.bursts_done),
                          static_cast<std::int32_t>(bursts != 0 ? b.end - c0 : 0),
                          !s.all_issued()});
    if (!s.all_issued())
      done.ahead = std::max(done.ahead, (s.latest_begin() - c0) * clocks_.period(k));
  }
  Contribution more;
  more.sums = sums();
  more.sums.add(mark_.sums, -1);
  log_.end([&](int stream, int bin, std::uint32_t count) {
    more.latencies.push_back(
        {static_cast<std::uint16_t>(stream), static_cast<std::uint16_t>(bin), count});
  });
  done.contribution = more.packed();
  if (options_.trace) {
    done.traced = std::make_unique<Segment::Traced>();
    done.traced->trace.assign(options_.trace->begin() + static_cast<std::ptrdiff_t>(mark_.trace),
                              options_.trace->end());
    for (const auto &p : mark_.at)
      done.traced->positions.push_back(p.position);
    done.traced->at = mark_.t0;
  }
  Segment &kept = memoisation_[which];
  if (std::exchange(verifying_, false)) {
    if (kept.next != done.next || kept.intervals != done.intervals || kept.clocks != done.clocks ||
        kept.steps != done.steps || kept.contribution != done.contribution)
      throw std::logic_error("a segment taken from memory differs from its simulation");
    return;
  }
  done.key = std::move(kept.key);
  done.fingerprint = kept.fingerprint;
  kept = std::move(done);
  memoisation_.grown(kept);
}

// Whether the segment, begun in this run at `t0`, would reach no stream's end.
template <class S>
bool System<S>::usable(const Segment &i, Clk t0, const std::vector<Stream::Progress> &at) const {
  if (i.next < 0 || (options_.trace && i.traced == nullptr))
    return false;
  if (t0 + i.clocks >= most_clocks(config_)) // the run does not skip over its end
    return false;
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    if (!i.steps[k].ends)
      continue;
    if (at[k].bursts_done + i.steps[k].issued >= streams_[k].bursts())
      return false;
    const Cycle stop = streams_[k].stop(), here = clocks_.cycle(k, t0);
    if (stop < kNever && here * clocks_.period(k) + i.ahead >= stop * clocks_.period(k))
      return false;
  }
  return true;
}

template <class S> void System<S>::follow(int segment, Clk t0) {
  int i = segment;
  std::vector<Stream::Progress> &at = here_;
  const bool simulate = options_.verify && usable(memoisation_[i], t0, at);
  while (!simulate && usable(memoisation_[i], t0, at)) {
    Segment &v = memoisation_[i];
    if (options_.trace) {
      std::vector<std::uint64_t> positions;
      for (const Stream::Progress &p : at)
        positions.push_back(p.position);
      replay(*v.traced, t0, positions, config_.dram, *options_.trace);
    }
    if (v.visits++ == 0)
      visited_.push_back(i);
    for (std::size_t k = 0; k < at.size(); ++k) {
      at[k].bursts_done += v.steps[k].bursts;
      at[k].parts_retired += v.steps[k].parts;
      at[k].position += static_cast<std::uint64_t>(std::int64_t{v.steps[k].bytes});
      if (v.steps[k].bursts != 0)
        at[k].end = clocks_.cycle(k, t0) + v.steps[k].end;
    }
    t0 += v.clocks;
    skipped_ += static_cast<std::uint64_t>(v.intervals);
    intervals_ += static_cast<std::uint64_t>(v.intervals);
    anchored_ = intervals_;
    i = v.next;
  }
  if (i != segment || t0 != controller_.now() - 1)
    read_key(memoisation_[i].key, t0, at);
  verifying_ = simulate;
  if (simulate || memoisation_[i].next < 0)
    begin_recording(i, t0);
}

} // namespace axm
