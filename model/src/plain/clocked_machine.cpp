#include "clocked_machine.hpp"

#include <algorithm>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/need.hpp"
#include "clocked_open.hpp"

namespace axm::plain::clocked {

Machine::Machine(const SystemConfig &c, const RepeatStart &start)
    : config_(c), begin_(std::min(c.measure.settle, start.stop / 2)), stop_(start.stop),
      clock_(c.clocks.ddr * c.controller.dram_clocks), places_(places_of(c)),
      fabrics_(fabrics_of(c, start)), ports_(c, fabrics_), controller_(c, start.first_refresh) {
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    if (c.streams[i].partner >= 0)
      engine(i).join(&engine(static_cast<std::size_t>(c.streams[i].partner)));
}

// Streams of one direction of a port are behind one interface.
std::vector<Machine::Place> Machine::places_of(const SystemConfig &c) {
  std::vector<Place> places;
  std::size_t fabrics = 0;
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    Place at{fabrics, 0};
    for (std::size_t k = 0; k < i; ++k)
      if (c.streams[k].port == c.streams[i].port && c.streams[k].dir == c.streams[i].dir)
        at = {places[k].fabric, places[k].engine + 1};
    fabrics += at.fabric == fabrics;
    places.push_back(at);
  }
  return places;
}

std::vector<Fabric> Machine::fabrics_of(const SystemConfig &c, const RepeatStart &start) const {
  std::vector<Fabric> fabrics;
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    if (places_[i].engine == 0)
      fabrics.emplace_back(Interface(c, s.port, s.dir), c.clocks_of(s).pl);
    fabrics[places_[i].fabric].engines.emplace_back(c, i, start);
  }
  return fabrics;
}

// ---- the run ---------------------------------------------------------------------

// Controller clocks have been stepped as often as there are classes of them.
std::int64_t Machine::next() const {
  std::int64_t next = static_cast<std::int64_t>(classes_.size()) * clock_;
  for (const Fabric &f : fabrics_)
    next = std::min(next, f.cycles * f.period());
  return next;
}

// Cycles before the controller clock that begins with them.
void Machine::step() {
  const std::int64_t time = next();
  const auto now = static_cast<Clk>(classes_.size());
  for (Fabric &f : fabrics_)
    if (f.cycles * f.period() == time)
      f.cycle(f.cycles, now);
  if (now * clock_ > time)
    return;
  ports_.clock(now, controller_);
  if (const auto read = controller_.clock(now, ports_.late_read_waited()))
    ports_.served(*read, now);
  ports_.give_back(now);
  classes_.push_back(bus_class(now));
}

void Machine::run() {
  while (next() < stop_ * config_.clocks.pl)
    step();
}

bool Machine::through() const {
  return controller_.idle() && std::ranges::all_of(fabrics_, [](const Fabric &f) {
           return std::ranges::all_of(f.engines,
                                      [&](const Engine &e) { return e.through(f.cycles); });
         });
}

BusClass Machine::bus_class(Clk now) const {
  BusClass c = controller_.did(now);
  if (c != kIdleNoRequest)
    return c;
  for (const Fabric &f : fabrics_) {
    for (const Engine &e : f.engines)
      if (e.in_flight() > 0)
        c = std::max(c, kIdlePort);
    c = std::max(c, f.port.idle_class());
  }
  return c;
}

// ---- what is measured ------------------------------------------------------------

Clk Machine::clock_at(Cycle cycle) const { return ceil_div(cycle * config_.clocks.pl, clock_); }

RepeatResult Machine::result() const {
  const int dram_clocks = config_.controller.dram_clocks;
  const Clk first = clock_at(begin_), end = clock_at(stop_);
  RepeatResult r;
  r.measured = true;
  r.begins = begin_;
  r.cycles = stop_ - begin_;
  r.clocks = (end - first) * dram_clocks;
  for (Clk n = first; n < end; ++n)
    r.dram.classes[classes_[static_cast<std::size_t>(n)]] += dram_clocks;
  // The last clock may end after the last cycle.
  const Clk within = r.cycles * config_.clocks.pl / config_.clocks.ddr;
  if (r.clocks > within) {
    r.dram.classes[classes_.back()] -= r.clocks - within;
    r.clocks = within;
  }
  for (std::size_t i = 0; i < controller_.trace.size(); ++i) {
    const Command c = controller_.trace[i].command;
    r.intervals += c == Command::refresh;
    if (controller_.clocks[i] < first)
      continue;
    r.dram.counts[kReads] += c == Command::read;
    r.dram.counts[kWrites] += c == Command::write;
    r.dram.counts[kActivates] += c == Command::activate;
    r.dram.counts[kPrecharges] += c == Command::precharge || c == Command::precharge_all;
    r.dram.counts[kRefreshes] += c == Command::refresh;
  }
  for (const Place &p : places_)
    r.streams.push_back(stream(p));
  return r;
}

// Cycles of its port that begin and end in what is measured; bursts that begin and complete in it.
StreamResult Machine::stream(const Place &at) const {
  const Engine &e = engine(at);
  const std::int64_t period = fabrics_[at.fabric].period();
  const Cycle first = ceil_div(begin_ * config_.clocks.pl, period);
  const Cycle end = stop_ * config_.clocks.pl / period;
  StreamResult r;
  r.end = std::max<Cycle>(end - first, 0);
  for (Cycle n = first; n < end; ++n)
    ++r.stats.classes[e.classes[static_cast<std::size_t>(n)]];
  r.bytes = static_cast<std::uint64_t>(r.stats.classes[kData] *
                                       fabrics_[at.fabric].port.port().width_bytes);
  if (const StreamConfig &s = e.config(); !s.outside)
    r.bytes = std::min(r.bytes, s.bytes);
  for (const Engine::Burst &b : e.bursts)
    if (b.begin >= first && b.done != kNever) {
      ++r.stats.bursts;
      r.stats.latency_sum += b.done - b.begin;
      ++r.stats.latency[Histogram::bin(b.done - b.begin)];
    }
  r.stats.longest_wait = longest_wait(e);
  return r;
}

// Between two beats, of the whole run; -1: there was no beat.
Cycle Machine::longest_wait(const Engine &e) const {
  Cycle longest = -1, wait = 0;
  for (const StreamClass c : e.classes) {
    if (c == kData)
      longest = std::max(longest, longest < 0 ? 0 : wait);
    wait = c == kData ? 0 : wait + 1;
  }
  return longest;
}

RepeatResult run(const SystemConfig &c, const RepeatStart &start, Trace *trace) {
  check_start(c, start);
  if (start.stop >= kNever) // streams with an end
    return open(c, start, trace)->finish();
  need(c.measure.block == 0, "measure.block", "must be 0: the plain model judges no rate");
  need(c.convolution.lanes == 0, "convolution.lanes",
       "must be 0: the plain model has engines only");
  Machine machine(c, start);
  machine.run();
  if (trace != nullptr)
    *trace = machine.trace();
  return machine.result();
}

namespace {

const Registered<PlainTwin> usp_ddrc({.name = kUspDdrc, .run = run, .open = open});

} // namespace

} // namespace axm::plain::clocked
