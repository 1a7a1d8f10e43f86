// Transfers by the processor and by its DMA engine, and what all transfers share.
#include "source.hpp"

#include <algorithm>
#include <stdexcept>

namespace axm::sources {

namespace {

// Address of the DMA engine's program: a read takes its surroundings.
constexpr std::int64_t kDmaProgram = 0;

} // namespace

Source::Source(const Config &config, const Surroundings &around)
    : config_(config), schedule_(around.timeline, around.number),
      books_(schedule_, around.kept, around.latencies ? config_.clocks.ddr : 0),
      memory_(schedule_, books_, around.dram, around.read, around.write), gp_(around.gp),
      throttle_(around.throttle), cpu_(config_, schedule_, books_, memory_, gp_, throttle_),
      port_(config_, schedule_, books_, memory_), beats_(schedule_, around.kept),
      pl_{config.clocks.pl, config.clocks.pl_phase}, launch_(around.launch),
      endless_(around.endless) {
  books_.counted = around.counted;
}

// A buffer that is moved once was written, or its place was, just before. What repeats in mapped
// buffers has the caches as its last round left them.
void Source::begin() {
  if (!throttle_.ends())
    cpu_.warm(config_.bytes);
  else if (config_.mapped)
    cpu_.warm_round(config_.bytes, reads(), writes());
  const Timeline::Hold hold(schedule_.timeline()); // others begin with it
  job_ = work();
}

void Source::check_end() const {
  job_.await_resume(); // throws what it met
  if (!job_.over())
    throw std::logic_error("a traffic source has stalled");
}

side::Outcome Source::outcome() {
  check_end();
  books_.count(outcome_);
  beats().count(outcome_, pl_.period);
  return outcome_;
}

Job Source::work() {
  if (launch_ > 0)
    co_await schedule_.until(launch_, kThread);
  do
    co_await transfer();
  while (endless_ && schedule_.now() < throttle_.stop);
  outcome_.elapsed = schedule_.now() - launch_;
}

Job Source::transfer() {
  using side::Master;
  const Master master = config_.master;
  if (master == Master::copy || master == Master::loop)
    co_await by_processor();
  else if (master == Master::dmac)
    co_await by_dmac();
  else if (master == Master::fabric)
    co_await by_fabric();
  else if (master == Master::ring)
    co_await by_ring();
  else if (master == Master::memory_to_buffer || master == Master::memory_from_buffer)
    co_await by_system_call();
  else
    co_await cpu_.stream(config_.bytes, reads(), writes());
}

// A program's copy to or from a driver's buffer.
Job Source::by_system_call() {
  if (config_.system.present)
    co_await books_.spend(config_.system.system_call, Class::system);
  if (config_.master == side::Master::memory_to_buffer)
    co_await cpu_.to_buffer(config_.bytes);
  else
    co_await cpu_.copy({Place::uncached, 0}, {Place::memory, 0}, config_.bytes,
                       config_.cpu.access_bytes);
}

Job Source::by_processor() {
  const Address memory{Place::memory, 0}, slave{Place::slave, 0};
  const Address from = config_.to_fabric ? memory : slave, to = config_.to_fabric ? slave : memory;
  const auto &cpu = config_.cpu;
  if (config_.master == side::Master::copy) {
    co_await cpu_.instructions(cpu.call_instructions, Class::software);
    co_await cpu_.copy(from, to, config_.bytes, cpu.access_bytes);
  } else if (config_.target == side::Target::slave) {
    co_await cpu_.copy(from, to, config_.bytes, 4, cpu.loop_clocks);
  } else {
    for (std::int64_t at = 0; at < config_.bytes && schedule_.now() < throttle_.stop; at += 4) {
      co_await cpu_.peripheral_register(!config_.to_fabric, true, {});
      co_await cpu_.instructions(cpu.loop_clocks, Class::software);
    }
  }
  co_await cpu_.end_of_stores();
}

// The operating system's copy between a program's buffer and a driver's.
Job Source::buffer_copy(Address from, Address to, std::int64_t bytes) {
  books_.everything_is(Class::copy);
  co_await cpu_.copy(from, to, bytes, config_.cpu.access_bytes);
  books_.everything_is({});
}

Job Source::by_dmac() {
  const auto &dmac = config_.dmac;
  const Address drivers{Place::uncached, 0};
  for (std::int64_t done = 0; done < config_.bytes && schedule_.now() < throttle_.stop;
       done += dmac.program_bytes) {
    const std::int64_t bytes = std::min<std::int64_t>(dmac.program_bytes, config_.bytes - done);
    const Address users{Place::memory, done};
    if (config_.system.present)
      co_await books_.spend(config_.system.system_call, Class::system);
    if (dmac.copies && config_.to_fabric)
      co_await buffer_copy(users, drivers, bytes);
    if (config_.prepare)
      co_await cpu_.instructions(dmac.prepare_instructions, Class::setup);
    co_await cpu_.instructions(dmac.start_instructions, Class::setup);
    for (int i = 0; i < dmac.start_accesses; ++i) // written, read, written, ...
      co_await cpu_.peripheral_register(i % 2 != 0, false, Class::setup);
    co_await program(done, bytes);
    if (dmac.copies && !config_.to_fabric)
      co_await buffer_copy(drivers, users, bytes);
  }
}

// A load and a store. With a driver's buffer between, the processor's copy has counted the bytes.
Job Source::burst(Transaction &t, std::int64_t byte, std::int64_t n) {
  const auto moved = [&](Time at) {
    if (!config_.dmac.copies)
      books_.moved(at, n);
  };
  if (config_.to_fabric) {
    co_await follow(memory_.access(t, {byte, n}), schedule_, t.turn);
    books_.ends(t, gp_.write(t, n));
    moved(t.end);
    co_return;
  }
  const int place = memory_.place();
  const Time read = gp_.read(t, n, false).end;
  moved(read);
  const Time written = read + config_.dmac.write_clocks * config_.clocks.interconnect;
  t.passed(written, Class::interconnect);
  co_await schedule_.until(written, t.turn);
  books_.begin(
      [&](Transaction &w) -> Course { return memory_.access(w, {byte, n, false, place}); });
}

// A load and a store for each burst. The thread is ahead of its writes by so many bursts, and ends
// when it has issued the last, or when all are written.
Job Source::program(std::int64_t first, std::int64_t bytes) {
  const auto &dmac = config_.dmac;
  const Time clock = config_.clocks.interconnect;
  for (int i = 0; i < dmac.program_fetches; ++i)
    co_await books_.wait(books_.begin([&](Transaction &t) -> Course {
      return memory_.access(t, {kDmaProgram, 32});
    }),
                         Class::setup);
  std::deque<Pending> ahead;
  for (std::int64_t at = 0; at < bytes && schedule_.now() < throttle_.stop;
       at += dmac.burst_bytes) {
    const std::int64_t n = std::min<std::int64_t>(dmac.burst_bytes, bytes - at);
    if (throttle_.any())
      co_await books_.until(throttle_.from(), Class::engine);
    if (std::ssize(ahead) == dmac.bursts_in_flight) {
      co_await books_.wait(std::move(ahead.front()));
      ahead.pop_front();
    }
    throttle_.begun(schedule_.now(), n);
    ahead.push_back(
        books_.begin([&](Transaction &t) -> Course { return burst(t, first + at, n); }));
    const std::int64_t beats = (n - 1) / dmac.beat_bytes + 1;
    co_await books_.spend((dmac.loop_clocks + beats * dmac.beat_clocks) * clock, Class::engine);
  }
  for (; dmac.waits_for_writes && !ahead.empty(); ahead.pop_front())
    co_await books_.wait(std::move(ahead.front()));
}

} // namespace axm::sources
