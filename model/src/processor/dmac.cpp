// The DMA engine: programs of one loop, a load and a store of one burst in each iteration. Its
// thread runs ahead of its writes by what its FIFO holds; a PL330's ends without the last ones.
#include <deque>

#include "axiometer/model/processor/workloads.hpp"

namespace axm::processor {
namespace {

// One program: `bytes` from the moment at which the engine is started.
void run_program(Machine &m, std::int64_t bytes) {
  const DmacConfig &dmac = m.config.dmac;
  const Time clock = m.config.clocks.interconnect;
  for (int i = 0; i < dmac.program_fetches; ++i)
    m.ledger.until(m.memory.read(m.ledger.now(), 32), Class::setup);
  std::deque<std::pair<Time, Trail>> under_way;
  for (std::int64_t a = 0; a < bytes; a += dmac.burst_bytes) {
    const int n = static_cast<int>(std::min<std::int64_t>(dmac.burst_bytes, bytes - a));
    const int beats = (n + dmac.beat_bytes - 1) / dmac.beat_bytes;
    if (static_cast<int>(under_way.size()) >= dmac.bursts_in_flight) {
      m.ledger.wait(under_way.front().first, under_way.front().second);
      under_way.pop_front();
    }
    Trail trail;
    const Time issued = m.ledger.now();
    Time end;
    if (m.config.to_fabric)
      end = m.gp.write(m.memory.read(issued, n, &trail), n, &trail);
    else {
      // A write to memory is buffered, and answered, in the interconnect.
      end = m.gp.read(issued, n, &trail, false) + dmac.write_clocks * clock;
      m.memory.write_later(end, n);
      trail.add(end, Class::interconnect);
    }
    under_way.emplace_back(end, std::move(trail));
    m.ledger.spend((dmac.loop_clocks + beats * dmac.beat_clocks) * clock, Class::engine);
  }
  if (dmac.waits_for_writes)
    for (const auto &[end, trail] : under_way)
      m.ledger.wait(end, trail);
}

} // namespace

void run_dmac(Machine &m) {
  const Config &c = m.config;
  const std::int64_t most = c.dmac.program_bytes;
  for (std::int64_t done = 0; done < c.bytes; done += most) {
    if (c.system.present)
      m.ledger.spend(c.system.system_call, Class::system);
    const std::int64_t n = std::min(most, c.bytes - done);
    const auto user = static_cast<std::uint64_t>(done);
    const auto copy = [&](std::uint64_t from, std::uint64_t to) {
      m.ledger.book_whole(Class::copy);
      m.cpu.copy_in_memory(from, to, n);
      m.ledger.book_whole(std::nullopt);
    };
    if (c.dmac.copies && c.to_fabric)
      copy(user, kUncached);
    if (c.prepare)
      m.cpu.instructions(c.dmac.prepare_instructions, Class::setup);
    m.cpu.instructions(c.dmac.start_instructions, Class::setup);
    for (int i = 0; i < c.dmac.start_accesses; ++i)
      m.cpu.access_register(i % 2 == 1, false, Class::setup);
    run_program(m, n);
    if (c.dmac.copies && !c.to_fabric)
      copy(kUncached, user);
  }
}

} // namespace axm::processor
