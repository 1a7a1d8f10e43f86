#include "axiometer/model/shared_run.hpp"

#include <algorithm>
#include <exception>
#include <list>
#include <map>
#include <numeric>

#include "axiometer/model/need.hpp"
#include "shared_dram.hpp"
#include "source.hpp"

namespace axm {

namespace {

using processor::Time;

class SharedRun final : sources::Beside {
public:
  SharedRun(const SystemConfig &config, const std::vector<SourceConfig> &sources,
            const RepeatStart &start, OpenRun &run, bool beats)
      : config_(config), configs_(sources), start_(start), run_(run), beats_(beats),
        clock_(sources.front().transfer.clocks.ddr) {
    of_stream_.resize(config.streams.size());
    for (const SourceConfig &s : sources)
      add(s);
    timeline_.use(this);
  }

  RepeatResult run() {
    for (sources::Source &s : sources_)
      s.begin();
    while (until(timeline_.empty() ? sources::kForever : timeline_.next()) && !timeline_.empty())
      timeline_.step();
    if (failed_)
      std::rethrow_exception(failed_);
    for (const sources::Source &s : sources_)
      s.check_end();
    RepeatResult result = run_.finish();
    auto of = configs_.begin();
    for (sources::Source &s : sources_)
      tell(s, *of++, result);
    lengthen(result);
    return result;
  }

private:
  void add(const SourceConfig &s) {
    const int number = static_cast<int>(sources_.size());
    schedules_.emplace_back(timeline_, number);
    const int either = s.read_stream >= 0 ? s.read_stream : s.write_stream;
    const Time launch = start_.launch[static_cast<std::size_t>(either)] * clock_;
    const Clk stop = config_.stop_of(stream(either), start_.stop);
    drams_.emplace_back(run_, schedules_.back(), clock_, buffer(s.read_stream),
                        buffer(s.write_stream), waiting_);
    for (const int of : {s.read_stream, s.write_stream})
      if (of >= 0)
        of_stream_[static_cast<std::size_t>(of)] = &drams_.back();
    sources_.emplace_back(
        s.transfer,
        sources::Surroundings{
            .timeline = timeline_,
            .number = number,
            .dram = drams_.back(),
            .read = {s.read_there, s.read_back},
            .write = {s.write_there, s.write_back},
            .gp = port(s),
            .launch = launch,
            .throttle = {.pace = s.pace,
                         .bytes = s.pace_bytes,
                         .gap = s.gap,
                         .cycle = s.transfer.clocks.pl,
                         .stop = stop >= kNever ? sources::kForever : stop * clock_,
                         .due = launch},
            .endless = stop < kNever &&
                       stream(either).bytes > static_cast<std::uint64_t>(s.transfer.bytes),
            .kept = beats_,
            .latencies = true,
            .counted = counted()});
  }

  // Times that its streams at the memory lack: when the source saw the end of bursts, and when its
  // beats moved in the fabric, in cycles of its own clock there.
  void tell(sources::Source &s, const SourceConfig &config, RepeatResult &result) const {
    const Time pl = config.transfer.clocks.pl;
    processor::Outcome moved;
    if (beats_)
      s.beats().count(moved, pl);
    for (const auto &[number, d] :
         {std::pair{config.read_stream, kRead}, {config.write_stream, kWrite}}) {
      if (number < 0)
        continue;
      StreamResult &stream = result.streams[static_cast<std::size_t>(number)];
      stream.launch = start_.launch[static_cast<std::size_t>(number)];
      stream.end = std::max(stream.end, stream.launch);
      launched(stream);
      stream.payload = s.payload();
      s.latencies().into(stream, d);
      if (beats_)
        stream.beats = {moved.beats, moved.first_beat / pl, moved.last_beat / pl, moved.between};
    }
  }
  // What its stream took for a wait of its master, or for the time after its end, was its launch.
  static void launched(StreamResult &stream) {
    auto &classes = stream.stats.classes;
    Cycle left = stream.launch - std::exchange(classes[kLaunch], 0);
    classes[kLaunch] = stream.launch;
    for (const StreamClass c : {kMaster, kDone}) {
      const Cycle taken = std::min(left, classes[c]);
      classes[c] -= taken;
      left -= taken;
    }
    classes[kLaunch] -= left; // the run was over before
  }
  // The run ends when its last source is over.
  void lengthen(RepeatResult &result) const {
    const Clk over = ceil_div(timeline_.end(), clock_);
    result.cycles = std::max(result.cycles, ceil_div(over * config_.clocks.ddr, config_.clocks.pl));
    const Clk end = config_.clocks.clk_at(result.cycles);
    result.dram.classes[kIdleNoRequest] += end - result.clocks;
    result.clocks = end;
    for (std::size_t i = 0; i < result.streams.size(); ++i) {
      auto &classes = result.streams[i].stats.classes;
      const Cycle known = std::accumulate(classes.begin(), classes.end(), Cycle{0});
      classes[kDone] += config_.cycles_of(config_.streams[i], result.cycles) - known;
    }
  }

