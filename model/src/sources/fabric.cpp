// A master in the fabric: a frame in bursts, through a slave port. When it acts is what
// rtl/masters and the DMA engines of rtl/dma do.
#include "source.hpp"

#include <algorithm>

namespace axm::sources {

// A write: address, beats, way, response. When its last beat has gone the next may begin.
Job Source::fabric_write(Transaction &t, std::int64_t byte, std::int64_t n, std::int64_t beats) {
  const Time period = pl_.period, begun = schedule_.now();
  const Time first = begun + port_.first_beat_cycles(beats) * period;
  beats_.at(first);
  books_.data(first, first + period);
  Time sent = first + period;
  if (beats > 1) { // the interconnect has not taken the first one yet
    const Time second = first + port_.second_beat_cycles() * period;
    beats_.run(second, period, beats - 1);
    sent = second + (beats - 1) * period;
    books_.data(second, sent);
  }
  t.passed(sent, Class::fabric);
  co_await port_.serve(t, byte, n, sent);
  books_.ends(t, t.end + (config_.fabric.taken_cycles + 1) * period);
  t.passed(t.end, Class::fabric);
  books_.moved(t.end, n);
  books_.latencies.note(kWrite, begun, t.end);
}

// A read: address, way, beats, which come behind those of the burst before.
Job Source::fabric_read(Transaction &t, std::int64_t byte, std::int64_t n, std::int64_t beats) {
  const Time period = pl_.period, begun = schedule_.now();
  t.passed(begun + period, Class::fabric);
  co_await port_.serve(t, byte, n, begun + period);
  const Time first = std::max(t.end + config_.fabric.taken_cycles * period, beats_free_);
  beats_free_ = first + beats * period;
  beats_.run(first, period, beats);
  books_.data(first, beats_free_);
  t.passed(first, Class::fabric);
  books_.ends(t, beats_free_);
  t.passed(t.end, Class::data);
  books_.moved(t.end, n);
  books_.latencies.note(kRead, begun, t.end);
}

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

  std::deque<Pending> under_way;
  Time first = schedule_.now(); // the next burst's address
  const std::int64_t burst = static_cast<std::int64_t>(master.burst_beats) * config_.gp.beat_bytes;
  for (std::int64_t at = 0; at < config_.bytes && schedule_.now() < throttle_.stop; at += burst) {
    const std::int64_t n = std::min(burst, config_.bytes - at);
    const std::int64_t beats = (n - 1) / config_.gp.beat_bytes + 1;
    if (std::ssize(under_way) == master.outstanding) {
      co_await books_.wait(std::move(under_way.front()));
      under_way.pop_front();
      // One that waits for each response counts its own cycles from there.
      if (master.outstanding == 1)
        first = schedule_.now() + (master.issue_cycles - 1) * cycle;
    }
    co_await books_.until(pl_.at_or_after(std::max(first, throttle_.from())), Class::fabric);
    under_way.push_back(books_.begin([&](Transaction &t) -> Course {
      return config_.to_fabric ? fabric_read(t, at, n, beats) : fabric_write(t, at, n, beats);
    }));
    Time sent = schedule_.now() + cycle; // a read's address, or a write's last beat has gone
    if (!config_.to_fabric && beats > 1)
      sent += (config_.port.address_cycles + config_.fabric.hold_cycles + beats - 1) * cycle;
    throttle_.begun(sent, n);
    first = sent + (master.issue_cycles - 1) * cycle;
  }
  for (Pending &b : under_way)
    co_await books_.wait(std::move(b));
  outcome_.frame_ends = schedule_.now();
  co_await cpu_.slave_register(true); // the processor polls, and sees the end
}

} // namespace axm::sources
