#include "axiometer/model/usp/chip.hpp"

#include <utility>

#include "axiometer/model/need.hpp"
#include "axiometer/model/usp/multiplexer.hpp"

namespace axm::usp {

void Chip::check(const SystemConfig &c) {
  const DdrcConfig &d = c.controller.ddrc;
  need(d.clocks >= 1 && d.clocks <= 8, "controller.ddrc.clocks", "must be 1 to 8 DRAM clocks");
  need(c.dram.ranks >= 1 && c.dram.ranks <= 4 &&
           c.dram.ranks * c.dram.banks <= CommandStore::kMaxBanks,
       "dram.ranks", "must be 1 to 4, with at most 64 banks together");
  need(c.dram.bank_groups >= 1 && c.dram.bank_groups <= 8, "dram.bank_groups", "must be 1 to 8");
  need((1 << c.dram.bank_bits.size()) == c.dram.banks, "dram.bank_bits",
       "must list an address bit for each bit of the bank number");
  need(c.dram.row_bits.size() == 2 && c.dram.row_bits[0] <= c.dram.row_bits[1], "dram.row_bits",
       "must be the first and the last address bit of the row");
  need(c.dram.ranks == 1 || (c.dram.ranks == 2 && c.dram.rank_bit >= 0), "dram.rank_bit",
       "must be given for two ranks");
  need(c.controller.entries[0] + d.low_latency_entries <= 64, "controller.entries",
       "the read store has 64 places");
  for (const PathConfig &p : c.paths) {
    need(p.ddrc.queue_parts[0] >= 1 && p.ddrc.queue_parts[0] <= 64 && p.ddrc.queue_parts[1] >= 1 &&
             p.ddrc.queue_parts[1] <= 64 && p.ddrc.clock_bytes >= 1,
         "path.queue_parts", "must be 1 to 64");
    need((p.ddrc.write_buffer == 0 || p.ddrc.write_buffer >= c.dram.column_bytes) &&
             p.ddrc.write_gap >= 0,
         "path.write_buffer_bytes",
         "must be 0 or hold a DRAM burst; path.write_gap_clocks must not be negative");
  }
  for (const PortConfig &p : c.ports) {
    for (const int fifo : p.fifo_bytes)
      need(fifo >= p.part_bytes, "port.fifo_bytes", "must hold a part (part_bytes)");
    need(p.afi.issue >= 1 && p.afi.issue <= 64 && p.afi.inflight >= 1, "port.issue",
         "must be 1 to 64 commands");
    for (const int qos : p.afi.qos)
      need(qos >= 0 && qos <= 15, "qos", "must be 0 to 15");
  }
  for (const StreamConfig &s : c.streams) {
    const auto together = std::ranges::count_if(
        c.streams, [&](const StreamConfig &o) { return o.port == s.port && o.dir == s.dir; });
    need(together <= static_cast<std::ptrdiff_t>(Multiplexer::kMostMasters), "streams",
         "at most 4 masters share a direction of a port");
    need(s.region > 0 && s.partner < 0, "stream.region",
         "this controller's streams run freely in a region, and alone");
  }
}

std::vector<Afi> Chip::interfaces_of(const SystemConfig &c) {
  std::vector<Afi> out;
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    if (interface_of(c, i) == out.size())
      out.emplace_back(c, c.streams[i].port, c.streams[i].dir);
  return out;
}

std::size_t Chip::interface_of(const SystemConfig &c, std::size_t stream) {
  // In the order in which the streams first name them.
  std::vector<std::pair<int, Dir>> seen;
  std::size_t found = 0;
  for (std::size_t i = 0; i <= stream; ++i) {
    const std::pair at{c.streams[i].port, c.streams[i].dir};
    found = static_cast<std::size_t>(std::ranges::find(seen, at) - seen.begin());
    if (found == seen.size())
      seen.push_back(at);
  }
  return found;
}

} // namespace axm::usp
