#include "axiometer/model/machine/clocked_open.hpp"

#include <algorithm>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_open_config.hpp"
#include "axiometer/model/sources/free_run.hpp"

namespace axm::clocked {

OpenSystem::OpenSystem(const SystemConfig &c, const RepeatStart &start, const RunOptions &options)
    : config_(open_config(c, start)), stop_(start.stop),
      core_(c.clocks.ddr * c.controller.dram_clocks), stopped_(last_stop(config_)),
      chip_(config_, start.first_refresh, options.trace), engines_(config_, start, chip_),
      clocks_(config_), books_(engines_.books()), measured_(config_, start.stop, books_),
      dog_(config_, start) {
  for (std::size_t i = 0; i < config_.streams.size(); ++i)
    if (config_.streams[i].outside)
      sources_.push_back({i});
}

void OpenSystem::ask(const OutsideBurst &b) {
  check_beats(config_, b);
  const auto i = static_cast<std::size_t>(b.stream);
  engines_.of(i).ask(config_.clocks_of(config_.streams[i]).cycle_at(b.at), b.address, b.bytes);
}

std::optional<OutsideServed> OpenSystem::advance(Clk limit) {
  const std::int64_t until = limit > most_clocks(config_) ? kNever : limit * config_.clocks.ddr;
  while (served_.empty() && !through() && step(until)) {
  }
  if (served_.empty())
    return std::nullopt;
  const OutsideServed first = served_.front();
  served_.pop_front();
  return first;
}

RepeatResult OpenSystem::finish() {
  const bool ends = stop_ < kNever;
  if (!ends || last_ >= stop_ * config_.clocks.pl)
    while (!through())
      step(kNever);
  if (!ends)
    measured_.end(ceil_div(last_ + longest_cycle(config_), config_.clocks.pl));
  while (!measured_.over())
    if (!step(mark()))
      measure();
  return measured_.result();
}

std::int64_t OpenSystem::mark() const {
  return measured_.over() || measured_.next() >= kNever ? kNever
                                                        : measured_.next() * config_.clocks.pl;
}

// When the first engine acts (base units); kNever: none without a new request.
std::int64_t OpenSystem::wakes() const {
  std::int64_t first = kNever;
  for (std::size_t i = 0; i < config_.streams.size(); ++i) {
    const StreamConfig &s = config_.streams[i];
    const Cycle cycle = engines_.of(i).wakes(clocks_.next(clocks_.of(s.port)));
    if (cycle < kNever)
      first = std::min(first, cycle * config_.clocks_of(s).pl);
  }
  return first;
}

// The next time at which something happens, and all of it; false if that is not before `until`
// (base units).
bool OpenSystem::step(std::int64_t until) {
  if (chip_.sleeps_until(now_) > now_ && !waits())
    sleep(until);
  const std::int64_t cycle = clocks_.due(), clock = now_ * core_;
  const std::int64_t time = std::min(cycle, clock);
  if (time >= until)
    return false;
  while (mark() <= time)
    measure();
  if (cycle == time)
    cycles(time);
  if (clock == time)
    controller_clock();
  last_ = time;
  return true;
}

// Passes over clocks in which nothing happens: but for the last, which leaves the controller as it
// would be after all of them.
void OpenSystem::sleep(std::int64_t until) {
  const std::int64_t end = std::min({until, mark(), wakes()});
  const Clk last = std::min((end - 1) / core_, chip_.sleeps_until(now_));
  if (last <= now_)
    return;
  clocks_.skip_before((last - 1) * core_ + 1, [&](std::size_t clock, Cycle cycles) {
    for (std::size_t i = 0; i < config_.streams.size(); ++i)
      if (cycles > 0 && clocks_.of(config_.streams[i].port) == clock)
        engines_.of(i).sleep(clocks_.next(clock), cycles);
  });
  if (!measured_.over())
    measured_.clock(kIdleNoRequest, last - now_);
  now_ = last;
}

void OpenSystem::cycles(std::int64_t time) {
  clocks_.run_before(time + 1,
                     [&](std::size_t clock, Cycle cycle) { engines_.cycle(clock, cycle, now_); });
  for (Source &s : sources_) {
    const StreamConfig &stream = config_.streams[s.stream];
    if (books_[s.stream]->stats.bursts == s.told)
      continue;
    ++s.told;
    // The cycle that has begun ends it.
    const Cycle next = clocks_.next(clocks_.of(stream.port));
    served_.push_back({static_cast<int>(s.stream), config_.clocks_of(stream).clk_at(next)});
  }
}

bool OpenSystem::waits() const {
  return std::ranges::any_of(books_, [](const Books *b) { return b->in_flight() > 0; });
}

void OpenSystem::controller_clock() {
  if (now_ % kWatched == 0 && ((now_ * core_ < stopped_ && wakes() < kNever) || waits()))
    watch(config_, dog_, now_, books_);
  chip_.clock(now_);
  if (!measured_.over())
    measured_.clock(chip_.bus_class(now_, [this] { return waits(); }));
  ++now_;
}

std::unique_ptr<OpenRun> open_run(const SystemConfig &c, const RepeatStart &start,
                                  const RunOptions &options) {
  return std::make_unique<OpenSystem>(c, start, options);
}

} // namespace axm::clocked
