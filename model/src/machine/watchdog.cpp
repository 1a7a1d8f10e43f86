#include "axiometer/model/machine/watchdog.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace axm {

Clk Watchdog::patience_of(const SystemConfig &c) {
  const DramTiming &t = c.dram.timing;
  // Of one column command, all that can come before it; and as many of them as the stores hold.
  const Clk column = Clk{t.CL} + t.CWL + t.tRCD + t.tRP + t.tRAS + t.tRC + t.tRRD + t.tFAW +
                     t.tCCD + t.tWTR + t.tRTP + t.tWR + t.read_to_write + t.tCCD_L + t.tRRD_L +
                     t.tWTR_L + c.dram.rank_gap + c.dram.burst_clocks;
  const Clk scale = c.controller.dram_clocks;
  // By the units of its own keys.
  Clk commands = Clk{c.controller.entries[0]} + c.controller.entries[1], own = 0;
  const auto add = [&](const char *, KeyMember member, const About &about, const char *) {
    const std::string_view unit = about.unit;
    if (member.number != nullptr && (unit == "commands" || unit.ends_with("clocks")))
      (unit == "commands" ? commands : own) += *member.number;
  };
  ControllerConfig controller = c.controller;
  part_of<ControllerPart>(controller).visit({add}, controller);
  Clk clocks = column * (commands + 1) + 2 * (Clk{t.tRFC} + t.tREFI) + scale * own;
  for (const PathConfig &p : c.paths)
    for (int d = 0; d < 2; ++d)
      clocks += Clk{p.request_clocks[d]} + p.arbiter.priority[d] + p.release_clocks[d] +
                64 * Clk{p.column_clocks} +
                scale * (Clk{p.ddrc.timeout_clocks[d]} + p.ddrc.entry_clocks[d] +
                         64 * Clk{c.dram.column_bytes});
  // Cycles of ports are added up in one clock: rounding is once for all where there is but one.
  std::int64_t units = 0;
  for (const PortConfig &p : c.ports) {
    units +=
        (Cycle{p.request_cycles[0]} + p.request_cycles[1] + p.return_cycles) * c.clocks_of(p).pl;
    clocks += p.response_clocks;
  }
  for (const StreamConfig &s : c.streams) {
    units +=
        (Cycle{s.job.setup_cycles} + s.job.place_cycles + s.job.compute_cycles) * c.clocks_of(s).pl;
    units += (Cycle{s.gap_cycles} + s.pace_cycles / s.pace_bursts + s.address_cycles +
              s.between_cycles + s.loopback_cycles + s.burst_bytes) *
             c.clocks_of(s).pl;
  }
  return 4 * (clocks + ceil_div(units, c.clocks.ddr)) + 100'000;
}

void halted(const SystemConfig &c, std::size_t stream, Clk clocks, const char *what) {
  const StreamConfig &s = c.streams.at(stream);
  throw std::runtime_error("no data have moved for " + std::to_string(clocks) + " clocks: stream " +
                           std::to_string(stream) + ", the " +
                           (s.dir == kRead ? "reads" : "writes") + " of port " +
                           c.ports[static_cast<std::size_t>(s.port)].name + ", waits: " + what);
}

Watchdog::Watchdog(const SystemConfig &c, const RepeatStart &start) : patience_(patience_of(c)) {
  Clk latest = 0;
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    const Cycle launch = std::min(start.launch[i], c.stop_of(s, start.stop));
    latest = std::max(latest, c.clocks_of(s).clk_at(launch));
  }
  patience_ += latest;
}

} // namespace axm
