#include "axiometer/model/processor/dram.hpp"

namespace axm::processor {

Memory::Memory(const MemoryConfig &config, const Clocks &clocks)
    : device_(config.device_clocks * clocks.ddr), burst_(config.burst_clocks * clocks.ddr),
      refresh_(config.refresh_clocks * clocks.ddr), interval_(config.refresh_interval * clocks.ddr),
      phase_(config.refresh_phase * clocks.ddr), column_bytes_(config.column_bytes) {
  const Time travel = std::max<Time>(0, config.read_clocks * clocks.cpu - device_);
  out_ = travel / 2;
  back_ = travel - out_;
}

// The first moment at or after t that no refresh takes.
Time Memory::past_refresh(Time t) const {
  if (t < phase_)
    return t;
  const Time into = (t - phase_) % interval_;
  return into < refresh_ ? t + refresh_ - into : t;
}

void Memory::issue_next() {
  const auto issue = std::move(planned_.begin()->second);
  planned_.erase(planned_.begin());
  issuing_ = true;
  issue();
  issuing_ = false;
}

void Memory::write_later(Time t, int bytes) {
  ++writes_;
  later(t, [this, t, bytes] {
    write(t, bytes);
    --writes_;
  });
}

void Memory::settle_writes() {
  Time last = 0;
  while (writes_ || (!planned_.empty() && planned_.begin()->first <= last)) {
    last = planned_.begin()->first;
    issue_next();
  }
}

Time Memory::access(Time t, int bytes, bool read, Trail *trail) {
  // Planned accesses are issued in their order, before later requests.
  while (!issuing_ && !planned_.empty() && planned_.begin()->first <= t)
    issue_next();
  const Time arrived = t + out_;
  const Time start = past_refresh(std::max(arrived, bus_free_));
  const int columns = (bytes + column_bytes_ - 1) / column_bytes_;
  bus_free_ = start + columns * burst_;
  // A write is answered when the controller has taken it; refresh holds up reads only.
  const Time done = read ? start + device_ + (columns - 1) * burst_ : arrived;
  if (trail) {
    trail->add(arrived, Class::interconnect);
    trail->add(done, Class::memory);
    trail->add(done + back_, Class::interconnect);
  }
  return done + back_;
}

} // namespace axm::processor
