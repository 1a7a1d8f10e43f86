#include "memory.hpp"

#include <algorithm>

namespace axm::sources {

IdleDram::IdleDram(const Config &config, Schedule &schedule)
    : config_(config), schedule_(schedule),
      device_(config.memory.device_clocks * config.clocks.ddr),
      refresh_(config.memory.refresh_phase * config.clocks.ddr) {}

// The first moment at or after t in which no refresh is under way. Call it with growing t.
Time IdleDram::past_refresh(Time t) {
  const Time length = config_.memory.refresh_clocks * config_.clocks.ddr;
  if (length == 0)
    return t;
  while (refresh_ + length <= t)
    refresh_ += config_.memory.refresh_interval * config_.clocks.ddr;
  return t < refresh_ ? t : refresh_ + length;
}

Job IdleDram::serve(Transaction &t, const Access &a) {
  const Time burst = config_.memory.burst_clocks * config_.clocks.ddr;
  const std::int64_t column = config_.memory.column_bytes;
  std::int64_t columns = 0;
  for (std::int64_t left = a.bytes; left > 0; left -= column)
    ++columns;
  const Time start = past_refresh(std::max(schedule_.now(), bus_free_));
  bus_free_ = start + columns * burst;
  if (a.read) // the last column's data
    co_await schedule_.until(start + (columns - 1) * burst + device_, t.turn);
}

Memory::Memory(Schedule &schedule, Books &books, Dram &dram, Travel read, Travel write)
    : schedule_(schedule), books_(books), dram_(dram), read_(read), write_(write),
      buffer_(schedule) {}

Job Memory::access(Transaction &t, Access a) {
  const Travel way = a.read ? read_ : write_;
  const Time begun = schedule_.now();
  co_await schedule_.until(schedule_.now() + way.there, t.turn);
  books_.passed(t, Class::interconnect);
  if (a.place)
    co_await buffer_.mine(*a.place, t.turn);
  const Job served = dram_.serve(t, a);
  if (a.place)
    buffer_.go();
  co_await served;
  books_.passed(t, Class::memory);
  co_await schedule_.until(schedule_.now() + way.back, t.turn);
  books_.passed(t, Class::interconnect);
  if (!a.part)
    books_.latencies.note(a.read ? kRead : kWrite, begun, schedule_.now());
}

} // namespace axm::sources
