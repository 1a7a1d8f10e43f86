// Packets through a loop-back DMA, beat by beat: its reading half fills a FIFO, its writing half
// empties it into the place where the packet arrives.
#include "source.hpp"

#include <algorithm>

namespace axm::sources {

namespace {

constexpr Address kProgram{Place::memory, 0}, kSent{Place::memory, 1 << 27},
    kArrived{Place::memory, 1 << 28};

// In a cycle the writing half acts first and the reading half last, even after the processor
// started the other: the beat that is taken leaves room for one more.
constexpr Turn kWriting = -1, kReading = kThread + 1;

// The DMA. The processor starts both halves of each packet.
struct LoopBack {
  Schedule &schedule;
  Books &books;
  Edges pl;
  std::int64_t packet; // its beats
  std::int64_t room;   // in the FIFO, in beats; a shorter packet is stored whole
  Time each;           // beat's time
  Queue readers, writers;
  std::int64_t stored = 0;       // beats in the FIFO, of all packets
  std::deque<std::int64_t> in{}; // beats of each packet that have come into the FIFO

  auto next_cycle(Turn turn) { return schedule.until(schedule.now() + pl.period, turn); }
  // A beat moves; so many of its cycles from here on are over.
  auto beat(Turn turn, Time rest = 0) {
    books.data(schedule.now(), schedule.now() + each);
    return schedule.until(schedule.now() + each - rest, turn);
  }

  Job read() {
    const int number = readers.join();
    in.push_back(0);
    co_await schedule.until(pl.at_or_after(schedule.now()), kReading);
    co_await readers.mine(number, kReading);
    while (in[number] < packet) {
      if (stored < room) {
        ++stored;
        co_await beat(kReading, pl.period); // its last cycle is to come
        ++in[number];
      }
      co_await next_cycle(kReading);
    }
    readers.go();
  }
  Job write(Transaction &t) {
    const int number = writers.join();
    co_await schedule.until(pl.at_or_after(schedule.now()), kWriting);
    co_await writers.mine(number, kWriting);
    while (in[number] < room)
      co_await next_cycle(kWriting);
    books.passed(t, Class::queue);
    for (std::int64_t i = 0; i < packet; ++i) {
      --stored;
      co_await beat(kWriting);
    }
    books.passed(t, Class::data);
    writers.go();
  }
};

} // namespace

Job Source::by_ring() {
  const auto &ring = config_.ring;
  const std::int64_t n = ring.buffer_bytes;
  const auto beats = [&](std::int64_t bytes) { return (bytes - 1) / ring.width_bytes + 1; };
  LoopBack dma{schedule_,
               books_,
               pl_,
               beats(n),
               beats(std::min<std::int64_t>(n, ring.fifo_bytes)),
               pl_.period * ring.beat_cycles,
               Queue(schedule_),
               Queue(schedule_)};
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
    books_.begin([&](Transaction &) { return dma.read(); });
    if (ring.maintain)
      co_await cpu_.invalidate(kArrived, n);
    in_flight.push_back(books_.begin([&](Transaction &t) { return dma.write(t); }));
  }
  while (!in_flight.empty())
    co_await finish(*this, in_flight);
}

} // namespace axm::sources
