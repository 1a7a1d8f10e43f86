// The whole chip: streams behind ports, paths, controller and DRAM, driven from
// event to event. Events are the acceptance of a part by the controller and what
// the controller does by itself; everything on the PL side follows from those.
//
// At a clock, at most one part in each direction is accepted: paths in turn (by
// their ageing counters, where these start from different priorities), and on a
// path its streams in turn, among those whose part has arrived, for which their
// path has a place in flight and the store has room.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/interconnect/path.hpp"
#include "axiometer/model/machine/memoisation.hpp"
#include "axiometer/model/machine/watchdog.hpp"
#include "axiometer/model/need.hpp"
#include "axiometer/model/open_run.hpp"
#include "axiometer/model/simulator.hpp"
#include "axiometer/model/sources/stream_bursts.hpp"
#include "axiometer/model/sources/stream_parts.hpp"
#include "axiometer/model/sources/stream_state.hpp"
#include "axiometer/model/targets/controller.hpp"

namespace axm {

template <class Switching> class System final : public Simulator, public OpenRun {
public:
  explicit System(const SystemConfig &c);
  // One open run: its requests; it uses no stored segments.
  System(const SystemConfig &c, const RepeatStart &start, const RunOptions &options);
  RepeatResult run(const RepeatStart &start, const RunOptions &options) override;

  void ask(const OutsideBurst &burst) override;
  std::optional<OutsideServed> advance(Clk limit) override;
  RepeatResult finish() override;

private:
  void begin(const RepeatStart &start, const RunOptions &options);
  void reset(const RepeatStart &start);
  void go_on(Clk limit);
  // By direction at compile time: they run for every part, and an index that is known costs
  // nothing.
  template <Dir d> void look_at(int path) {
    PathDirection &p = paths_[d].data()[path];
    look_at<d>(path, p, room<d>(p));
  }
  template <Dir d> void look_at(int path, PathDirection &p, int room);
  template <Dir d> int room(const PathDirection &p) const {
    return controller_.room(d, d == kRead && p.high());
  }
  template <Dir d> [[gnu::noinline]] void look_at_all();
  template <Dir d> void accept(Clk t);
  template <Dir d> void accept(int path, int turn, Clk t);
  template <Dir d> [[gnu::noinline]] void accept_by_age(Clk t);
  template <Dir d> void served(const ColumnRun &run);
  template <Dir d, bool ordered> void give_back(PathDirection &path, Flight &of);
  template <Dir d> [[gnu::noinline]] void give_back_otherwise(PathDirection &path, Flight &of);
  static void show_head(const Stream &s, PathDirection &path, int turn);
  template <Dir d> void show_head(const Stream &s);
  void wake(int stream, unsigned happened);
  template <Dir d> void wake(Stream &s, unsigned happened) {
    if (s.waits_for(happened) || s.has_news())
      wake_up<d>(s, happened);
  }
  template <Dir d> void wake_up(Stream &s, unsigned happened);
  void watch_end();
  RepeatResult result();

  // Recurrence: see memoisation.hpp.
  bool recurrence_possible() const;
  void refreshed();
  std::pair<std::int64_t, std::int64_t> whereabouts(const Stream &s, std::int64_t first) const;
  std::int64_t first_row() const;
  std::uint64_t fingerprint(Clk t0) const;
  void write_key(Clk t0);
  void read_key(const Key &key, Clk t0, const std::vector<Stream::Progress> &at);
  template <class Archive> void visit(Archive &ar, Clk t0, const std::vector<Stream::Progress> &at);
  bool usable(const Segment &i, Clk t0, const std::vector<Stream::Progress> &at) const;
  void begin_recording(int segment, Clk t0);
  void end_recording(int next, Clk t0);
  void follow(int segment, Clk t0);
  void settle_visits();
  Sums sums() const;

  SystemConfig config_;
  Controller<Switching> controller_;
  std::vector<Stream> streams_;
  std::vector<int> turns_; // of each stream on its path
  std::vector<PathDirection> paths_[2];
  int path_count_ = 0;
  int next_path_[2] = {0, 0};
  int most_columns_ = 1;          // of any part
  bool ages_[2] = {false, false}; // paths differ in priority, and have no turns
  Clk accepted_at_[2] = {-1, -1};
  // When a path's next part could be accepted (a bound, maybe past), and that of a direction;
  // `short_of_room_`: some part waits for the store.
  std::array<Clk, 32> earliest_[2];
  Clk soonest_[2] = {kNever, kNever};
  bool short_of_room_[2] = {false, false};
  bool near_end_ = false;

  [[gnu::noinline]] void watch(); // so that the loop around it stays small

  RunOptions options_;
  std::optional<Watchdog> dog_;
  bool open_ = false;                 // bursts come from outside:
  std::vector<OutsideServed> served_; // those not yet reported
  StreamClocks clocks_;
  Memoisation memoisation_;
  bool remembers_ = false;
  Key key_;
  LatencyLog log_;
  int recording_ = Memoisation::kNone;
  bool verifying_ = false;
  struct {
    Clk t0 = 0;
    std::uint64_t intervals = 0;
    Sums sums;
    std::vector<Stream::Progress> at;
    std::vector<std::uint8_t> over, complete, issued_all;
    std::size_t trace = 0;
  } mark_;
  std::vector<Stream::Progress> here_;
  std::vector<int> visited_;
  Sums taken_;                   // what segments from memory have contributed
  Contribution found_;           // of a segment, unpacked
  std::vector<BeatTimes> beats_; // of the streams, if requested
  std::uint64_t intervals_ = 0, skipped_ = 0;
  std::uint64_t told_intervals_ = 0, told_skipped_ = 0; // what Memoisation was told of these
  std::uint64_t anchored_ = 0; // how many intervals there were at the latest anchor
};

template <class S>
System<S>::System(const SystemConfig &c)
    : config_(c), controller_(c.dram, c.controller), clocks_(c), memoisation_(clocks_, c.dram) {
  streams_.reserve(c.streams.size());
  turns_.resize(c.streams.size());
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    streams_.emplace_back(static_cast<int>(i), config_);
  for (Stream &s : streams_)
    s.tell(&served_);
  for (const PortConfig &p : c.ports)
    most_columns_ = std::max(most_columns_, p.part_bytes / c.dram.column_bytes);
  path_count_ = static_cast<int>(c.paths.size());
  for (int d = 0; d < 2; ++d) {
    ages_[d] = c.ages(static_cast<Dir>(d));
    for (const PathConfig &p : c.paths)
      paths_[d].emplace_back(p, static_cast<Dir>(d));
    for (std::size_t i = 0; i < c.streams.size(); ++i)
      if (c.streams[i].dir == d)
        turns_[i] = paths_[d][static_cast<std::size_t>(streams_[i].path())].attach(
            static_cast<int>(i), streams_[i].columns());
  }
}

template <class S>
System<S>::System(const SystemConfig &c, const RepeatStart &start, const RunOptions &options)
    : System(c) {
  open_ = true;
  begin(start, options);
}

template <class S> void System<S>::reset(const RepeatStart &start) {
  controller_ = Controller<S>(config_.dram, config_.controller);
  controller_.start(start.first_refresh);
  controller_.trace_to(options_.trace);
  for (int d = 0; d < 2; ++d) {
    for (auto &p : paths_[d])
      p.start();
    next_path_[d] = 0;
    accepted_at_[d] = -1;
    earliest_[d].fill(kNever);
    short_of_room_[d] = false;
  }
  for (std::size_t i = 0; i < streams_.size(); ++i)
    streams_[i].start(start.launch[i], config_.stop_of(config_.streams[i], start.stop),
                      start.pattern_seed, &log_);
  near_end_ = open_;
  if (open_)
    controller_.books().near_end();
  served_.clear();
  recording_ = Memoisation::kNone;
  taken_ = {};
  log_.on = false;
  verifying_ = false;
  intervals_ = skipped_ = anchored_ = 0;
  told_intervals_ = told_skipped_ = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i)
    wake(static_cast<int>(i), Stream::kAny);
  look_at_all<kRead>();
  look_at_all<kWrite>();
  watch_end();
}

