#include "axiometer/model/config_limits.hpp"

#include "axiometer/model/config/bounds.hpp"
#include "axiometer/model/need.hpp"

namespace axm {

namespace {

// How much faster one clock may be than the other: a run is stepped by both.
constexpr std::int64_t kMostRatio = 1 << 13;
constexpr std::size_t kMostAddressBits = 8;

} // namespace

void Bounds::refuse(const char *key, const char *way, const About &about) const {
  const std::string name = below(name_, key) + way;
  if (about.most == std::numeric_limits<std::int64_t>::max())
    need(false, name, "must be a number from " + std::to_string(about.least) + " on");
  need(false, name, "must be " + std::to_string(about.least) + " to " + std::to_string(about.most));
  throw std::logic_error("unreachable");
}

void check_limits(const SystemConfig &c) {
  check_bounds(c);
  need(c.clocks.pl <= c.clocks.ddr * kMostRatio && c.clocks.ddr <= c.clocks.pl * kMostRatio,
       "clocks.pl", "must be at most 8192 times as fast or slow as clocks.ddr");
  for (std::size_t i = 0; i < c.ports.size(); ++i) {
    const std::int64_t period = c.clocks_of(c.ports[i]).pl;
    need(period <= c.clocks.ddr * kMostRatio && c.clocks.ddr <= period * kMostRatio,
         key_of("ports", i, "period"), "must be at most 8192 times as fast or slow as clocks.ddr");
  }
  const std::vector<int> &row = c.dram.row_address_bits;
  need(c.dram.bank_address_bits.size() <= kMostAddressBits, "dram.bank_address_bits",
       "must be at most 8");
  need(row.size() != 2 || row[1] - row[0] < 32, "dram.row_address_bits", "must be at most 32 bits");
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    need(c.streams[i].base <= c.dram.bytes, key_of("streams", i, "base"),
         "the buffer lies outside the DRAM");
    need(c.streams[i].stop <= most_cycles(c) / 2, key_of("streams", i, "stop"),
         "the run is too long for the time counter at these clocks");
  }
}

void check_start(const SystemConfig &c, const RepeatStart &start) {
  need(start.launch.size() == c.streams.size(), "launch", "must have one PL cycle for each stream");
  const char *const held = "the run is too long for the time counter at these clocks";
  // Stepped cycle by cycle, such a machine only compares a launch that never comes.
  const bool stepped = part_of<ControllerPart>(c.controller).parts.measures_part;
  for (std::size_t i = 0; i < start.launch.size(); ++i) {
    const Cycle launch = start.launch[i];
    need(launch >= 0, "launch", "must not be negative");
    need(stepped || !c.streams[i].outside || launch == 0, "launch",
         "must be 0 for an outside stream");
    if (stepped && launch >= c.stop_of(c.streams[i], start.stop))
      continue;
    need(launch <= most_cycles(c) / 2, "launch", held);
  }
  need(start.first_refresh >= 0 && start.first_refresh <= most_clocks(c) / 2, "first_refresh",
       "must be a clock near the start");
  need(start.stop >= 0, "stop", "must not be negative");
  need(start.stop >= kNever || start.stop <= most_cycles(c) / 2, "stop", held);
}

} // namespace axm
