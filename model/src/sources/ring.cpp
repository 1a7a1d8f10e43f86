// Packets through a loop-back DMA: its reading half fills a FIFO, its writing half empties it into
// the place where the packet arrives. In a cycle the beat that is taken leaves room for one more.
#include "source.hpp"

#include <algorithm>

namespace axm::sources {

namespace {

constexpr Address kProgram{Place::memory, 0}, kSent{Place::memory, 1 << 27},
    kArrived{Place::memory, 1 << 28};

} // namespace

Job Source::by_ring() {
  const auto &ring = config_.ring;
  const std::int64_t n = ring.buffer_bytes;
  // The time of a packet's beats, and of those that the FIFO holds; a shorter packet is stored
  // whole.
  const auto moving = [&](std::int64_t bytes) {
    return ((bytes - 1) / ring.width_bytes + 1) * ring.beat_cycles * pl_.period;
  };
  const Time whole = moving(n), filled = moving(std::min<std::int64_t>(n, ring.fifo_bytes));
  Time read_free = 0, write_free = 0;
  std::deque<Pending> in_flight;
  const auto finish = [](Source &m, std::deque<Pending> &flying) -> Job {
    co_await m.books_.wait(flying.front());
    flying.pop_front();
    if (m.config_.ring.copy)
      co_await m.buffer_copy(kArrived, kProgram, m.config_.ring.buffer_bytes);
  };
  for (int packet = 0; packet < ring.packets && schedule_.now() < throttle_.stop; ++packet) {
    if (std::ssize(in_flight) == ring.depth)
      co_await finish(*this, in_flight);
    co_await books_.spend(config_.system.system_call, Class::system);
    if (ring.copy)
      co_await buffer_copy(kProgram, kSent, n);
    for (int i = 0; i < ring.descriptors; ++i)
      co_await cpu_.memory_write(32 * i, 32, Class::setup);
    if (ring.maintain)
      co_await cpu_.clean(ring.copy ? kSent : kProgram, n);
    for (int i = 0; i < ring.doorbells; ++i)
      co_await cpu_.slave_register(false);
    const Time reads = std::max(pl_.at_or_after(schedule_.now()), read_free);
    books_.data(reads, reads + filled);
    if (ring.maintain)
      co_await cpu_.invalidate(kArrived, n);
    const Time place = std::max(pl_.at_or_after(schedule_.now()), write_free);
    // The writing half begins with a whole packet or a full FIFO in store.
    const Time writes = std::max(place, reads + filled), end = writes + whole;
    books_.data(writes, end);
    read_free = std::max(reads + whole, end - filled);
    write_free = end;
    in_flight.push_back(books_.begin([&](Transaction &t) -> Course {
      t.passed(writes, Class::queue);
      t.passed(end, Class::data);
      return end;
    }));
  }
  while (!in_flight.empty())
    co_await finish(*this, in_flight);
}

} // namespace axm::sources
