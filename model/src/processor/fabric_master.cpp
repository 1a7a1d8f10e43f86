// A master in the fabric that moves a frame to or from the processor's memory, through the
// interconnect beside it and a slave port of the processor's side.
#include <deque>

#include "axiometer/model/processor/workloads.hpp"

namespace axm::processor {
namespace {

// The port: its acceptance, and what a burst takes behind it.
class SlavePort {
public:
  explicit SlavePort(Machine &machine)
      : m_(machine), behind_{machine.config.port.beat_period, 0},
        places_(static_cast<std::size_t>(machine.config.to_fabric
                                             ? machine.config.port.acceptance_read
                                             : machine.config.port.acceptance_write),
                0) {}

  // A burst whose last beat (write) or address (read) is at the port at t: when its response or
  // its data are at the port's edge again.
  Time serve(Time t, int bytes, Trail &trail) {
    const Config &c = m_.config;
    auto place = std::min_element(places_.begin(), places_.end());
    const Time accepted = std::max(t, *place);
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
    if (c.port.serial_time && bytes < c.cache.line_bytes) {
      at = std::max(at, serial_free_);
      serial_free_ = at + c.port.serial_time;
      trail.add(at, Class::queue);
    }
    const Time served =
        c.to_fabric ? m_.memory.read(at, bytes, &trail) : m_.memory.write(at, bytes, &trail);
    const Time back = m_.gp.pl().after(served, c.gp.sync_cycles);
    trail.add(back, Class::crossing);
    *place = back;
    return back;
  }

private:
  Machine &m_;
  Clock behind_;
  std::vector<Time> places_;
  Time serial_free_ = 0;
};

} // namespace

void run_fabric(Machine &m) {
  const Config &c = m.config;
  const FabricMasterConfig &master = c.fabric;
  const Clock pl = m.gp.pl();
  SlavePort port(m);
  const bool driver = c.prepare; // the set-up belongs to the frame, as a gap before its data
  if (driver)
    m.beats.at(pl.edge(m.ledger.now()));
  for (int i = 0; i < master.start_accesses; ++i) {
    m.cpu.access_register(i % 2 == 1, true, Class::setup);
    m.cpu.instructions(c.cpu.loop_clocks, Class::setup);
  }
  const int out = master.interconnect_cycles / 2, back = master.interconnect_cycles - out;
  const int burst_bytes = master.burst_beats * c.gp.beat_bytes;
  std::deque<std::pair<Time, Trail>> under_way;
  Time issue = pl.edge(m.ledger.now()), end = issue;
  m.ledger.until(issue, Class::crossing);
  for (std::int64_t a = 0; a < c.bytes; a += burst_bytes) {
    const int n = static_cast<int>(std::min<std::int64_t>(burst_bytes, c.bytes - a));
    const int beats = (n + c.gp.beat_bytes - 1) / c.gp.beat_bytes;
    if (static_cast<int>(under_way.size()) >= master.outstanding) {
      m.ledger.wait(under_way.front().first, under_way.front().second);
      issue = std::max(issue, under_way.front().first);
      under_way.pop_front();
    }
    m.ledger.until(issue, Class::fabric); // the master's own pace
    const Time first = issue + master.issue_cycles * pl.period - pl.period;
    Trail trail;
    trail.add(first, Class::fabric);
    Time done;
    if (!c.to_fabric) { // writes: the data go with the address
      const Time last = first + beats * pl.period;
      trail.add(last, Class::data);
      trail.add(last + out * pl.period, Class::fabric);
      done = port.serve(last + out * pl.period, n, trail) + back * pl.period;
      trail.add(done, Class::fabric);
      for (int i = 0; i < beats; ++i)
        m.beats.at(first + i * pl.period);
      m.ledger.moves_data(first, last);
      issue = last + (beats > 1 ? c.port.address_cycles * pl.period : 0);
    } else {
      trail.add(first + out * pl.period, Class::fabric);
      const Time data = port.serve(first + out * pl.period, n, trail) + back * pl.period;
      const Time from = std::max(data, m.beats.count() ? m.beats.last() + pl.period : data);
      trail.add(from, Class::fabric);
      done = from + beats * pl.period;
      m.ledger.moves_data(from, done);
      trail.add(done, Class::data);
      for (int i = 0; i < beats; ++i)
        m.beats.at(from + i * pl.period);
      issue = first + beats * pl.period;
    }
    end = std::max(end, done);
    under_way.emplace_back(done, std::move(trail));
  }
  for (auto &[done, trail] : under_way)
    m.ledger.wait(done, trail);
  // The processor sees the end when it next asks.
  m.cpu.access_register(true, true, Class::setup);
}

} // namespace axm::processor