template <class S> void System<S>::watch_end() {
  if (!near_end_ && std::all_of(streams_.begin(), streams_.end(),
                                [](const Stream &x) { return x.all_issued(); })) {
    near_end_ = true;
    controller_.books().near_end();
  }
}

template <class S> void System<S>::begin(const RepeatStart &start, const RunOptions &options) {
  check_start(config_, start);
  dog_.emplace(config_, start);
  options_ = options;
  memoisation_.limit(options.memory_bytes);
  // What a segment adds has no beats in it.
  remembers_ = options.skip && !options.beats && !open_ && recurrence_possible();
  beats_.assign(streams_.size(), {});
  for (std::size_t i = 0; i < streams_.size(); ++i)
    streams_[i].keep_beats(options.beats ? &beats_[i] : nullptr);
  reset(start);
}

template <class S>
RepeatResult System<S>::run(const RepeatStart &start, const RunOptions &options) {
  begin(start, options);
  go_on(kNever);
  return result();
}

template <class S> RepeatResult System<S>::finish() {
  go_on(kNever);
  return result();
}

// Events before clock `limit`, up to one that ends a burst from outside. With empty stores, time
// stops until a part comes, so that a run does not go on with refreshes after its last one.
template <class S> void System<S>::go_on(Clk limit) {
  ColumnRun run;
  while (served_.empty()) {
    const Clk next = std::max(std::min(soonest_[0], soonest_[1]), controller_.now());
    if (next >= limit && controller_.empty()) [[unlikely]]
      return;
    switch (controller_.advance(std::min(next, limit), run)) {
    case Stop::columns:
      run.dir == kRead ? served<kRead>(run) : served<kWrite>(run);
      break;
    case Stop::refresh:
      ++intervals_;
      watch();
      if (remembers_)
        refreshed();
      break;
    case Stop::limit: {
      if (next >= limit)
        return;
      const bool write_too = soonest_[kWrite] <= next;
      if (soonest_[kRead] <= next)
        accept<kRead>(next);
      if (write_too)
        accept<kWrite>(next);
      break;
    }
    }
  }
}

