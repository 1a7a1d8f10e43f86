#include "axiometer/model/config.hpp"

#include <bit>
#include <numeric>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/interconnect/path.hpp"
#include "axiometer/model/need.hpp"
#include "axiometer/model/sources/stream.hpp"
#include "axiometer/model/targets/part_queue.hpp"

namespace axm {

namespace {

bool power_of_two(std::uint64_t x) { return std::has_single_bit(x); }

// A pair with jobs: as many of each half, and room for what a job waits for.
void check_jobs(const StreamConfig &s, const StreamConfig &o, std::size_t i) {
  const auto bytes = [](const StreamConfig &of) {
    return static_cast<std::uint64_t>(of.job.bursts) * static_cast<std::uint64_t>(of.burst_bytes);
  };
  need(s.job.bursts > 0 && o.job.bursts > 0 && s.job.alike(o.job),
       key_of("streams", i, "job_bursts"),
       "both halves of a pair must have jobs, with the same settings");
  // Where a FIFO passes on what was read, the last one may be in part.
  const auto jobs = [&](const StreamConfig &of) { return (of.bytes - 1) / bytes(of) + 1; };
  const bool passed_on = s.loopback_bursts > 0 && s.job.fill == 1;
  need(jobs(s) == jobs(o) &&
           (passed_on ? s.bytes == o.bytes : s.bytes % bytes(s) == 0 && o.bytes % bytes(o) == 0),
       key_of("streams", i, "bytes"), "both halves of a pair must have as many whole jobs");
  const StreamConfig &reads = s.dir == kRead ? s : o;
  need(s.job.fill <= reads.job.bursts, key_of("streams", i, "job_fill"),
       "must be at most the bursts that a job reads");
  need(s.loopback_bursts == 0 || (s.job.bursts == o.job.bursts && s.burst_bytes == o.burst_bytes &&
                                  s.job.fill <= s.loopback_bursts),
       key_of("streams", i, "loopback_bursts"),
       "with jobs: 0, or at least job_fill, and both halves must have the same bursts");
  need(s.loopback_bursts > 0 || s.job.fill == reads.job.bursts, key_of("streams", i, "job_fill"),
       "must be all that a job reads where no FIFO joins the halves (loopback_bursts)");
}

// Keys that an outside stream cannot have, because its bursts are requested.
void check_outside(const SystemConfig &c, std::size_t i) {
  const StreamConfig &s = c.streams[i];
  need(s.partner < 0, key_of("streams", i, "partner"), "must be -1 for an outside stream");
  need(s.pattern == Pattern::sequential, key_of("streams", i, "pattern"),
       "must be sequential for an outside stream");
  need(s.stop < 0, key_of("streams", i, "stop"), "must be -1 for an outside stream");
  for (const auto &[key, value] :
       {std::pair<const char *, std::int64_t>{"gap_cycles", s.gap_cycles},
        {"pace_cycles", s.pace_cycles},
        {"address_cycles", s.address_cycles},
        {"between_cycles", s.between_cycles},
        {"job_bursts", s.job.bursts}})
    need(value == 0, key_of("streams", i, key), "must be 0 for an outside stream");
}

} // namespace

void SystemConfig::check_closed() const {
  check();
  for (std::size_t i = 0; i < streams.size(); ++i)
    need(!streams[i].outside, key_of("streams", i, "outside"),
         "must be false except in an open run (open_run.hpp)");
}

void SystemConfig::check() const {
  check_limits(*this);
  const DramTiming &t = dram.timing;
  need(dram.banks <= PartQueue::kMaxBanks && power_of_two(static_cast<std::uint64_t>(dram.banks)),
       "dram.banks", "must be a power of two up to " + std::to_string(PartQueue::kMaxBanks));
  need(power_of_two(static_cast<std::uint64_t>(dram.row_bytes)), "dram.row_bytes",
       "must be a power of two");
  need(power_of_two(static_cast<std::uint64_t>(dram.column_bytes)) &&
           dram.column_bytes <= dram.row_bytes,
       "dram.column_bytes", "must be a power of two, at most a row");
  need(power_of_two(dram.bytes), "dram.bytes", "must be a power of two");
  need(t.tREFI > 4 * (t.tRFC + t.tRC + t.tRP), "dram.timing.tREFI",
       "must leave time between refreshes");
  // Data of a column command take `burst_clocks` of the bus, and no two at once.
  need(t.tCCD >= dram.burst_clocks && t.tCCD <= 4 * dram.burst_clocks, "dram.timing.tCCD",
       "must be half of the burst length to four times that");
  // After a refresh every other constraint is past: skipping relies on it.
  need(t.tRFC > t.tFAW && t.tRFC > t.CWL + dram.burst_clocks + t.tWTR, "dram.timing.tRFC",
       "must be longer than tFAW and the write-to-read time");
  need(!paths.empty() && paths.size() <= 32, "paths", "must be 1 to 32");
  static_assert(PathDirection::kMost == 64, "the bound of inflight (config/ports.hpp)");
  static_assert(Stream::kBursts == 64, "the bound of outstanding (config/streams.hpp)");
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const PortConfig &p = ports[i];
    need(static_cast<std::size_t>(p.path) < paths.size(), key_of("ports", i, "path"),
         "no such path");
    need(power_of_two(static_cast<std::uint64_t>(p.width_bytes)), key_of("ports", i, "width_bytes"),
         "must be a power of two");
    need(p.part_bytes >= p.width_bytes && power_of_two(static_cast<std::uint64_t>(p.part_bytes)) &&
             p.part_bytes <= dram.row_bytes,
         key_of("ports", i, "part_bytes"), "must be a power of two from the port's width to a row");
    const int columns = std::max(1, p.part_bytes / dram.column_bytes);
    const PathConfig &path = paths[static_cast<std::size_t>(p.path)];
    for (int d = 0; d < 2; ++d) {
      need(columns <= controller.entries[d], key_of("ports", i, "part_bytes"),
           "a part must fit into the controller's store");
      need(columns <= path.inflight[d], key_of("ports", i, "part_bytes"),
           "its path must have room in flight for a part");
      need(p.fifo_bytes[d] >= p.width_bytes, key_of("ports", i, "fifo_bytes"), "must hold a beat");
    }
  }
  need(!streams.empty() && streams.size() <= 64, "streams", "must be 1 to 64");
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const StreamConfig &s = streams[i];
    need(static_cast<std::size_t>(s.port) < ports.size(), key_of("streams", i, "port"),
         "no such port");
    const PortConfig &p = ports[static_cast<std::size_t>(s.port)];
    const int unit = std::min(p.part_bytes, s.burst_bytes);
    if (s.dir == kWrite && p.release_whole_burst) {
      // All bursts begin at multiples of `step` in a part; the last possible one is cut into most
      // parts.
      std::uint64_t step = std::gcd(static_cast<std::uint64_t>(p.part_bytes), s.base);
      step =
          std::gcd(step, s.pattern == Pattern::stride ? s.stride
                                                      : static_cast<std::uint64_t>(s.burst_bytes));
      if (s.outside) // anywhere
        step = 1;
      const auto parts =
          ceil_div(p.part_bytes - static_cast<int>(step) + s.burst_bytes, p.part_bytes);
      need(std::clamp(p.fifo_bytes[1] / unit, 1, Stream::kRing) >= parts,
           key_of("streams", i, "burst_bytes"), "the port's write FIFO must hold a whole burst");
    }
    const std::uint64_t region = BurstAddresses(s).span(static_cast<std::uint64_t>(s.burst_bytes));
    need(s.base + (region == 0 ? s.bytes : region) <= dram.bytes, key_of("streams", i, "base"),
         "the buffer lies outside the DRAM");
    if (s.pattern != Pattern::sequential)
      need(s.region >= static_cast<std::uint64_t>(s.burst_bytes), key_of("streams", i, "region"),
           "must hold a burst");
    need(s.job.bursts == 0 || s.partner >= 0, key_of("streams", i, "job_bursts"),
         "only the halves of a pair have jobs");
    need(s.address_cycles == 0 || s.dir == kWrite, key_of("streams", i, "address_cycles"),
         "must be 0: only writes have it");
    if (s.outside)
      check_outside(*this, i);
    need(s.pace_cycles / s.pace_bursts < kMostDelay, key_of("streams", i, "pace_cycles"),
         "must be less than 2^20 for each of pace_bursts");
    if (s.partner < 0)
      continue;
    need(static_cast<std::size_t>(s.partner) < streams.size() && s.partner != static_cast<int>(i),
         key_of("streams", i, "partner"), "no such stream");
    const StreamConfig &o = streams[static_cast<std::size_t>(s.partner)];
    const bool jobs = s.job.bursts > 0;
    need(o.partner == static_cast<int>(i) && o.dir != s.dir &&
             (jobs || (o.bytes == s.bytes && o.burst_bytes == s.burst_bytes)) &&
             o.loopback_bursts == s.loopback_bursts && o.loopback_cycles == s.loopback_cycles,
         key_of("streams", i, "partner"),
         "a loop-back pair must point at each other, with opposite directions, equal sizes and "
         "equal loop-back settings");
    need(clocks_of(o).pl == clocks_of(s).pl && o.stop == s.stop, key_of("streams", i, "partner"),
         "both halves of a loop-back pair must have the same clock (ports[].period) and stop");
    if (jobs || o.job.bursts > 0)
      check_jobs(s, o, i);
    need((jobs || s.loopback_bursts >= 1) && s.loopback_bursts < Stream::kBursts / 2,
         key_of("streams", i, "loopback_bursts"), "must be 1 to 31");
  }
  part_of<ControllerPart>(controller).check(*this);
}

} // namespace axm
