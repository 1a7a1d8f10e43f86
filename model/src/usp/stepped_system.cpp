#include "axiometer/model/usp/stepped_system.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace axm::usp {

namespace {

const SystemConfig &checked(const SystemConfig &c) {
  Chip::check(c);
  return c;
}

template <class T> std::vector<const Books *> books_of(const std::vector<T> &streams) {
  std::vector<const Books *> out;
  for (const T &s : streams)
    out.push_back(&s.books);
  return out;
}

} // namespace

SteppedSystem::SteppedSystem(const SystemConfig &c, const RepeatStart &start)
    : clocks_(c.clocks), stop_(start.stop), dram_clocks_(c.controller.ddrc.clocks),
      chip_(checked(c), start.first_refresh, &trace_), streams_(c.streams.size()),
      measured_(c, start.stop, books_of(streams_)) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    streams_[i].launch = start.launch[i];
    streams_[i].beat_bytes = c.ports[static_cast<std::size_t>(c.streams[i].port)].width_bytes;
  }
}

bool SteppedSystem::takes_address(std::size_t stream) const {
  const Books &b = streams_[stream].books;
  return chip_.interfaces()[stream].takes_address() && b.in_flight() < Books::kMostOutstanding;
}

bool SteppedSystem::read_beat(std::size_t stream) const {
  return chip_.interfaces()[stream].read_beat();
}

bool SteppedSystem::takes_write_beat(std::size_t stream, bool burst_begins) const {
  return (streams_[stream].unsent > 0 || burst_begins) &&
         chip_.interfaces()[stream].takes_write_beat();
}

bool SteppedSystem::response(std::size_t stream) const {
  const Afi &afi = chip_.interfaces()[stream];
  return !afi.reads() && afi.response(next_clk_);
}

void SteppedSystem::drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
                          bool takes_response) {
  Stream &s = streams_[stream];
  if (begins && (begins->beat_bytes != s.beat_bytes ||
                 begins->address % static_cast<std::uint64_t>(s.beat_bytes) != 0))
    throw std::invalid_argument("a burst with beats of " + std::to_string(begins->beat_bytes) +
                                " bytes: beats must have the port's full width, and be aligned");
  s.begins = begins;
  s.moves = moves;
  s.takes_response = takes_response;
}

StreamClass SteppedSystem::step(Stream &s, Afi &afi) {
  if (s.begins) {
    afi.address(s.begins->address, s.begins->beats * s.begins->beat_bytes);
    s.books.begin(now_);
    s.unsent += afi.reads() ? 0 : 1;
  }
  afi.step(next_clk_);
  if (s.takes_response) {
    afi.take_response();
    s.books.complete(now_);
  }
  if (s.moves && afi.reads()) {
    if (afi.take_beat())
      s.books.complete(now_);
    return kData;
  }
  if (s.moves) {
    s.unsent -= afi.write_beat(next_clk_) ? 1 : 0;
    return kData;
  }
  if (now_ < s.launch)
    return kLaunch;
  const bool masters = afi.reads() ? afi.read_beat() : s.unsent == 0 || afi.takes_write_beat();
  return masters ? kMaster : afi.waits_for();
}

void SteppedSystem::step() {
  if (!measured_.over())
    measured_.cycle(now_, next_clk_, chip_.counts());
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream &s = streams_[i];
    s.books.count(step(s, chip_.interfaces()[i]));
    s.begins.reset();
    s.moves = s.takes_response = false;
  }
  ++now_;
  const auto waits = [&] {
    return std::ranges::any_of(streams_, [](const Stream &s) { return s.books.in_flight() > 0; });
  };
  // The controller's clocks from this PL edge to before the next.
  for (; next_clk_ * clocks_.ddr * dram_clocks_ < now_ * clocks_.pl; ++next_clk_) {
    chip_.clock(next_clk_);
    if (!measured_.over())
      measured_.clock(chip_.bus_class(next_clk_, waits));
  }
}

bool SteppedSystem::idle() const {
  const auto done = [](const Stream &s) { return s.books.in_flight() == 0; };
  return std::ranges::all_of(streams_, done) && chip_.idle();
}

RepeatResult SteppedSystem::result(Trace *trace) {
  if (stop_ >= kNever)
    throw std::invalid_argument("stop: a free run needs an end");
  std::vector<StreamResult> whole;
  for (const Stream &s : streams_)
    whole.push_back({s.launch, now_, static_cast<std::uint64_t>(s.books.beats() * s.beat_bytes),
                     s.books.stats});
  while (!measured_.over())
    step();
  RepeatResult r = measured_.result();
  r.whole = std::move(whole);
  if (trace != nullptr)
    *trace = std::move(trace_);
  return r;
}

} // namespace axm::usp