template <class S> void System<S>::ask(const OutsideBurst &burst) {
  if (burst.at < controller_.now())
    throw std::logic_error("a burst is requested at a past clock");
  streams_[static_cast<std::size_t>(burst.stream)].ask(burst);
  wake(burst.stream, Stream::kAny);
}

template <class S> std::optional<OutsideServed> System<S>::advance(Clk limit) {
  go_on(limit);
  if (served_.empty())
    return std::nullopt;
  // All that one event has ended.
  const auto next = std::min_element(
      served_.begin(), served_.end(),
      [](const OutsideServed &a, const OutsideServed &b) { return a.stream < b.stream; });
  const OutsideServed told = *next;
  served_.erase(next);
  return told;
}

// At a refresh: whether the run goes on, within the time counter.
template <class S> void System<S>::watch() {
  const Clk now = controller_.now();
  if (now >= most_clocks(config_))
    need(false, "clocks", "the run is too long for the time counter at these clocks");
  std::int64_t progress = accepted_at_[0] + accepted_at_[1];
  for (const Stream &s : streams_)
    progress += static_cast<std::int64_t>(s.bytes_done());
  if (open_) {
    Clk end = 0;
    for (const Stream &s : streams_)
      end = std::max(end, s.end() * config_.clocks_of(s.config()).pl / config_.clocks.ddr);
    if (controller_.empty()) { // a part comes later, at its requested time
      end = std::max(end, now);
      progress = -now;
    }
    controller_.books().goes_on_until(end);
  }
  if (!dog_->stuck(now, progress))
    return;
  const auto waits =
      std::find_if(streams_.begin(), streams_.end(), [](const Stream &s) { return !s.complete(); });
  halted(config_, static_cast<std::size_t>(waits - streams_.begin()), dog_->patience(),
         waits->waiting() ? "its next part is not accepted by the controller"
                          : "bursts in flight do not complete");
}

template <class S> RepeatResult System<S>::result() {
  RepeatResult r;
  for (const Stream &s : streams_) {
    if (!s.complete())
      throw std::logic_error("the model has come to a halt before stream " +
                             std::to_string(&s - streams_.data()) + " was complete");
    r.cycles =
        std::max(r.cycles, ceil_div(s.end() * config_.clocks_of(s.config()).pl, config_.clocks.pl));
  }
  r.clocks = config_.clocks.clk_at(r.cycles);
  controller_.books().finish(r.clocks);
  settle_visits();
  Sums total = sums();
  total.add(taken_, 1);
  r.dram = total.dram;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream &s = streams_[i];
    StreamStats &st = s.stats();
    st.classes = total.streams[i].classes;
    st.bursts = total.streams[i].bursts;
    st.latency_sum = total.streams[i].latency_sum;
    s.finish(config_.cycles_of(s.config(), r.cycles));
    r.streams.push_back({s.launch(), s.end(), s.bytes_done(), st, std::nullopt});
    if (options_.beats)
      r.streams.back().beats = beats_[i];
  }
  r.intervals = intervals_;
  r.skipped_intervals = skipped_;
  if (options_.trace)
    std::stable_sort(options_.trace->begin(), options_.trace->end(),
                     [](const TraceEntry &a, const TraceEntry &b) { return a.clk < b.clk; });
  return r;
}

} // namespace axm

#include "axiometer/model/machine/system_parts.hpp"
