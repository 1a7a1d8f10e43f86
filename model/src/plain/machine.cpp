#include "machine.hpp"

#include <algorithm>

#include "books.hpp"

namespace axm::plain {

Machine::Machine(const SystemConfig &c, const RepeatStart &start)
    : config_(c), controller_(c, start.first_refresh) {
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    masters_.emplace_back(c, i, start);
    masters_of_[c.streams[i].dir].push_back(i);
  }
  for (const Dir d : {kRead, kWrite})
    for (const PathConfig &p : c.paths)
      paths_[d].emplace_back(p, config_.dram.column_bytes, d);
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    paths_[c.streams[i].dir][static_cast<std::size_t>(masters_[i].path())].streams.push_back(i);
}

const Master *Machine::partner(const Master &m) const {
  const int p = m.config().partner;
  return p < 0 ? nullptr : &masters_[static_cast<std::size_t>(p)];
}

// What an engine sees of its partner in a cycle: reads wait for beats of earlier
// cycles, so their addresses come first; writes may pass on a beat of this cycle.
void Machine::pl_edges(std::int64_t now) {
  at_edge(now, [&](Master &m, Cycle cycle) { m.addresses(cycle, partner(m)); });
  at_edge(now, [&](Master &m, Cycle cycle) { m.read_beats(cycle); });
  at_edge(now, [&](Master &m, Cycle cycle) { m.write_beats(cycle, partner(m)); });
}

template <class Do> void Machine::at_edge(std::int64_t now, Do &&act) {
  for (Master &m : masters_)
    if (now % m.clocks().pl == 0)
      act(m, now / m.clocks().pl);
}

void Machine::pl_cycle(Cycle now) {
  for (const std::size_t read : masters_of_[kRead])
    masters_[read].addresses(now, partner(masters_[read]));
  for (const std::size_t read : masters_of_[kRead])
    masters_[read].read_beats(now);
  for (const std::size_t write : masters_of_[kWrite])
    masters_[write].write_beats(now, partner(masters_[write]));
}

std::int64_t Machine::next_pl_edge(std::int64_t now) const {
  std::int64_t next = kNever;
  for (const Master &m : masters_)
    next = std::min(next, (now / m.clocks().pl + 1) * m.clocks().pl);
  return next;
}

void Machine::dram_edge(Clk now) {
  accepts_from_[kRead] = accepts_from_[kWrite] = now;
  decides(now);
}

void Machine::dram_edges(Clk first, Clk end) {
  std::size_t sent = 0;
  for (const Master &m : masters_)
    sent += m.sent();
  if (sent_ != sent)
    rests_until_ = accepts_from_[kRead] = accepts_from_[kWrite] = first;
  sent_ = sent;
  for (Clk now = std::max(first, rests_until_); now < end; now = std::max(now + 1, rests_until_))
    rests_until_ = decides(now) ? now + 1 : next_change(now);
}

// The first clock after `now`, at which nothing was decided, at which anything can be.
Clk Machine::next_change(Clk now) {
  return std::min({controller_.next_change(now), accepts_from_[kRead], accepts_from_[kWrite]});
}

// One edge; whether it changed anything but timers.
bool Machine::decides(Clk now) {
  const bool read = try_accept(kRead, now), write = try_accept(kWrite, now);
  const Controller::Decided before = controller_.decided();
  const auto served = controller_.clock(now);
  if (!served)
    return read || write || controller_.decided() != before;
  const Controller::Entry &e = served->entry;
  accepts_from_[served->dir] = now + 1; // there is room in the controller
  Part &part = masters_[e.stream].parts()[e.part];
  part.first = now;
  part.last = served->last;
  Path &path = paths_[served->dir][static_cast<std::size_t>(masters_[e.stream].path())];
  for (const Path::Held &h : path.served(e.stream, e.part, served->last))
    masters_[h.stream].pass(h.part, h.passed);
  return true;
}

// Since when a part has been at the path.
Clk Machine::ready(const Path &path, Clk now) const {
  Clk since = kNever;
  for (const std::size_t stream : path.streams)
    if (const Part *p = masters_[stream].offer(now))
      since = std::min(since, p->ready);
  return since;
}

