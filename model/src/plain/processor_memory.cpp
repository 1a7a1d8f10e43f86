#include "processor_memory.hpp"

#include <algorithm>

namespace axm::plain::processor {

Memory::Memory(const Config &config, Schedule &schedule, Books &books)
    : config_(config), schedule_(schedule), books_(books),
      device_(config.memory.device_clocks * config.clocks.ddr), buffer_(schedule),
      refresh_(config.memory.refresh_phase * config.clocks.ddr) {
  // What a load takes beside the device's own time is travel, half of it each way.
  const Time travel = std::max<Time>(config.memory.read_clocks * config.clocks.cpu - device_, 0);
  way_there_ = travel / 2;
  way_back_ = travel - way_there_;
}

// The first moment at or after t in which no refresh is under way. Asked with growing t.
Time Memory::past_refresh(Time t) {
  const Time length = config_.memory.refresh_clocks * config_.clocks.ddr;
  if (length == 0)
    return t;
  while (refresh_ + length <= t)
    refresh_ += config_.memory.refresh_interval * config_.clocks.ddr;
  return t < refresh_ ? t : refresh_ + length;
}

Job Memory::access(Transaction &t, std::int64_t bytes, bool read, std::optional<int> place) {
  const Time burst = config_.memory.burst_clocks * config_.clocks.ddr;
  const std::int64_t column = config_.memory.column_bytes;
  std::int64_t columns = 0;
  for (std::int64_t left = bytes; left > 0; left -= column)
    ++columns;
  co_await schedule_.until(schedule_.now() + way_there_, t.turn);
  books_.passed(t, Class::interconnect);
  if (place)
    co_await buffer_.mine(*place, t.turn);
  const Time start = past_refresh(std::max(schedule_.now(), bus_free_));
  bus_free_ = start + columns * burst;
  if (place)
    buffer_.go();
  if (read) // the last column's data; a write is answered before its own
    co_await schedule_.until(start + (columns - 1) * burst + device_, t.turn);
  books_.passed(t, Class::memory);
  co_await schedule_.until(schedule_.now() + way_back_, t.turn);
  books_.passed(t, Class::interconnect);
}

} // namespace axm::plain::processor
