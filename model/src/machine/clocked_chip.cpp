#include "axiometer/model/machine/clocked_chip.hpp"

#include <utility>

#include "axiometer/model/interconnect/multiplexer.hpp"
#include "axiometer/model/need.hpp"

namespace axm::clocked {

void Chip::check(const SystemConfig &c) {
  need(c.dram.ranks * c.dram.banks <= CommandStore::kMaxBanks, "dram.ranks",
       "must be 1 to 4, with at most 64 banks together");
  need((1 << c.dram.bank_address_bits.size()) == c.dram.banks, "dram.bank_address_bits",
       "must list an address bit for each bit of the bank number");
  need(c.dram.row_address_bits.size() == 2 &&
           c.dram.row_address_bits[0] <= c.dram.row_address_bits[1],
       "dram.row_address_bits", "must be the first and the last address bit of the row");
  need(c.dram.ranks == 1 || (c.dram.ranks == 2 && c.dram.rank_address_bit >= 0),
       "dram.rank_address_bit", "must be given for two ranks");
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    for (const int fifo : c.ports[i].fifo_bytes)
      need(fifo >= c.ports[i].part_bytes, key_of("ports", i, "fifo_bytes"),
           "must hold a part (part_bytes)");
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    need(s.address_cycles == 0, key_of("streams", i, "address_cycles"),
         "must be 0: not with this controller");
    const auto together = std::ranges::count_if(
        c.streams, [&](const StreamConfig &o) { return o.port == s.port && o.dir == s.dir; });
    need(together <= static_cast<std::ptrdiff_t>(Multiplexer::kMostMasters), "streams",
         "at most 4 masters share a direction of a port");
    need(s.outside || (s.region > 0 && (s.partner < 0 || s.job.bursts > 0)),
         key_of("streams", i, "region"),
         "this controller's streams run freely in a region, and alone or in jobs");
    const PortConfig &p = c.ports[static_cast<std::size_t>(s.port)];
    need(s.dir == kRead || !p.release_whole_burst ||
             ceil_div(s.burst_bytes, p.part_bytes) <= p.afi.issue_commands,
         key_of("streams", i, "burst_bytes"),
         "its parts leave the port together, which must issue as many (issue_commands)");
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

} // namespace axm::clocked
