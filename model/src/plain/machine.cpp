#include "machine.hpp"

#include <algorithm>

#include "books.hpp"

namespace axm::plain {

namespace {

// `n` places further of `size`, which is at least n.
std::size_t in_turn(std::size_t from, std::size_t n, std::size_t size) {
  return from + n < size ? from + n : from + n - size;
}

} // namespace

Machine::Machine(const SystemConfig &c, const RepeatStart &start)
    : config_(c), ages_{c.ages(kRead), c.ages(kWrite)}, controller_(c, start.first_refresh) {
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
  const auto act = [&](Dir d, auto &&step) {
    for (const std::size_t i : masters_of_[d]) {
      Master &m = masters_[i];
      if (m.rests())
        continue;
      const std::size_t sent = m.sent();
      step(m);
      if (m.sent() != sent && m.accepted() == sent)
        accepts_from_[d] = std::min(accepts_from_[d], m.arrives());
    }
  };
  // Engines outside do not look at each other, so that a read's beats may move at once.
  act(kRead, [&](Master &m) {
    m.addresses(now, partner(m));
    m.read_beats(now);
  });
  act(kWrite, [&](Master &m) { m.write_beats(now, partner(m)); });
}

std::int64_t Machine::next_pl_edge(std::int64_t now) const {
  std::int64_t next = kNever;
  for (const Master &m : masters_)
    next = std::min(next, (now / m.clocks().pl + 1) * m.clocks().pl);
  return next;
}

void Machine::dram_edge(Clk now) {
  accept(kRead, now);
  accept(kWrite, now);
  serve(now);
}

void Machine::dram_edges(Clk first, Clk end) {
  for (;;) {
    const Clk now =
        std::max(first, std::min({accepts_from_[kRead], accepts_from_[kWrite], changes_from_}));
    if (now >= end)
      return;
    const bool due[2] = {now >= accepts_from_[kRead], now >= accepts_from_[kWrite]};
    bool accepted = false;
    for (const Dir d : {kRead, kWrite})
      accepted |= due[d] && accept(d, now);
    std::optional<Dir> served;
    if (accepted || now >= changes_from_) {
      served = serve(now);
      changes_from_ = controller_.next_change(now);
    }
    for (const Dir d : {kRead, kWrite})
      if (due[d] || served == d)
        accepts_from_[d] = next_accept(d, now);
  }
}

// The controller's clock; the direction of a part whose service begins.
std::optional<Dir> Machine::serve(Clk now) {
  const auto served = controller_.clock(now);
  if (!served)
    return std::nullopt;
  const Controller::Entry &e = served->entry;
  Part &part = masters_[e.stream].parts()[e.part];
  part.first = now;
  part.last = served->last;
  Path &path = paths_[served->dir][static_cast<std::size_t>(masters_[e.stream].path())];
  path.served(e.stream, e.part, served->last,
              [&](const Path::Held &h) { masters_[h.stream].pass(h.part, h.passed); });
  return served->dir;
}

// The first clock after `now` at which a part may be accepted, unless another is sent or served: it
// is on its way, or its path has no place for it, or the controller no room.
Clk Machine::next_accept(Dir d, Clk now) {
  Clk next = kNever;
  for (Path &path : paths_[d])
    for (const std::size_t stream : path.streams) {
      const Master &m = masters_[stream];
      const Part *p = m.offer(now + 1);
      if (p == nullptr)
        next = std::min(next, m.arrives());
      else if (!path.has_place(p->columns, now + 1))
        next = std::min(next, path.next_change(now + 1));
      else if (controller_.has_room(d, path.high(), p->columns))
        return now + 1;
    }
  return next;
}

// Since when a part has been at the path.
Clk Machine::ready(const Path &path, Clk now) const {
  Clk since = kNever;
  for (const std::size_t stream : path.streams)
    if (const Part *p = masters_[stream].offer(now))
      since = std::min(since, p->ready);
  return since;
}

// Paths in turn or by their ageing counters, and on a path its streams in turn.
bool Machine::accept(Dir d, Clk now) {
  auto &paths = paths_[d];
  struct Choice {
    std::size_t path = 0, turn = 0;
    Clk level = kNever;
  } best;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::size_t at = in_turn(next_path_[d], i, paths.size());
    Path &path = paths[at];
    for (std::size_t j = 0; j < path.streams.size(); ++j) {
      const std::size_t turn = in_turn(path.turn, j, path.streams.size());
      const std::size_t stream = path.streams[turn];
      const Part *p = masters_[stream].offer(now);
      if (p == nullptr || !path.has_place(p->columns, now) ||
          !controller_.has_room(d, path.high(), p->columns))
        continue;
      const Clk level = ages_[d] ? path.level(ready(path, now), now) : 0;
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
  path.turn = in_turn(best.turn, 1, path.streams.size());
  next_path_[d] = in_turn(best.path, 1, paths.size());
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
