// A master in the fabric that moves a frame to or from the processor's memory, through the
// interconnect beside it and a slave port of the processor's side. When it acts is what
// rtl/masters and the DMA engines of rtl/dma do.
#include <deque>

#include "axiometer/model/processor/slave_port.hpp"
#include "axiometer/model/processor/workloads.hpp"

namespace axm::processor {
namespace {

// One burst: its address is offered at `first`; it has `sent` its address (read) or last beat
// (write), and `finished` when its last beat or its response was taken.
struct Burst {
  Time sent, finished;
  Trail trail;
};

Burst write(Machine &m, SlavePort &port, Time first, int bytes, int beats) {
  const Time period = m.gp.pl().period;
  Burst b;
  Time at = first + port.first_beat_cycles(beats) * period;
  b.trail.add(at, Class::fabric);
  for (int i = 0; i < beats; ++i) {
    m.beats.at(at);
    m.ledger.moves_data(at, at + period);
    at += (i == 0 && beats > 1 ? port.second_beat_cycles() : 1) * period;
  }
  b.sent = at;
  b.trail.add(b.sent, Class::fabric);
  const Time response = port.serve(b.sent, bytes, b.trail);
  b.finished = response + (m.config.fabric.taken_cycles + 1) * period;
  b.trail.add(b.finished, Class::fabric);
  return b;
}

Burst read(Machine &m, SlavePort &port, Time first, int bytes, int beats) {
  const Time period = m.gp.pl().period;
  Burst b;
  b.sent = first + period;
  b.trail.add(b.sent, Class::fabric);
  Time from = port.serve(b.sent, bytes, b.trail) + m.config.fabric.taken_cycles * period;
  if (m.beats.count())
    from = std::max(from, m.beats.last() + period);
  b.trail.add(from, Class::fabric);
  b.finished = from + beats * period;
  m.ledger.moves_data(from, b.finished);
  b.trail.add(b.finished, Class::data);
  for (int i = 0; i < beats; ++i)
    m.beats.at(from + i * period);
  return b;
}

} // namespace

void run_fabric(Machine &m) {
  const Config &c = m.config;
  const FabricMasterConfig &master = c.fabric;
  const Clock pl = m.gp.pl();
  SlavePort port(c, m.memory);
  if (c.prepare) // the set-up belongs to the frame, as a gap before its data
    m.beats.at(pl.edge(m.ledger.now()));
  for (int i = 0; i < master.start_accesses; ++i) {
    m.cpu.access_register(i % 2 == 1, true, Class::setup);
    m.cpu.instructions(c.cpu.loop_clocks, Class::setup);
  }
  Time first = pl.edge(m.ledger.now());
  m.ledger.until(first, Class::crossing);
  m.frame_begins = first;
  const int burst_bytes = master.burst_beats * c.gp.beat_bytes;
  std::deque<Burst> under_way;
  for (std::int64_t a = 0; a < c.bytes; a += burst_bytes) {
    const int n = static_cast<int>(std::min<std::int64_t>(burst_bytes, c.bytes - a));
    const int beats = (n + c.gp.beat_bytes - 1) / c.gp.beat_bytes;
    if (static_cast<int>(under_way.size()) >= master.outstanding) {
      const Burst &oldest = under_way.front();
      m.ledger.wait(oldest.finished, oldest.trail);
      first = std::max(first, oldest.finished);
      // One that waits for its response counts its own cycles from there.
      if (master.outstanding == 1)
        first = oldest.finished + (master.issue_cycles - 1) * pl.period;
      under_way.pop_front();
    }
    m.ledger.until(first, Class::fabric); // the master's own pace
    under_way.push_back(c.to_fabric ? read(m, port, first, n, beats)
                                    : write(m, port, first, n, beats));
    first = under_way.back().sent + (master.issue_cycles - 1) * pl.period;
  }
  for (const Burst &b : under_way)
    m.ledger.wait(b.finished, b.trail);
  m.frame_ends = m.ledger.now();
  // The processor sees the end at its next poll.
  m.cpu.access_register(true, true, Class::setup);
}

} // namespace axm::processor
