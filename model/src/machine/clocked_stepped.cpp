#include "axiometer/model/machine/clocked_stepped.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace axm::clocked {

namespace {

const SystemConfig &checked(const SystemConfig &c) {
  Chip::check(c);
  return c;
}

template <class T> std::vector<Books *> books_of(std::vector<T> &streams) {
  std::vector<Books *> out;
  for (T &s : streams)
    out.push_back(&s.books);
  return out;
}

} // namespace

SteppedSystem::SteppedSystem(const SystemConfig &c, const RepeatStart &start)
    : clocks_(c.clocks), stop_(start.stop), dram_clocks_(c.controller.ddrc.dram_clocks),
      chip_(checked(c), start.first_refresh, &trace_), interfaces_(chip_.interfaces().size()),
      streams_(c.streams.size()), measured_(c, start.stop, books_of(streams_)) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream &s = streams_[i];
    s.interface = Chip::interface_of(c, i);
    interfaces_[s.interface].streams.push_back(i);
    s.launch = start.launch[i];
    s.beat_bytes = c.ports[static_cast<std::size_t>(c.streams[i].port)].width_bytes;
  }
}

bool SteppedSystem::takes_address(std::size_t stream) const {
  const Stream &s = streams_[stream];
  return afi(s).takes_address() && s.books.in_flight() < Books::kMostOutstanding;
}

bool SteppedSystem::takes_write_beat(std::size_t stream, int begins) const {
  const Stream &s = streams_[stream];
  const auto &sending = interfaces_[s.interface].sending;
  return (sending.empty() ? begins > 0 : first(sending, stream)) && afi(s).takes_write_beat();
}

// Whether it has a beat to read, or a response.
bool SteppedSystem::answers(std::size_t stream) const {
  const Stream &s = streams_[stream];
  if (!first(interfaces_[s.interface].owners, stream))
    return false;
  return afi(s).reads() ? afi(s).read_beat() : afi(s).response(next_clk_);
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

void SteppedSystem::begin(std::size_t stream) {
  Stream &s = streams_[stream];
  if (!s.begins)
    return;
  afi(s).address(s.begins->address, s.begins->beats * s.begins->beat_bytes);
  s.books.begin(now_);
  interfaces_[s.interface].owners.push_back(stream);
  if (!afi(s).reads()) {
    interfaces_[s.interface].sending.push_back(stream);
    ++s.unsent;
  }
}

// The rest of a stream's cycle, and its class.
StreamClass SteppedSystem::move(std::size_t stream) {
  Stream &s = streams_[stream];
  Interface &at = interfaces_[s.interface];
  Afi &port = afi(s);
  const bool reads = port.reads();
  if (s.takes_response) {
    port.take_response();
    s.books.complete(now_);
    at.owners.pop_front();
  }
  auto &turn = reads ? at.owners : at.sending;
  if (s.moves) {
    at.beat = true;
    if (!(reads ? port.take_beat() : port.write_beat(next_clk_)))
      return kData;
    turn.pop_front();
    if (reads)
      s.books.complete(now_);
    else
      --s.unsent;
    return kData;
  }
  if (now_ < s.launch)
    return kLaunch;
  if (turn.empty() || (!reads && s.unsent == 0))
    return kMaster;
  if (turn.front() != stream)
    return kPath; // behind another master's burst
  const bool offered = !at.beat && (reads ? port.read_beat() : port.takes_write_beat());
  return offered ? kMaster : port.waits_for();
}

void SteppedSystem::step() {
  if (!measured_.over())
    measured_.cycle(now_, next_clk_, chip_.counts());
  for (std::size_t i = 0; i < interfaces_.size(); ++i) {
    interfaces_[i].beat = false;
    for (const std::size_t stream : interfaces_[i].streams)
      begin(stream);
    chip_.interfaces()[i].step(next_clk_);
    for (const std::size_t stream : interfaces_[i].streams)
      streams_[stream].books.count(move(stream));
  }
  for (Stream &s : streams_) {
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
  due_ = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i)
    due_ |= std::uint64_t{answers(i)} << i;
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

} // namespace axm::clocked
