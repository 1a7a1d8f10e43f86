#include "axiometer/model/interconnect/ddrc_ports.hpp"

#include <algorithm>
#include <bit>

namespace axm::clocked {

Locator::Locator(const DramConfig &d)
    : row_first_(d.row_address_bits[0]),
      row_mask_((1ULL << (d.row_address_bits[1] - d.row_address_bits[0] + 1)) - 1) {
  std::vector<int> bits = d.bank_address_bits;
  if (d.ranks > 1)
    bits.push_back(d.rank_address_bit);
  for (int i = 0; i < static_cast<int>(bits.size()); ++i) {
    const int shift = bits[static_cast<std::size_t>(i)] - i;
    if (count_ == 0 || runs_[count_ - 1].shift != shift)
      runs_[count_++].shift = shift;
    runs_[count_ - 1].mask |= 1ULL << i;
  }
}

Ports::Ports(const SystemConfig &c, std::vector<Afi> &interfaces)
    : Ports(c, c.controller.keys<DdrcConfig>(), interfaces) {}

Ports::Ports(const SystemConfig &c, const DdrcConfig &keys, std::vector<Afi> &interfaces)
    : interfaces_(interfaces.data()), locator_(c.dram), column_(c.dram.column_bytes),
      column_shift_(std::countr_zero(static_cast<unsigned>(column_))),
      read_clocks_(keys.read_clocks), by_part_(keys.turn == Turn::part),
      write_turns_(keys.write_turns), write_bytes_(keys.write_bytes),
      command_clocks_(keys.command_clocks) {
  for (const PathConfig &path : c.paths) {
    Port p;
    p.config = path.ddrc;
    p.credits = path.inflight[kRead];
    p.column_clocks = path.column_clocks / c.controller.dram_clocks;
    ports_.push_back(p);
  }
  count_ = ports_.size();
  for (Afi &a : interfaces)
    a.offers_to(&fill_from_);
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const auto path = static_cast<std::size_t>(interfaces[i].port_config().path);
    ports_[path].streams[interfaces[i].reads() ? kRead : kWrite].push_back(static_cast<int>(i));
  }
  for (Port &p : ports_) {
    for (const Dir d : {kRead, kWrite})
      p.differ[d] =
          std::ranges::adjacent_find(p.streams[d], [&](int a, int b) {
            const auto afi = [&](int i) -> const AfiConfig & {
              return interfaces_[i].port_config().afi;
            };
            return afi(a).qos[d] != afi(b).qos[d] || afi(a).traffic[d] != afi(b).traffic[d];
          }) != p.streams[d].end();
    p.read_places = std::min(
        p.config.queue_parts[kRead] * static_cast<int>(p.streams[kRead].size()), Port::kMostReads);
  }
}

void Ports::step(Clk now, Ddrc &ddrc) {
  if (now >= fill_from_)
    fill(now);
  if (ddrc.starved_turn())
    ddrc.late_read_waits(late_read_waits(now, ddrc));
  if (looks(kRead, now, ddrc))
    pass_read(now, ddrc);
  if (looks(kWrite, now, ddrc))
    pass_write(now, ddrc);
}

// At most one part of each direction enters a port in a clock.
void Ports::fill(Clk now) {
  fill_from_ = kNever;
  const auto offers_from = [&](const std::vector<int> &streams) {
    Clk from = kNever;
    for (const int s : streams)
      from = std::min(from, interfaces_[s].offers_from());
    return from;
  };
  for (Port &p : ports_) {
    if (p.reads.size() < p.read_places) {
      take_read(p, now);
      fill_from_ = std::min(fill_from_, offers_from(p.streams[kRead]));
    }
    if (p.writes.size() < p.config.queue_parts[kWrite]) {
      if (p.channel_free[kWrite] <= now)
        take_write(p, now);
      fill_from_ =
          std::min(fill_from_, std::max(p.channel_free[kWrite], offers_from(p.streams[kWrite])));
    }
  }
}

