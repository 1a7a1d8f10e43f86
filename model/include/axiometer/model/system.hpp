// The whole chip: streams behind ports, paths, controller and DRAM, driven from
// event to event. Events are the acceptance of a part by the controller and what
// the controller does by itself; everything on the PL side follows from those.
//
// At a clock, at most one part in each direction is accepted: paths in turn, and
// on a path its streams in turn, among those whose part has arrived, for which
// their path has a place in flight and the store has room.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "axiometer/model/controller.hpp"
#include "axiometer/model/memory.hpp"
#include "axiometer/model/path.hpp"
#include "axiometer/model/simulator.hpp"
#include "axiometer/model/stream.hpp"
#include "axiometer/model/stream_state.hpp"

namespace axm {

template <class Switching>
class System final : public Simulator {
 public:
  explicit System(const SystemConfig& c);
  RepeatResult run(const RepeatStart& start, const RunOptions& options) override;

 private:
  struct Offer {
    Clk when = kNever;
    int path = 0, turn = 0;
  };

  void reset(const RepeatStart& start);
  Offer next_offer(Dir d);
  void accept(Dir d, const Offer& o);
  void served(const ColumnRun& run);
  void proceed(int stream);
  RepeatResult result();

  // Recurrence: see memory.hpp.
  bool recurrence_possible() const;
  void refreshed();
  bool write_key(Clk t0);
  void read_key(const Key& key, Clk t0, const std::vector<Stream::Progress>& at);
  template <class Archive>
  void visit(Archive& ar, Clk t0, const std::vector<Stream::Progress>& at);
  bool usable(const Interval& i, Clk t0, const std::vector<Stream::Progress>& at) const;
  void begin_recording(int interval, Clk t0);
  void end_recording(int next, Clk t0);
  void follow(int interval, Clk t0);
  void replay(const Interval& i, Clk t0, const std::vector<Stream::Progress>& at);
  Sums sums() const;

  SystemConfig config_;
  Controller<Switching> controller_;
  std::vector<Stream> streams_;
  std::vector<PathDirection> paths_[2];
  int next_path_[2] = {0, 0};
  Clk accepted_at_[2] = {-1, -1};
  Offer offer_[2];
  bool stale_[2] = {true, true};
  bool near_end_ = false;

  RunOptions options_;
  Memory memory_;
  bool remembers_ = false;
  Key key_;
  LatencyLog log_;
  int recording_ = -1;
  bool verifying_ = false;
  struct {
    Clk t0 = 0;
    Sums sums;
    std::vector<Stream::Progress> at;
    std::vector<std::uint8_t> over, issued_all;
    std::size_t trace = 0;
  } mark_;
  std::vector<Stream::Progress> here_;
  std::vector<int> visited_;
  std::uint64_t intervals_ = 0, skipped_ = 0;
};

template <class S>
System<S>::System(const SystemConfig& c) : config_(c), controller_(c.dram, c.controller) {
  for (std::size_t i = 0; i < c.streams.size(); ++i) streams_.emplace_back(static_cast<int>(i), config_);
  for (int d = 0; d < 2; ++d) {
    for (const PathConfig& p : c.paths) paths_[d].emplace_back(p, static_cast<Dir>(d));
    for (std::size_t i = 0; i < c.streams.size(); ++i)
      if (c.streams[i].dir == d) paths_[d][static_cast<std::size_t>(streams_[i].path())].attach(static_cast<int>(i));
  }
}

template <class S>
void System<S>::reset(const RepeatStart& start) {
  controller_ = Controller<S>(config_.dram, config_.controller);
  controller_.start(start.first_refresh);
  controller_.trace_to(options_.trace);
  for (int d = 0; d < 2; ++d) {
    for (auto& p : paths_[d]) p.start();
    next_path_[d] = 0;
    accepted_at_[d] = -1;
    stale_[d] = true;
  }
  for (std::size_t i = 0; i < streams_.size(); ++i)
    streams_[i].start(start.launch[i], start.stop, start.pattern_seed, &log_);
  near_end_ = false;
  recording_ = -1;
  verifying_ = false;
  intervals_ = skipped_ = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) proceed(static_cast<int>(i));
}

// The write half goes first: what it takes makes room for the read half.
template <class S>
void System<S>::proceed(int stream) {
  Stream& s = streams_[static_cast<std::size_t>(stream)];
  if (s.partner() < 0) {
    s.proceed(nullptr);
    stale_[s.dir()] = true;
    return;
  }
  Stream& p = streams_[static_cast<std::size_t>(s.partner())];
  Stream& writer = s.dir() == kWrite ? s : p;
  Stream& reader = s.dir() == kWrite ? p : s;
  writer.proceed(&reader);
  reader.proceed(&writer);
  stale_[0] = stale_[1] = true;
}