// `accept`, left out where it would be in vain.
bool Machine::try_accept(Dir d, Clk now) {
  if (now < accepts_from_[d])
    return false;
  if (accept(d, now))
    return true;
  // A part is still on its way, or the path has no place for it, or the controller no room: that
  // comes with a part that is served.
  Next next(now);
  for (const Path &path : paths_[d])
    for (const std::size_t stream : path.streams) {
      const Part *p = masters_[stream].offer(now);
      if (p == nullptr)
        next.may_be(masters_[stream].arrives());
      else if (!path.has_place(p->columns, now))
        next.may_be(path.next_change(now));
    }
  accepts_from_[d] = next.at();
  return false;
}

// Paths in turn or by their ageing counters, and on a path its streams in turn.
bool Machine::accept(Dir d, Clk now) {
  auto &paths = paths_[d];
  struct Choice {
    std::size_t path = 0, turn = 0;
    Clk level = kNever;
  } best;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::size_t at = (next_path_[d] + i) % paths.size();
    Path &path = paths[at];
    for (std::size_t j = 0; j < path.streams.size(); ++j) {
      const std::size_t turn = (path.turn + j) % path.streams.size();
      const std::size_t stream = path.streams[turn];
      const Part *p = masters_[stream].offer(now);
      if (p == nullptr || !path.has_place(p->columns, now) ||
          !controller_.has_room(d, path.high(), p->columns))
        continue;
      const Clk level = config_.ages(d) ? path.level(ready(path, now), now) : 0;
      if (level < best.level)
        best = {at, turn, level};
      break;
    }
  }
  if (best.level == kNever)
    return false;
  Path &path = paths[best.path];
  const std::size_t stream = path.streams[best.turn];
  Master &m = masters_[stream];
  const Part *p = m.offer(now);
  const std::size_t index = m.accepted();
  controller_.accept(d, {stream, index, p->where, p->columns, path.high()}, p->requested, p->cause,
                     now);
  path.accept(stream, index, p->columns, p->bytes, now);
  m.accept(now);
  path.turn = (best.turn + 1) % path.streams.size();
  next_path_[d] = (best.path + 1) % paths.size();
  return true;
}

std::int64_t Machine::progress() const {
  auto n = static_cast<std::int64_t>(controller_.runs().size());
  for (const Master &m : masters_)
    n += m.progress();
  return n;
}

RepeatResult Machine::result(Trace *trace) {
  controller_.drop_the_tail();
  if (trace != nullptr)
    *trace = controller_.trace();
  RepeatResult r;
  for (const Master &m : masters_)
    r.cycles = std::max(r.cycles, ceil_div(m.end() * m.clocks().pl, config_.clocks.pl));
  r.clocks = config_.clocks.clk_at(r.cycles);
  for (const Master &m : masters_) {
    StreamResult s{m.launch(), m.end(), m.bytes(), {}, m.beats()};
    s.stats.classes = stream_time(m, m.clocks(), config_.cycles_of(m.config(), r.cycles));
    for (const Burst &b : m.bursts()) {
      const Cycle latency = b.done - b.begin;
      ++s.stats.bursts;
      s.stats.latency_sum += latency;
      ++s.stats.latency[Histogram::bin(latency)];
    }
    r.streams.push_back(s);
  }
  r.dram.classes = bus_time(controller_, config_, r.clocks);
  for (const TraceEntry &e : controller_.trace()) {
    if (e.command == Command::read)
      ++r.dram.counts[kReads];
    if (e.command == Command::write)
      ++r.dram.counts[kWrites];
    if (e.command == Command::activate)
      ++r.dram.counts[kActivates];
    if (e.command == Command::precharge)
      ++r.dram.counts[kPrecharges];
    if (e.command == Command::refresh)
      ++r.dram.counts[kRefreshes];
  }
  r.intervals = controller_.refreshes().size();
  return r;
}

} // namespace axm::plain
