#include "axiometer/model/config_limits.hpp"

#include <cmath>

#include "axiometer/model/need.hpp"

namespace axm {

namespace {

// Delays, in any clock: milliseconds. Sizes of what is between memory and master. Counts of what
// waits somewhere. Bytes of a memory.
constexpr std::int64_t kMostDelay = 1 << 20;
constexpr std::int64_t kMostSize = 1 << 20;
constexpr std::int64_t kMostCount = 1 << 16;
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 40;
constexpr int kAddressBits = 40;
// A base unit is at least this part of a clock: the longest run still has millions of clocks.
constexpr std::int64_t kMostPeriod = std::int64_t{1} << 38;
// How much faster one clock may be than the other: a run is stepped by both.
constexpr std::int64_t kMostRatio = 1 << 13;

void pair_within(const int (&x)[2], std::int64_t least, std::int64_t most, const std::string &key) {
  for (const int v : x)
    need_within(v, least, most, key);
}

void check_dram(const DramConfig &d) {
  const DramTiming &t = d.timing;
  for (const auto &[key, v] : {std::pair{"CL", t.CL},
                               {"CWL", t.CWL},
                               {"tRCD", t.tRCD},
                               {"tRP", t.tRP},
                               {"tRAS", t.tRAS},
                               {"tRC", t.tRC},
                               {"tRRD", t.tRRD},
                               {"tFAW", t.tFAW},
                               {"tCCD", t.tCCD},
                               {"tWTR", t.tWTR},
                               {"tRTP", t.tRTP},
                               {"tWR", t.tWR},
                               {"tRFC", t.tRFC},
                               {"tREFI", t.tREFI},
                               {"read_to_write", t.read_to_write}})
    need_within(v, 1, kMostDelay, std::string("dram.timing.") + key);
  for (const auto &[key, v] :
       {std::pair{"tCCD_L", t.tCCD_L}, {"tRRD_L", t.tRRD_L}, {"tWTR_L", t.tWTR_L}})
    need_within(v, 0, kMostDelay, std::string("dram.timing.") + key);
  need_within(d.burst_clocks, 1, 64, "dram.burst_clocks");
  need_within(d.row_bytes, 1, kMostSize, "dram.row_bytes");
  need_within(d.rank_gap, 0, kMostDelay, "dram.rank_gap");
  need_within(d.rank_bit, -1, kAddressBits - 1, "dram.rank_bit");
  need(d.bytes <= kMostMemory, "dram.bytes", "must be at most 2^40");
  for (const std::vector<int> &bits : {d.bank_bits, d.row_bits}) {
    need(bits.size() <= 8, "dram address bits", "must be at most 8");
    for (const int bit : bits)
      need_within(bit, 0, kAddressBits - 1, "dram address bits");
  }
  if (d.row_bits.size() == 2)
    need(d.row_bits[1] - d.row_bits[0] < 32, "dram.row_bits", "must be at most 32 bits");
}

void check_controller(const ControllerConfig &c) {
  const DdrcConfig &d = c.ddrc;
  for (const auto &[key, v] : {std::pair{"starve_clocks", c.starve_clocks},
                               {"min_non_critical_clocks", c.min_non_critical_clocks},
                               {"ddrc.idle_gap", d.idle_gap},
                               {"ddrc.read_clocks", d.read_clocks}})
    need_within(v, 0, kMostDelay, std::string("controller.") + key);
  for (const auto &[key, v] : {std::pair{"run_length", c.run_length},
                               {"batch", c.batch},
                               {"ddrc.least_run", d.least_run},
                               {"ddrc.low_latency_entries", d.low_latency_entries}})
    need_within(v, 0, kMostCount, std::string("controller.") + key);
  need_within(c.pick_window, 1, kMostCount, "controller.pick_window");
  need_within(c.prepare_window, 1, kMostCount, "controller.prepare_window");
  need_within(d.clocks, 0, 8, "controller.ddrc.clocks");
  need_within(d.write_bytes, 1, kMostSize, "controller.ddrc.write_bytes");
}

void check_path(const PathConfig &p, std::size_t i) {
  const auto key = [i](const char *k) { return key_of("path", i, k); };
  pair_within(p.request_clocks, 0, kMostDelay, key("request_clocks"));
  pair_within(p.release_clocks, 0, kMostDelay, key("release_clocks"));
  need_within(p.column_clocks, 0, kMostDelay, key("column_clocks"));
  pair_within(p.ddrc.timeout, 0, kMostDelay, key("ddrc.timeout"));
  pair_within(p.ddrc.entry_clocks, 0, kMostDelay, key("ddrc.entry_clocks"));
  need_within(p.ddrc.clock_bytes, 1, kMostSize, key("ddrc.clock_bytes"));
  need_within(p.ddrc.write_buffer, 0, kMostSize, key("ddrc.write_buffer"));
  need_within(p.ddrc.write_gap, 0, kMostDelay, key("ddrc.write_gap"));
}

void check_port(const PortConfig &p, std::size_t i) {
  const auto key = [i](const char *k) { return key_of("port", i, k); };
  need_within(p.width_bytes, 1, 1024, key("width_bytes"));
  need_within(p.part_bytes, 1, kMostSize, key("part_bytes"));
  pair_within(p.fifo_bytes, 1, kMostSize, key("fifo_bytes"));
  pair_within(p.request_cycles, 0, kMostDelay, key("request_cycles"));
  need_within(p.return_cycles, 0, kMostDelay, key("return_cycles"));
  need_within(p.response_clocks, 0, kMostDelay, key("response_clocks"));
  need_within(p.afi.inflight, 1, 64, key("afi.inflight"));
}

void check_stream(const SystemConfig &c, const StreamConfig &s, std::size_t i) {
  const auto key = [i](const char *k) { return key_of("stream", i, k); };
  need_within(s.burst_bytes, 1, kMostSize, key("burst_bytes"));
  need_within(s.gap_cycles, 0, kMostDelay, key("gap_cycles"));
  need_within(s.loopback_cycles, 0, kMostDelay, key("loopback_cycles"));
  need_within(s.loopback_bursts, 0, kMostCount, key("loopback_bursts"));
  need(s.base <= c.dram.bytes, key("base"), "the buffer lies outside the DRAM");
  need(s.bytes <= (std::uint64_t{1} << 50), key("bytes"), "must be at most 2^50");
  need(s.region <= kMostMemory, key("region"), "must be at most 2^40");
  need(s.stride <= kMostMemory, key("stride"), "must be at most 2^40");
}

} // namespace

void check_limits(const SystemConfig &c) {
  need_within(c.clocks.ddr, 1, kMostPeriod, "clocks.ddr");
  need_within(c.clocks.pl, 1, kMostPeriod, "clocks.pl");
  need(c.clocks.pl <= c.clocks.ddr * kMostRatio && c.clocks.ddr <= c.clocks.pl * kMostRatio,
       "clocks.pl", "must be at most 8192 times as fast or slow as clocks.ddr");
  check_dram(c.dram);
  check_controller(c.controller);
  for (std::size_t i = 0; i < c.paths.size(); ++i)
    check_path(c.paths[i], i);
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    check_port(c.ports[i], i);
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    check_stream(c, c.streams[i], i);
  need_within(c.measure.settle, 0, kMostTime, "measure.settle");
  need_within(c.measure.block, 0, kMostTime, "measure.block");
  need(std::isfinite(c.measure.confidence) && c.measure.confidence >= 0, "measure.confidence",
       "must be a number from 0 on");
}

void check_start(const SystemConfig &c, const RepeatStart &start) {
  need(start.launch.size() == c.streams.size(), "launch", "must have one PL cycle for each stream");
  const char *const held = "the run would be longer than these clocks let time be held";
  // Stepped cycle by cycle, usp-ddrc only compares a launch that never comes.
  const bool stepped = c.controller.ddrc.clocks > 0;
  for (const Cycle launch : start.launch) {
    need(launch >= 0, "launch", "must not be negative");
    if (stepped && launch >= start.stop)
      continue;
    need(launch <= most_cycles(c) / 2, "launch", held);
  }
  need(start.first_refresh >= 0 && start.first_refresh <= most_clocks(c) / 2, "first_refresh",
       "must be a clock near the start");
  need(start.stop >= 0, "stop", "must not be negative");
  need(start.stop >= kNever || start.stop <= most_cycles(c) / 2, "stop", held);
}

} // namespace axm
