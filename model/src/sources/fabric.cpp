// A master in the fabric: a frame in bursts, through a slave port.
#include "source.hpp"

#include <algorithm>

namespace axm::sources {

Job Source::by_fabric() {
  const auto &master = config_.fabric;
  const Time cycle = pl_.period;
  if (config_.prepare) // the set-up is a gap before the frame's data
    beats_.at(pl_.at_or_after(schedule_.now()));
  for (int i = 0; i < master.start_accesses; ++i) {
    co_await cpu_.slave_register(i % 2 != 0);
    co_await cpu_.instructions(config_.cpu.loop_clocks, Class::setup);
  }
  co_await books_.until(pl_.at_or_after(schedule_.now()), Class::crossing);
  outcome_.frame_begins = schedule_.now();

  // A write: address, beats, way, response. When its last beat has gone the next may begin.
  const auto write = [](Source &m, Transaction &t, std::int64_t byte, std::int64_t n,
                        int beats) -> Job {
    const auto &f = m.config_.fabric;
    const Time period = m.pl_.period, begun = m.schedule_.now();
    if (beats > 1)
      co_await m.schedule_.until(m.schedule_.now() + m.config_.port.address_cycles * period,
                                 t.turn);
    for (int beat = 0; beat < beats; ++beat) {
      if (beat == 1) // the interconnect has not taken the first one yet
        co_await m.schedule_.until(m.schedule_.now() + f.hold_cycles * period, t.turn);
      m.beats_.at(m.schedule_.now());
      m.books_.data(m.schedule_.now(), m.schedule_.now() + period);
      co_await m.schedule_.until(m.schedule_.now() + period, t.turn);
    }
    m.books_.passed(t, Class::fabric);
    co_await m.port_.serve(t, byte, n);
    co_await m.schedule_.until(m.schedule_.now() + (f.taken_cycles + 1) * period, t.turn);
    m.books_.passed(t, Class::fabric);
    m.books_.moved(n);
    m.books_.latencies.note(kWrite, begun, m.schedule_.now());
  };
  // A read: address, way, beats, which come behind those of the burst before.
  const auto read = [](Source &m, Transaction &t, std::int64_t byte, std::int64_t n, int beats,
                       Pending before) -> Job {
    const Time period = m.pl_.period, begun = m.schedule_.now();
    co_await m.schedule_.until(m.schedule_.now() + period, t.turn);
    m.books_.passed(t, Class::fabric);
    co_await m.port_.serve(t, byte, n);
    co_await m.schedule_.until(m.schedule_.now() + m.config_.fabric.taken_cycles * period, t.turn);
    while (before && !before->job.over())
      co_await m.schedule_.until(m.schedule_.now() + period, t.turn);
    before.reset(); // or each would hold all before it
    m.books_.passed(t, Class::fabric);
    for (int beat = 0; beat < beats; ++beat) {
      m.beats_.at(m.schedule_.now());
      m.books_.data(m.schedule_.now(), m.schedule_.now() + period);
      co_await m.schedule_.until(m.schedule_.now() + period, t.turn);
    }
    m.books_.passed(t, Class::data);
    m.books_.moved(n);
    m.books_.latencies.note(kRead, begun, m.schedule_.now());
  };

  std::deque<Pending> under_way;
  Pending latest;
  Time first = schedule_.now(); // the next burst's address
  const std::int64_t burst = static_cast<std::int64_t>(master.burst_beats) * config_.gp.beat_bytes;
  for (std::int64_t at = 0; at < config_.bytes && schedule_.now() < throttle_.stop; at += burst) {
    const std::int64_t n = std::min(burst, config_.bytes - at);
    const int beats = static_cast<int>((n - 1) / config_.gp.beat_bytes + 1);
    if (std::ssize(under_way) == master.outstanding) {
      co_await books_.wait(under_way.front());
      under_way.pop_front();
      // One that waits for each response counts its own cycles from there.
      if (master.outstanding == 1)
        first = schedule_.now() + (master.issue_cycles - 1) * cycle;
    }
    co_await books_.until(pl_.at_or_after(std::max(first, throttle_.from())), Class::fabric);
    latest = books_.begin([&](Transaction &t) {
      return config_.to_fabric ? read(*this, t, at, n, beats, latest)
                               : write(*this, t, at, n, beats);
    });
    under_way.push_back(latest);
    Time sent = schedule_.now() + cycle; // a read's address, or a write's last beat has gone
    if (!config_.to_fabric && beats > 1)
      sent += (config_.port.address_cycles + config_.fabric.hold_cycles + beats - 1) * cycle;
    throttle_.begun(sent, n);
    first = sent + (master.issue_cycles - 1) * cycle;
  }
  for (const Pending &b : under_way)
    co_await books_.wait(b);
  outcome_.frame_ends = schedule_.now();
  co_await cpu_.slave_register(true); // the processor polls, and sees the end
}

} // namespace axm::sources
