// The DDR controller of the Zynq-7000: its keys and their limits; its rules are in
// targets/switching/zynq_ddrc.hpp.
#include "axiometer/model/targets/switching/zynq_ddrc.hpp"

#include "event_part.hpp"

namespace axm {

namespace {

void visit(const KeyVisitor &v, ZynqDdrc::Keys &k) {
  v("starve_clocks", k.limits.starve_clocks, {1, kMostDelay, "DRAM clocks"},
    "wait after which a store is critical (targets/switching/zynq_ddrc.hpp)");
  v("run_length", k.limits.run_length, {1, kMostCount, "commands"},
    "commands served from a critical store before it is no longer critical");
  v("min_non_critical_clocks", k.limits.min_non_critical_clocks,
    optional({0, kMostDelay, "DRAM clocks"}), "time before a store may be critical again");
  visit(v, k.windows);
  v("high_entries", k.high_entries, optional({0, 48, "commands"}),
    "column commands of high-priority reads that the read store holds beside the others; "
    "together at most 48");
  v("high_starve_clocks", k.high.starve_clocks, optional({1, kMostDelay, "DRAM clocks"}),
    "starve_clocks of high-priority reads");
  v("high_run_length", k.high.run_length, optional({1, kMostCount, "commands"}),
    "run_length of high-priority reads");
  v("high_min_non_critical_clocks", k.high.min_non_critical_clocks,
    optional({0, kMostDelay, "DRAM clocks"}), "min_non_critical_clocks of high-priority reads");
}

// High-priority reads (UG585, section 10.4.6): part of the read store is theirs.
void check_zynq(const SystemConfig &c) {
  check_events(c);
  const auto &k = c.controller.keys<ZynqDdrc::Keys>();
  need(c.controller.entries[kRead] + k.high_entries <= 48, "controller.high_entries",
       "must be at most 48 with read_entries");
  need(k.high_entries == 0 || (k.windows.pick == 64 && k.windows.prepare == 64),
       "controller.high_entries", "must be 0 where windows are less than 64");
  for (const PortConfig &p : c.ports) {
    const int columns = std::max(1, p.part_bytes / c.dram.column_bytes);
    const auto path = static_cast<std::size_t>(p.path);
    need(!c.paths[path].arbiter.high_priority_reads || k.high_entries >= columns,
         key_of("paths", path, "high_priority_reads"),
         "needs places of the read store: controller.high_entries must hold a part of " +
             std::to_string(columns) + " commands");
  }
}

const Registered<ControllerPart> zynq_ddrc(event_part<ZynqDdrc>(
    [](const KeyVisitor &v, ControllerConfig &c) { visit(v, c.keys<ZynqDdrc::Keys>()); },
    check_zynq));

} // namespace

} // namespace axm
