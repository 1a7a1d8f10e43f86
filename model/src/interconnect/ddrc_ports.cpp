#include "axiometer/model/interconnect/ddrc_ports.hpp"

#include <algorithm>

namespace axm::clocked {

Locator::Locator(const DramConfig &d)
    : bits_(d.bank_address_bits), row_first_(d.row_address_bits[0]),
      row_mask_((1ULL << (d.row_address_bits[1] - d.row_address_bits[0] + 1)) - 1) {
  if (d.ranks > 1)
    bits_.push_back(d.rank_address_bit);
}

Ports::Ports(const SystemConfig &c, std::vector<Afi> &interfaces)
    : interfaces_(interfaces), locator_(c.dram), column_(c.dram.column_bytes),
      read_clocks_(c.controller.ddrc.read_clocks), by_part_(c.controller.ddrc.turn == Turn::part),
      write_turns_(c.controller.ddrc.write_turns), write_bytes_(c.controller.ddrc.write_bytes),
      command_clocks_(c.controller.ddrc.command_clocks) {
  for (const PathConfig &path : c.paths) {
    Port p;
    p.config = path.ddrc;
    p.credits = path.inflight[kRead];
    p.column_clocks = path.column_clocks / c.controller.ddrc.dram_clocks;
    ports_.push_back(p);
  }
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const auto path = static_cast<std::size_t>(interfaces[i].port_config().path);
    ports_[path].streams[interfaces[i].reads() ? kRead : kWrite].push_back(static_cast<int>(i));
  }
  for (Port &p : ports_) {
    for (const Dir d : {kRead, kWrite})
      p.differ[d] =
          std::ranges::adjacent_find(p.streams[d], [&](int a, int b) {
            const auto afi = [&](int i) -> const AfiConfig & {
              return interfaces_[static_cast<std::size_t>(i)].port_config().afi;
            };
            return afi(a).qos[d] != afi(b).qos[d] || afi(a).traffic[d] != afi(b).traffic[d];
          }) != p.streams[d].end();
    p.read_places = std::min(
        p.config.queue_parts[kRead] * static_cast<int>(p.streams[kRead].size()), Port::kMostReads);
  }
}

void Ports::step(Clk now, Ddrc &ddrc) {
  for (Port &p : ports_)
    fill(p, now);
  if (ddrc.starved_turn())
    ddrc.late_read_waits(late_read_waits(now, ddrc));
  pass_read(now, ddrc);
  pass_write(now, ddrc);
}

// At most one part of each direction enters a port in a clock: of the switch before it the one of
// the highest AXI QoS value, of equal ones in turn.
void Ports::fill(Port &p, Clk now) {
  const auto next = [&](Dir d) {
    const auto &of = p.streams[d];
    std::size_t k = p.turn[d], chosen = of.size();
    int highest = -1;
    for (std::size_t i = 0; i < of.size(); ++i, k = k + 1 == of.size() ? 0 : k + 1) {
      Afi &e = interfaces_[static_cast<std::size_t>(of[k])];
      if (e.port_config().afi.qos[d] > highest && e.offers(now)) {
        highest = e.port_config().afi.qos[d];
        chosen = k;
      }
    }
    if (chosen == of.size())
      return -1;
    p.turn[d] = chosen + 1 == of.size() ? 0 : chosen + 1;
    return of[chosen];
  };
  if (p.reads.size() < p.read_places)
    if (const int s = next(kRead); s >= 0) {
      Afi &e = interfaces_[static_cast<std::size_t>(s)];
      const unsigned n = e.take_read();
      if (e.port_config().afi.traffic[kRead] == TrafficClass::video)
        e.part(n).deadline = now + p.config.timeout_clocks[kRead];
      p.reads.push({s, n, now + p.config.entry_clocks[kRead]});
    }
  if (p.writes.size() < p.config.queue_parts[kWrite] && p.channel_free[kWrite] <= now)
    if (const int s = next(kWrite); s >= 0) {
      Afi &e = interfaces_[static_cast<std::size_t>(s)];
      Writing w{e.take_write(), s, 0, now + p.config.entry_clocks[kWrite], kNever};
      if (e.port_config().afi.traffic[kWrite] == TrafficClass::video)
        w.part.deadline = now + p.config.timeout_clocks[kWrite];
      const bool follows =
          p.writes.empty() ? p.last_source == s || p.last_source < 0
                           : p.writes.back().stream == s && p.writes.back().first_beat != kNever;
      if (p.config.buffers || follows) // else its data come once it has its turn
        send(p, w, now, w.seen);
      p.writes.push(w);
    }
}

// Data of a part come from `begin` on, and the arbiter sees them from `seen` on.
void Ports::send(Port &p, Writing &w, Clk begin, Clk seen) {
  w.first_beat = seen;
  p.last_source = w.stream;
  p.channel_free[kWrite] =
      begin + std::max<Clk>(1, (w.part.bytes * p.column_clocks + column_ - 1) / column_);
}

// Where the part's next column ends.
std::uint64_t Ports::column_end(const Writing &w) const {
  const auto bytes = static_cast<std::uint64_t>(column_);
  return std::min(w.part.address + static_cast<std::uint64_t>(w.part.bytes),
                  (w.part.address / bytes + static_cast<std::uint64_t>(w.sent) + 1) * bytes);
}

// Bytes of the part in its next column.
Clk Ports::bytes_of(const Writing &w) const {
  const auto bytes = static_cast<std::uint64_t>(column_);
  const std::uint64_t begin = (w.part.address / bytes + static_cast<std::uint64_t>(w.sent)) * bytes;
  return static_cast<Clk>(column_end(w) - std::max(begin, w.part.address));
}

// Whether the data of the next column of the first part have come in.
bool Ports::written(const Port &p, Clk now) const {
  const Writing &w = p.writes.front();
  const std::uint64_t end = column_end(w);
  const auto beats = static_cast<Clk>(end - w.part.address) + p.config.clock_bytes - 1;
  return w.first_beat + beats / p.config.clock_bytes <= now;
}

void Ports::served(Dir d, const Entry &e, Clk now) {
  if (d == kRead)
    ports_[e.port].returns.at(e.ticket).there = now + read_clocks_;
}

void Ports::give_back(Clk now) {
  for (Port &p : ports_)
    if (!p.returns.empty() && p.returns.front().there <= now && p.channel_free[kRead] <= now) {
      const Returning r = p.returns.front();
      interfaces_[static_cast<std::size_t>(r.stream)].returned(r.part);
      p.channel_free[kRead] = now + p.column_clocks;
      p.returns.pop();
    }
}

} // namespace axm::clocked
