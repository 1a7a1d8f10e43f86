// Packets through a DMA whose reading half feeds its writing half through a FIFO, as a network
// driver's ring with its own output looped back. The processor prepares a packet, hands it over,
// prepares the place where it will arrive, and waits when the ring is full.
#include <deque>

#include "axiometer/model/processor/workloads.hpp"

namespace axm::processor {
namespace {

// Where the program's buffer is, and the driver's for packets to send and that have arrived.
constexpr std::uint64_t kProgram = 0, kSent = 1 << 27, kArrived = 1 << 28;

} // namespace

void run_ring(Machine &m) {
  const Config &c = m.config;
  const RingConfig &ring = c.ring;
  const Clock pl = m.gp.pl();
  const std::int64_t n = ring.buffer_bytes;
  const auto beats = [&](std::int64_t bytes) {
    return (bytes + ring.width_bytes - 1) / ring.width_bytes * ring.beat_cycles * pl.period;
  };
  const Time whole = beats(n), filled = beats(std::min<std::int64_t>(n, ring.fifo_bytes));
  struct Flight {
    Time end;
    Trail trail;
  };
  std::deque<Flight> in_flight;
  Time read_free = 0, write_free = 0;
  // The operating system's copy between its buffer and the user's.
  const auto copy = [&](std::uint64_t from, std::uint64_t to) {
    m.ledger.book_whole(Class::copy);
    m.cpu.copy_in_memory(from, to, n);
    m.ledger.book_whole(std::nullopt);
  };
  const auto finish = [&] {
    m.ledger.wait(in_flight.front().end, in_flight.front().trail);
    in_flight.pop_front();
    if (ring.copy)
      copy(kArrived, kProgram);
  };
  for (int packet = 0; packet < ring.packets; ++packet) {
    if (static_cast<int>(in_flight.size()) >= ring.depth)
      finish();
    m.ledger.spend(c.system.system_call, Class::system);
    if (ring.copy)
      copy(kProgram, kSent);
    for (int i = 0; i < ring.descriptors; ++i)
      m.ledger.until(m.memory.write(m.ledger.now(), 32), Class::setup);
    if (ring.maintain)
      m.cpu.clean(ring.copy ? kSent : kProgram, n);
    for (int i = 0; i < ring.doorbells; ++i)
      m.cpu.access_register(false, true, Class::setup);
    const Time reads = std::max(pl.edge(m.ledger.now()), read_free);
    m.ledger.moves_data(reads, reads + filled);
    if (ring.maintain)
      m.cpu.invalidate(kArrived, n);
    const Time place = std::max(pl.edge(m.ledger.now()), write_free);
    // The writing half begins with a whole packet or a full FIFO in store, and has to have a place.
    const Time writes = std::max(place, reads + filled);
    const Time end = writes + whole;
    m.ledger.moves_data(writes, end);
    read_free = std::max(reads + whole, end - filled);
    write_free = end;
    Trail trail;
    trail.add(reads, Class::queue);
    trail.add(writes, Class::queue);
    trail.add(end, Class::data);
    in_flight.push_back({end, std::move(trail)});
  }
  while (!in_flight.empty())
    finish();
}

} // namespace axm::processor
