#include "gp_port.hpp"

#include <algorithm>

namespace axm::sources {

GpPort::GpPort(const Config &config, Schedule &schedule, bool kept, side::OutsideSlave slave)
    : beats(schedule, kept), schedule_(schedule), config_(config), outside_(std::move(slave)),
      pl_{config.clocks.pl, config.clocks.pl_phase}, interconnect_{config.clocks.interconnect},
      apb_{config.clocks.apb}, reads_(config.gp.outstanding_read), readers_(schedule),
      writes_here_{Places(config.slave.outstanding)}, reads_here_{writes_here_} {}

Course GpPort::read(Transaction &t, std::int64_t bytes, bool waits) {
  if (!waits)
    return access(t, bytes, true);
  if (!readers_.empty() || reads_.next() > schedule_.now())
    return read_later(t, bytes);
  const Time end = access(t, bytes, true);
  reads_.take(end);
  return end;
}

// When it gets a place it takes its turn among all accesses.
Job GpPort::read_later(Transaction &t, std::int64_t bytes) {
  co_await readers_.mine(readers_.join(), t.turn);
  co_await schedule_.until(reads_.next(), t.turn);
  t.passed(schedule_.now(), Class::queue);
  const Time end = access(t, bytes, true);
  reads_.take(end);
  readers_.go();
  co_await schedule_.until(end, t.turn);
}

// Cut into bursts of the port. The interconnect takes a write's data a beat a clock, and passes
// none of a burst on before it has all of it; of a read it needs the address only.
Time GpPort::access(Transaction &t, std::int64_t bytes, bool read) {
  const auto &gp = config_.gp;
  const int clocks = read ? gp.read_clocks : gp.write_clocks;
  const int way = read ? config_.slave.read_way_cycles : config_.slave.write_way_cycles;
  const Time there = clocks / 2, back = (clocks + 1) / 2;
  const Time begun = interconnect_.at_or_after(schedule_.now());
  Channel &channel = read && config_.slave.outstanding > 1 ? reads_here_ : writes_here_;
  const std::int64_t count = std::max<std::int64_t>(1, (bytes + gp.beat_bytes - 1) / gp.beat_bytes);
  Time end = 0;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t burst = std::min<std::int64_t>(count - done, gp.burst_beats);
    done += burst;
    const Time sent = begun + (there + (read ? 0 : done)) * interconnect_.period;
    const Time crossed = pl_.at_or_after(sent) + gp.sync_cycles * pl_.period;
    const Time arrived = crossed + way / 2 * pl_.period;
    t.passed(sent, Class::interconnect);
    t.passed(crossed, Class::crossing);
    t.passed(arrived, Class::fabric);
    const std::int64_t each = config_.slave.single ? 1 : burst;
    for (std::int64_t i = 0; i < burst; i += each) // bursts of one access follow one another
      end = serve(t, channel, std::max(arrived, end), each, read);
  }
  end += (way + 1) / 2 * pl_.period;
  t.passed(end, Class::fabric);
  const Time crossed = interconnect_.at_or_after(end);
  t.passed(crossed, Class::crossing);
  const Time over = crossed + back * interconnect_.period;
  t.passed(over, Class::interconnect);
  return over;
}

// One burst at the slave: the edge after its last beat (read), or of its response. While one moves
// its data, the latency of the next one passes, if the slave takes several.
Time GpPort::serve(Transaction &t, Channel &channel, Time arrived, std::int64_t count, bool read) {
  const auto &slave = config_.slave;
  const Time period = pl_.period;
  const Time start = std::max({arrived, channel.taken, channel.places.next()});
  channel.taken = start;
  Time first, data, end; // of data
  if (outside_) {
    const side::Served served = outside_(start, static_cast<int>(count), read);
    for (const Time beat : served.beats)
      beats.at(beat);
    first = served.beats.front();
    data = read ? served.end : served.beats.back() + period;
    end = served.end;
  } else {
    const Time step = (read ? slave.read_beat_cycles : 1) * period;
    first = std::max(channel.data, start + (read ? slave.read_latency * period : 0));
    beats.run(first, step, count);
    data = first + count * step;
    end = data + (read ? 0 : slave.write_latency * period);
  }
  channel.data = data;
  t.passed(start, Class::queue);
  t.passed(first, Class::fabric);
  t.passed(data, Class::data);
  t.passed(end, Class::fabric);
  const int recovery = read ? slave.read_recovery : slave.write_recovery;
  channel.places.take(end + (slave.outstanding == 1 ? recovery * period : 0));
  return end;
}

Time GpPort::peripheral(Transaction &t, bool read, bool data) {
  const int clocks = read ? config_.gp.read_clocks : config_.gp.write_clocks;
  const auto on = [](const Edges &clock, Time from, Time n) {
    return clock.at_or_after(from) + n * clock.period;
  };
  const Time there = on(interconnect_, schedule_.now(), clocks / 2);
  const Time moved = on(apb_, there, config_.gpio_clocks);
  if (data)
    beats.at(pl_.at_or_after(moved));
  const Time end = on(interconnect_, moved, (clocks + 1) / 2);
  t.passed(end, Class::interconnect);
  return end;
}

} // namespace axm::sources
