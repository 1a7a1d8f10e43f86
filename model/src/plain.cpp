// The executable specification: what the model means, written to be read. It
// steps the base unit of time; at an edge of its clock every engine moves at most one beat,
// at a DRAM edge at most one part in each direction enters the controller, and
// then the controller issues at most one command. The fast model must agree with
// it to the clock; it shares no code with it but configuration and results.
#include <algorithm>
#include <stdexcept>

#include "axiometer/model/config_limits.hpp"
#include "plain/machine.hpp"
#include "plain/run.hpp"

namespace axm::plain {

namespace {

bool over(const Machine &machine) {
  const auto complete = [](const Master &m) { return m.complete(); };
  return std::ranges::all_of(machine.masters(), complete) && machine.controller_idle();
}

// Longer than anything that was configured can take.
std::int64_t patience(const SystemConfig &c, const RepeatStart &start) {
  std::int64_t clks = 20 * c.dram.timing.tREFI, units = 0;
  for (const PathConfig &p : c.paths)
    clks += p.request_clocks[0] + p.request_clocks[1] + p.release_clocks[0] + p.release_clocks[1] +
            64 * p.column_clocks;
  for (const PortConfig &p : c.ports) {
    units += (p.request_cycles[0] + p.request_cycles[1] + p.return_cycles) * c.clocks_of(p).pl;
    clks += p.response_clocks + 64 * p.serial_clocks;
  }
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    units +=
        (Cycle{s.job.setup_cycles} + s.job.place_cycles + s.job.compute_cycles) * c.clocks_of(s).pl;
    units += (start.launch[i] + s.gap_cycles + s.pace_cycles / s.pace_bursts + s.think_cycles +
              s.address_cycles + s.hold_cycles + s.loopback_cycles + s.burst_bytes) *
             c.clocks_of(s).pl;
  }
  return clks * c.clocks.ddr + units;
}

} // namespace

RepeatResult run(const SystemConfig &config, const RepeatStart &start, Trace *trace) {
  check_start(config, start);
  Machine machine(config, start);
  const ClockRatio &r = config.clocks;
  const std::int64_t patient = patience(config, start);
  std::int64_t progress = 0, progress_at = 0;
  for (std::int64_t now = 0; !over(machine);) {
    machine.pl_edges(now);
    if (now % r.ddr == 0)
      machine.dram_edge(now / r.ddr);
    if (const std::int64_t p = machine.progress(); p != progress) {
      progress = p;
      progress_at = now;
    } else if (now - progress_at > patient) {
      throw std::logic_error("the plain model has come to a halt");
    }
    now = std::min(machine.next_pl_edge(now), (now / r.ddr + 1) * r.ddr);
  }
  return machine.result(trace);
}

} // namespace axm::plain
