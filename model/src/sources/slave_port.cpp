#include "slave_port.hpp"

#include <algorithm>

namespace axm::sources {

SlavePort::SlavePort(const Config &config, Schedule &schedule, Books &books, Memory &memory)
    : config_(config), schedule_(schedule), books_(books), memory_(memory),
      pl_{config.clocks.pl, config.clocks.pl_phase}, behind_{config.port.beat_period},
      places_(schedule,
              config.to_fabric ? config.port.acceptance_read : config.port.acceptance_write) {}

// What a burst takes from the crossing to the DRAM: stored whole, a beat a clock; its first beat's
// clock is that of the crossing.
Time SlavePort::inside(std::int64_t bytes) const {
  const auto beats = [&](std::int64_t width) { return (bytes - 1) / width + 1; };
  Time time = (beats(config_.port.beat_bytes) - 1) * behind_.period;
  if (config_.port.central) {
    // What a store of the processor takes longer than a load is not the interconnect's.
    const Time clocks = std::min(config_.gp.read_clocks, config_.gp.write_clocks);
    time += (clocks + beats(config_.gp.beat_bytes) - 1) * config_.clocks.interconnect;
  }
  return time;
}

Job SlavePort::serve(Transaction &t, std::int64_t byte, std::int64_t bytes, Time sent) {
  const int both_ways = config_.fabric.interconnect_cycles;
  co_await schedule_.until(sent + both_ways / 2 * pl_.period, t.turn);
  t.passed(schedule_.now(), Class::fabric);
  co_await places_.take(t.turn);
  t.passed(schedule_.now(), Class::queue);
  const Time crossed =
      behind_.at_or_after(schedule_.now()) + config_.gp.sync_cycles * behind_.period;
  t.passed(crossed, Class::crossing);
  Time at = crossed + inside(bytes);
  t.passed(at, Class::interconnect);
  at = std::max(at, passed_on_); // a shorter burst does not overtake
  if (config_.port.serial_time && bytes < config_.cache.line_bytes) {
    at = std::max(at, serial_free_);
    serial_free_ = at + config_.port.serial_time;
  }
  passed_on_ = at;
  t.passed(at, Class::queue);
  Course served = memory_.access(t, {byte, bytes, config_.to_fabric, {}, true}, at);
  if (served.job)
    co_await served.job;
  const Time back = pl_.at_or_after(served.job ? schedule_.now() : served.end) +
                    config_.gp.sync_cycles * pl_.period;
  t.passed(back, Class::crossing);
  co_await schedule_.until(back, t.turn);
  places_.give();
  Time end = back + (both_ways + 1) / 2 * pl_.period;
  t.passed(end, Class::fabric);
  if (!config_.to_fabric) { // responses in the order of the bursts, at most one a cycle
    if (answered_)
      end = std::max(end, *answered_ + pl_.period);
    answered_ = end;
  }
  books_.ends(t, end);
}

} // namespace axm::sources
