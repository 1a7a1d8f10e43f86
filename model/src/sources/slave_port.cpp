#include "slave_port.hpp"

#include <algorithm>

namespace axm::sources {

SlavePort::SlavePort(const Config &config, Schedule &schedule, Books &books, Memory &memory)
    : config_(config), schedule_(schedule), books_(books), memory_(memory),
      pl_{config.clocks.pl, config.clocks.pl_phase}, behind_{config.port.beat_period},
      places_(schedule,
              config.to_fabric ? config.port.acceptance_read : config.port.acceptance_write),
      into_memory_(schedule), answers_(schedule) {}

// What a burst takes from the crossing to the DRAM: stored whole, a beat a clock; its first beat's
// clock is that of the crossing.
Time SlavePort::inside(std::int64_t bytes) const {
  const auto beats = [&](std::int64_t width) { return (bytes - 1) / width + 1; };
  Time time = (beats(config_.port.beat_bytes) - 1) * behind_.period;
  if (config_.port.central) {
    const Time clocks = std::min(config_.gp.read_clocks, config_.gp.write_clocks);
    time += (clocks + beats(config_.gp.beat_bytes) - 1) * config_.clocks.interconnect;
  }
  return time;
}

Job SlavePort::serve(Transaction &t, std::int64_t byte, std::int64_t bytes) {
  const int number = into_memory_.join();
  answers_.join();
  const int both_ways = config_.fabric.interconnect_cycles;
  co_await schedule_.until(schedule_.now() + both_ways / 2 * pl_.period, t.turn);
  books_.passed(t, Class::fabric);
  co_await places_.take(t.turn);
  books_.passed(t, Class::queue);
  co_await schedule_.until(
      behind_.at_or_after(schedule_.now()) + config_.gp.sync_cycles * behind_.period, t.turn);
  books_.passed(t, Class::crossing);
  co_await schedule_.until(schedule_.now() + inside(bytes), t.turn);
  books_.passed(t, Class::interconnect);
  co_await into_memory_.mine(number, t.turn);
  if (config_.port.serial_time && bytes < config_.cache.line_bytes) {
    co_await schedule_.until(serial_free_, t.turn);
    serial_free_ = schedule_.now() + config_.port.serial_time;
  }
  books_.passed(t, Class::queue);
  into_memory_.go();
  co_await memory_.access(t, {byte, bytes, config_.to_fabric, {}, true});
  co_await schedule_.until(pl_.at_or_after(schedule_.now()) + config_.gp.sync_cycles * pl_.period,
                           t.turn);
  books_.passed(t, Class::crossing);
  places_.give();
  co_await schedule_.until(schedule_.now() + (both_ways + 1) / 2 * pl_.period, t.turn);
  books_.passed(t, Class::fabric);
  if (config_.to_fabric)
    co_return;
  // Responses: in the order of the bursts, at most one a cycle.
  co_await answers_.mine(number, t.turn);
  if (number > 0 && schedule_.now() < answered_ + pl_.period)
    co_await schedule_.until(answered_ + pl_.period, t.turn);
  answered_ = schedule_.now();
  answers_.go();
}

} // namespace axm::sources