template <class S>
typename System<S>::Offer System<S>::next_offer(Dir d) {
  Offer best;
  const Clk from = std::max(controller_.now(), accepted_at_[d] + 1);
  auto& paths = paths_[d];
  const int n = static_cast<int>(paths.size());
  for (int k = 0; k < n; ++k) {
    int i = next_path_[d] + k;
    if (i >= n) i -= n;
    PathDirection& path = paths[static_cast<std::size_t>(i)];
    const auto& streams = path.streams();
    const int m = static_cast<int>(streams.size());
    if (m == 0) continue;
    for (int j = 0; j < m; ++j) {
      int turn = path.turn() + j;
      if (turn >= m) turn -= m;
      const Stream& s = streams_[static_cast<std::size_t>(streams[static_cast<std::size_t>(turn)])];
      if (!s.waiting()) continue;
      const Flight& f = s.head();
      if (f.ready >= best.when || !controller_.has_room(d, f.columns)) continue;
      const Clk when = std::max(path.place_at(from, f.columns), f.ready);
      if (when < best.when) best = {when, i, turn};
    }
  }
  return best;
}

template <class S>
void System<S>::accept(Dir d, const Offer& o) {
  PathDirection& path = paths_[d][static_cast<std::size_t>(o.path)];
  const int id = path.streams()[static_cast<std::size_t>(o.turn)];
  Stream& s = streams_[static_cast<std::size_t>(id)];
  const bool ends_burst = s.head().ends_burst;
  const Part part = s.accept(o.when);
  controller_.push(d, part, o.when);
  path.accept(o.turn, {part.stream, part.columns, part.index}, o.when);
  next_path_[d] = o.path + 1 == static_cast<int>(paths_[d].size()) ? 0 : o.path + 1;
  accepted_at_[d] = o.when;
  stale_[d] = true;
  if (d == kWrite && ends_burst) proceed(id);
}

template <class S>
void System<S>::served(const ColumnRun& run) {
  stale_[run.dir] = true;
  PathDirection& path = paths_[run.dir][static_cast<std::size_t>(streams_[run.part.stream].path())];
  path.served({run.part.stream, run.part.columns, run.part.index, run.first, run.last}, [&](const InFlight& f) {
    streams_[f.stream].served(f.index, f.first, f.last);
    proceed(f.stream);
  });
  if (!near_end_ &&
      std::all_of(streams_.begin(), streams_.end(), [](const Stream& x) { return x.all_issued(); })) {
    near_end_ = true;
    controller_.near_end();
  }
}

template <class S>
RepeatResult System<S>::run(const RepeatStart& start, const RunOptions& options) {
  options_ = options;
  memory_.limit(options.memory_bytes);
  remembers_ = options.skip && recurrence_possible();
  reset(start);
  ColumnRun run;
  for (;;) {
    for (const Dir d : {kRead, kWrite})
      if (stale_[d]) {
        offer_[d] = next_offer(d);
        stale_[d] = false;
      }
    const Clk next = std::min(offer_[0].when, offer_[1].when);
    if (next >= kNever && controller_.empty()) break;
    switch (controller_.advance(next, run)) {
      case Stop::columns:
        served(run);
        break;
      case Stop::refresh:
        ++intervals_;
        if (remembers_) refreshed();
        break;
      case Stop::limit: {
        const Offer o[2] = {offer_[0], offer_[1]};
        for (const Dir d : {kRead, kWrite})
          if (o[d].when == next) accept(d, o[d]);
        break;
      }
    }
  }
  return result();
}

template <class S>
RepeatResult System<S>::result() {
  RepeatResult r;
  for (const Stream& s : streams_) {
    if (!s.complete()) throw std::logic_error("the model has come to a halt before stream " + std::to_string(&s - streams_.data()) + " was complete");
    r.cycles = std::max(r.cycles, s.end());
  }
  r.clocks = config_.clocks.clk_at(r.cycles);
  controller_.finish(r.clocks);
  Sums total = sums();
  for (const int i : visited_) {
    Interval& v = memory_[i];
    total.add(v.sums, v.visits);
    for (const auto& l : v.latencies)
      streams_[l.stream].stats().latency[l.bin] += static_cast<std::int64_t>(l.count) * v.visits;
    v.visits = 0;
  }
  visited_.clear();
  r.dram = total.dram;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& s = streams_[i];
    StreamStats& st = s.stats();
    st.classes = total.streams[i].classes;
    st.bursts = total.streams[i].bursts;
    st.latency_sum = total.streams[i].latency_sum;
    s.finish(r.cycles);
    r.streams.push_back({s.launch(), s.end(), s.bytes_done(), st});
  }
  r.intervals = intervals_;
  r.skipped_intervals = skipped_;
  if (options_.trace)
    std::stable_sort(options_.trace->begin(), options_.trace->end(),
                     [](const TraceEntry& a, const TraceEntry& b) { return a.clk < b.clk; });
  return r;
}

}  // namespace axm
