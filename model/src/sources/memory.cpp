#include "memory.hpp"

#include <algorithm>

namespace axm::sources {

IdleDram::IdleDram(const Config &config)
    : device_(config.memory.device_clocks * config.clocks.ddr),
      burst_(config.memory.burst_clocks * config.clocks.ddr),
      refresh_length_(config.memory.refresh_clocks * config.clocks.ddr),
      refresh_interval_(config.memory.refresh_interval * config.clocks.ddr),
      column_bytes_(config.memory.column_bytes),
      refresh_(config.memory.refresh_phase * config.clocks.ddr) {}

// The first moment at or after t in which no refresh is under way. Call it with growing t.
Time IdleDram::past_refresh(Time t) {
  if (t < refresh_ || refresh_length_ == 0)
    return t;
  if (refresh_ + refresh_length_ <= t)
    refresh_ += (t - refresh_ - refresh_length_) / refresh_interval_ * refresh_interval_;
  while (refresh_ + refresh_length_ <= t)
    refresh_ += refresh_interval_;
  return t < refresh_ ? t : refresh_ + refresh_length_;
}

std::optional<Time> IdleDram::serve(const Access &a, Time arrives) {
  const std::int64_t columns =
      a.bytes <= column_bytes_ ? 1 : (a.bytes + column_bytes_ - 1) / column_bytes_;
  const Time start = past_refresh(std::max(arrives, bus_free_));
  bus_free_ = start + columns * burst_;
  // A read's: the last column's data.
  return a.read ? start + (columns - 1) * burst_ + device_ : arrives;
}

Travel idle_travel(const Config &config) {
  const Time own = config.memory.device_clocks * config.clocks.ddr;
  const Time both = std::max<Time>(config.memory.read_clocks * config.clocks.cpu - own, 0);
  return {both / 2, both - both / 2};
}

Memory::Memory(Schedule &schedule, Books &books, Dram &dram, Travel read, Travel write)
    : schedule_(schedule), books_(books), dram_(dram), read_(read), write_(write),
      buffer_(schedule) {}

Course Memory::access(Transaction &t, const Access &a, Time from) {
  from = std::max(from, schedule_.now());
  if (!a.place || buffer_.is_mine(*a.place))
    if (const auto end = known(t, a, from))
      return *end;
  return later(t, a, from);
}

std::optional<Time> Memory::known(Transaction &t, const Access &a, Time from) {
  Time arrives = from + (a.read ? read_ : write_).there;
  if (a.place)
    arrives = std::max(arrives, placed_);
  const auto left = dram_.serve(a, arrives);
  if (!left)
    return {};
  if (a.place) {
    placed_ = arrives;
    buffer_.go();
  }
  t.passed(from + (a.read ? read_ : write_).there, Class::interconnect);
  return over(t, a, from, *left);
}

// It left the DRAM then.
Time Memory::over(Transaction &t, const Access &a, Time from, Time left) {
  const Time end = left + (a.read ? read_ : write_).back;
  t.passed(left, Class::memory);
  t.passed(end, Class::interconnect);
  if (!a.part)
    books_.latencies.note(a.read ? kRead : kWrite, from, end);
  return end;
}

// One that has to wait for those before it, or of a DRAM that others use.
Job Memory::later(Transaction &t, Access a, Time from) {
  const Travel way = a.read ? read_ : write_;
  co_await schedule_.until(from + way.there, t.turn);
  if (a.place)
    co_await buffer_.mine(*a.place, t.turn);
  if (const auto end = known(t, a, from)) {
    books_.ends(t, *end);
    co_await schedule_.until(*end, t.turn);
    co_return;
  }
  t.passed(from + way.there, Class::interconnect);
  struct Asked {
    Memory &memory;
    const Access &access;
    Turn turn;
    Time back;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> job) const {
      memory.dram_.ask(access, turn, job, back);
      if (access.place)
        memory.buffer_.go();
    }
    void await_resume() const {}
  };
  co_await Asked{*this, a, t.turn, way.back};
  over(t, a, from, schedule_.now() - way.back);
}

} // namespace axm::sources