  // A run that is measured until its stop counts nothing after it.
  Time counted() const {
    if (start_.stop >= kNever || !part_of<ControllerPart>(config_.controller).parts.measures_part)
      return sources::kForever;
    return start_.stop * config_.clocks.pl / config_.clocks.ddr * clock_;
  }
  const StreamConfig &stream(int number) const {
    return config_.streams[static_cast<std::size_t>(number)];
  }
  sources::Buffer buffer(int number) const {
    if (number < 0)
      return {};
    const StreamConfig &s = stream(number);
    return {number, s.base, s.region > 0 ? s.region : s.bytes};
  }
  // Ports come after all sources where moments are equal.
  sources::GpPort &port(const SourceConfig &s) {
    const auto found = by_number_.find(s.fabric_port);
    if (s.fabric_port >= 0 && found != by_number_.end())
      return *found->second;
    transfers_.push_back(s.transfer);
    schedules_.emplace_back(timeline_, 64 + static_cast<int>(ports_.size()));
    ports_.emplace_back(transfers_.back(), schedules_.back(), beats_);
    by_number_[s.fabric_port] = &ports_.back();
    return ports_.back();
  }

  // All bursts that the memory serves before `t`, or before the moment after one of them.
  bool until(Time t) override try {
    while (waiting_ > 0 && !failed_) {
      const Time next = timeline_.empty() ? t : std::min(t, timeline_.next());
      const Clk limit = next == sources::kForever ? kNever : ceil_div(next, clock_);
      if (limit <= reached_)
        break;
      const auto served = run_.advance(limit);
      if (!served) {
        reached_ = limit;
        break;
      }
      of_stream_[static_cast<std::size_t>(served->stream)]->served(*served);
    }
    return !failed_;
  } catch (...) { // a job may ask for it: the run throws
    failed_ = std::current_exception();
    return false;
  }

  const SystemConfig &config_;
  const std::vector<SourceConfig> &configs_;
  const RepeatStart &start_;
  OpenRun &run_;
  bool beats_;
  Time clock_;
  int waiting_ = 0;  // bursts at the memory
  Clk reached_ = -1; // nothing more is served before
  std::exception_ptr failed_;
  std::vector<sources::SharedDram *> of_stream_;
  sources::Timeline timeline_;
  std::list<sources::Schedule> schedules_;
  std::list<sources::SharedDram> drams_;
  std::list<processor::Config> transfers_; // of the ports
  std::list<sources::GpPort> ports_;
  std::map<int, sources::GpPort *> by_number_;
  std::list<sources::Source> sources_;
};

} // namespace

void check_shared(const SystemConfig &config, const std::vector<SourceConfig> &sources) {
  need(!sources.empty(), "sources", "a shared run needs at least one source");
  std::vector<int> used(config.streams.size());
  for (const SourceConfig &s : sources) {
    processor::check(s.transfer);
    need(s.transfer.clocks.ddr == sources.front().transfer.clocks.ddr, "clocks.ddr",
         "all sources have the DRAM's clock in the same units");
    for (const auto &[number, dir] : {std::pair{s.read_stream, kRead}, {s.write_stream, kWrite}}) {
      const auto at = static_cast<std::size_t>(number);
      need(number < 0 || (at < used.size() && config.streams[at].outside &&
                          config.streams[at].dir == dir && used[at]++ == 0),
           dir == kRead ? "shared.read_stream" : "shared.write_stream",
           "must be a stream from outside, of this direction, and of no other source");
    }
    need(s.read_stream >= 0 || s.write_stream >= 0, "shared.read_stream",
         "a source must read the memory, or write it");
  }
}

RepeatResult run_shared(const SystemConfig &config, const std::vector<SourceConfig> &sources,
                        const RepeatStart &start, const RunOptions &options, bool plain) {
  check_shared(config, sources);
  // When its source begins and stops is not the stream's affair.
  SystemConfig at_memory = config;
  RepeatStart from_outside = start;
  for (std::size_t i = 0; i < config.streams.size(); ++i)
    if (config.streams[i].outside) {
      at_memory.streams[i].stop = -1;
      from_outside.launch[i] = 0;
    }
  RunOptions own = options;
  own.beats = false; // they are the sources'
  const auto run = plain ? open_plain(at_memory, from_outside, options.trace)
                         : open_run(at_memory, from_outside, own);
  return SharedRun(config, sources, start, *run, options.beats).run();
}

} // namespace axm
