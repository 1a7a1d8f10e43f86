#include "axiometer/model/processor/slave_port.hpp"

namespace axm::processor {

SlavePort::SlavePort(const Config &c, Memory &memory)
    : config_(c), memory_(memory), pl_{c.clocks.pl, c.clocks.pl_phase},
      behind_{c.port.beat_period, 0},
      places_(
          static_cast<std::size_t>(c.to_fabric ? c.port.acceptance_read : c.port.acceptance_write),
          0) {}

Time SlavePort::serve(Time t, int bytes, Trail &trail) {
  const Config &c = config_;
  const int out = c.fabric.interconnect_cycles / 2, back = c.fabric.interconnect_cycles - out;
  const Time arrived = t + out * pl_.period;
  trail.add(arrived, Class::fabric);
  auto place = std::min_element(places_.begin(), places_.end());
  const Time accepted = std::max(arrived, *place);
  trail.add(accepted, Class::queue);
  const Time inside = behind_.after(accepted, c.gp.sync_cycles);
  trail.add(inside, Class::crossing);
  const int beats = (bytes + c.port.beat_bytes - 1) / c.port.beat_bytes;
  Time at = inside + (beats - 1) * behind_.period; // stored whole, then passed on
  if (c.port.central) {
    const int narrow = (bytes + c.gp.beat_bytes - 1) / c.gp.beat_bytes;
    // What a store of the processor takes longer than a load is not the interconnect's.
    const int clocks = std::min(c.gp.read_clocks, c.gp.write_clocks);
    at += (clocks + narrow - 1) * c.clocks.interconnect;
  }
  trail.add(at, Class::interconnect);
  at = std::max(at, passed_on_); // a shorter burst does not overtake
  if (c.port.serial_time && bytes < c.cache.line_bytes) {
    at = std::max(at, serial_free_);
    serial_free_ = at + c.port.serial_time;
  }
  trail.add(passed_on_ = at, Class::queue);
  const Time served =
      c.to_fabric ? memory_.read(at, bytes, &trail) : memory_.write(at, bytes, &trail);
  *place = pl_.after(served, c.gp.sync_cycles);
  trail.add(*place, Class::crossing);
  Time done = *place + back * pl_.period;
  trail.add(done, Class::fabric);
  if (!c.to_fabric) // responses come in the order of the bursts, one a clock
    done = std::max(done, answered_ + pl_.period);
  return answered_ = done;
}

} // namespace axm::processor