// The interface whose part the switch before a port takes: of the highest AXI QoS value, of equal
// ones in turn; -1: none offers one.
int Ports::offering(Port &p, Dir d, Clk now) {
  const auto &of = p.streams[d];
  std::size_t k = p.turn[d], chosen = of.size();
  int highest = -1;
  for (std::size_t i = 0; i < of.size(); ++i, k = k + 1 == of.size() ? 0 : k + 1) {
    const Afi &e = interfaces_[of[k]];
    if (e.offers(now) && e.port_config().afi.qos[d] > highest) {
      highest = e.port_config().afi.qos[d];
      chosen = k;
    }
  }
  if (chosen == of.size())
    return -1;
  p.turn[d] = chosen + 1 == of.size() ? 0 : chosen + 1;
  return of[chosen];
}

void Ports::take_read(Port &p, Clk now) {
  const int s = offering(p, kRead, now);
  if (s < 0)
    return;
  Afi &e = interfaces_[s];
  const unsigned n = e.take_read();
  if (e.port_config().afi.traffic[kRead] == TrafficClass::video)
    e.part(n).deadline = now + p.config.timeout_clocks[kRead];
  p.reads.push({s, n, now + p.config.entry_clocks[kRead]});
  from_[kRead] = 0;
}

void Ports::take_write(Port &p, Clk now) {
  const int s = offering(p, kWrite, now);
  if (s < 0)
    return;
  Afi &e = interfaces_[s];
  Writing w{e.take_write(), s, 0, now + p.config.entry_clocks[kWrite], kNever};
  if (e.port_config().afi.traffic[kWrite] == TrafficClass::video)
    w.part.deadline = now + p.config.timeout_clocks[kWrite];
  const bool follows = p.writes.empty()
                           ? p.last_source == s || p.last_source < 0
                           : p.writes.back().stream == s && p.writes.back().first_beat != kNever;
  if (p.config.buffers || follows) // else its data come once it has its turn
    send(p, w, now, w.seen);
  p.writes.push(w);
  from_[kWrite] = 0;
}

// Data of a part come from `begin` on, and the arbiter sees them from `seen` on.
void Ports::send(Port &p, Writing &w, Clk begin, Clk seen) {
  w.first_beat = seen;
  p.last_source = w.stream;
  p.channel_free[kWrite] =
      begin + std::max<Clk>(1, (w.part.bytes * p.column_clocks + column_ - 1) >> column_shift_);
  next_column(p, w);
}

// The part's next column, when its data have begun to come.
void Ports::next_column(const Port &p, Writing &w) const {
  const std::uint64_t from = w.part.address;
  w.column = column_at(from, w.sent);
  w.bank = locator_.bank(w.column);
  const std::uint64_t end = std::min(from + static_cast<std::uint64_t>(w.part.bytes),
                                     w.column + static_cast<std::uint64_t>(column_));
  w.bytes = static_cast<Clk>(end - std::max(w.column, from));
  w.there = w.first_beat + ceil_div(static_cast<Clk>(end - from), p.config.clock_bytes);
}

void Ports::served(Dir d, const Entry &e, Clk now) {
  if (d != kRead)
    return;
  ports_[e.port].returns.at(e.ticket).there = now + read_clocks_;
  give_from_ = std::min(give_from_, now + read_clocks_);
}

void Ports::give_back(Clk now) {
  if (now < give_from_)
    return;
  give_from_ = kNever;
  for (Port &p : ports_) {
    if (p.returns.empty())
      continue;
    if (p.returns.front().there <= now && p.channel_free[kRead] <= now) {
      const Returning r = p.returns.front();
      interfaces_[r.stream].returned(r.part);
      p.channel_free[kRead] = now + p.column_clocks;
      p.returns.pop();
      from_[kRead] = 0;
      if (p.returns.empty())
        continue;
    }
    give_from_ = std::min(give_from_, std::max(p.returns.front().there, p.channel_free[kRead]));
  }
}

} // namespace axm::clocked
