#include "gp_port.hpp"

#include <algorithm>

namespace axm::sources {

GpPort::GpPort(const Config &config, Schedule &schedule, bool kept)
    : beats(kept), config_(config), schedule_(schedule), books_(schedule, kept),
      pl_{config.clocks.pl, config.clocks.pl_phase}, interconnect_{config.clocks.interconnect},
      apb_{config.clocks.apb}, reads_(schedule, config.gp.outstanding_read),
      writes_here_{Queue(schedule), Queue(schedule), Places(schedule, config.slave.outstanding)},
      reads_here_{Queue(schedule), Queue(schedule), Places(schedule, config.slave.outstanding)} {}

Job GpPort::read(Transaction &t, std::int64_t bytes, bool waits) {
  if (waits) {
    co_await reads_.take(t.turn);
    books_.passed(t, Class::queue);
  }
  co_await access(t, bytes, true);
  if (waits)
    reads_.give();
}

// The slave serves burst `number` of a channel: while one moves its data, the latency of the next
// one passes, if it takes several.
Job GpPort::serve(Transaction &t, Channel &channel, int number, std::int64_t count, bool read) {
  const auto &slave = config_.slave;
  co_await channel.door.mine(number, t.turn);
  co_await channel.places.take(t.turn);
  channel.door.go();
  if (schedule_.now() < channel.recovered)
    co_await schedule_.until(channel.recovered, t.turn);
  books_.passed(t, Class::queue);
  if (read)
    co_await cycles(t, slave.read_latency);
  co_await channel.data.mine(number, t.turn);
  books_.passed(t, Class::fabric);
  for (std::int64_t beat = 0; beat < count; ++beat) {
    beats.at(schedule_.now());
    co_await cycles(t, read ? slave.read_beat_cycles : 1);
  }
  channel.data.go();
  books_.passed(t, Class::data);
  if (!read)
    co_await cycles(t, slave.write_latency);
  books_.passed(t, Class::fabric);
  if (slave.outstanding == 1) {
    const int recovery = read ? slave.read_recovery : slave.write_recovery;
    channel.recovered = schedule_.now() + recovery * pl_.period;
  }
  channel.places.give();
}

Job GpPort::access(Transaction &t, std::int64_t bytes, bool read) {
  const auto &gp = config_.gp;
  const int clocks = read ? gp.read_clocks : gp.write_clocks;
  const int way = read ? config_.slave.read_way_cycles : config_.slave.write_way_cycles;
  const Time there = clocks / 2, back = (clocks + 1) / 2;
  const Time begun = interconnect_.at_or_after(schedule_.now());
  struct Burst {
    std::int64_t beats, before; // its own, and all up to its last one
    std::vector<int> numbers;   // at the slave
  };
  std::vector<Burst> bursts{{0, 0, {}}};
  for (std::int64_t byte = 0, beat = 0; byte < std::max<std::int64_t>(bytes, 1);
       byte += gp.beat_bytes, ++beat) {
    if (bursts.back().beats == gp.burst_beats)
      bursts.push_back({0, 0, {}});
    ++bursts.back().beats;
    bursts.back().before = beat + 1;
  }
  Channel &channel = read && config_.slave.outstanding > 1 ? reads_here_ : writes_here_;
  for (Burst &b : bursts)
    for (std::int64_t i = 0; i < (config_.slave.single ? b.beats : 1); ++i)
      b.numbers.push_back(channel.door.join());
  for (const Burst &b : bursts) {
    // A write's beats enter the interconnect a clock apart; it passes a burst on when it has all.
    const Time inside = there + (read ? 0 : b.before);
    const Time sent = begun + inside * interconnect_.period;
    if (sent > schedule_.now())
      co_await schedule_.until(sent, t.turn);
    books_.passed(t, Class::interconnect);
    const Time arrived = pl_.at_or_after(sent) + gp.sync_cycles * pl_.period;
    if (arrived > schedule_.now())
      co_await schedule_.until(arrived, t.turn);
    books_.passed(t, Class::crossing);
    const Time at_slave = arrived + way / 2 * pl_.period;
    if (at_slave > schedule_.now())
      co_await schedule_.until(at_slave, t.turn);
    books_.passed(t, Class::fabric);
    for (const int number : b.numbers)
      co_await serve(t, channel, number, config_.slave.single ? 1 : b.beats, read);
  }
  if (way > 0)
    co_await cycles(t, (way + 1) / 2);
  books_.passed(t, Class::fabric);
  co_await schedule_.until(interconnect_.at_or_after(schedule_.now()), t.turn);
  books_.passed(t, Class::crossing);
  co_await schedule_.until(schedule_.now() + back * interconnect_.period, t.turn);
  books_.passed(t, Class::interconnect);
}

Job GpPort::peripheral(Transaction &t, bool read, bool data) {
  const int clocks = read ? config_.gp.read_clocks : config_.gp.write_clocks;
  const auto on = [&](const Edges &clock, Time n) {
    return schedule_.until(clock.at_or_after(schedule_.now()) + n * clock.period, t.turn);
  };
  co_await on(interconnect_, clocks / 2);
  co_await on(apb_, config_.gpio_clocks);
  if (data)
    beats.at(pl_.at_or_after(schedule_.now()));
  co_await on(interconnect_, (clocks + 1) / 2);
  books_.passed(t, Class::interconnect);
}

} // namespace axm::sources
