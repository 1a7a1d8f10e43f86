#include "axiometer/model/usp/ports.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace axm::usp {

Locator::Locator(const DramConfig &d)
    : bits_(d.bank_bits), row_first_(d.row_bits[0]),
      row_mask_((1ULL << (d.row_bits[1] - d.row_bits[0] + 1)) - 1) {
  if (d.ranks > 1)
    bits_.push_back(d.rank_bit);
}

Ports::Ports(const SystemConfig &c, std::vector<Afi> &interfaces)
    : interfaces_(interfaces), locator_(c.dram), column_(c.dram.column_bytes),
      clock_bytes_(c.paths[0].ddrc.clock_bytes), read_clocks_(c.controller.ddrc.read_clocks),
      response_(c.ports[0].response_clocks / c.controller.ddrc.clocks),
      by_part_(c.controller.ddrc.turn_by_part), store_expires_(c.controller.ddrc.store_expires),
      write_bytes_(c.controller.ddrc.write_bytes) {
  for (const PathConfig &path : c.paths) {
    Port p;
    p.config = path.ddrc;
    p.credits = path.inflight[kRead];
    p.column_clocks = path.column_clocks / c.controller.ddrc.clocks;
    ports_.push_back(p);
  }
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const auto path = static_cast<std::size_t>(interfaces[i].port_config().path);
    ports_[path].streams[interfaces[i].reads() ? kRead : kWrite].push_back(static_cast<int>(i));
  }
}

void Ports::step(Clk now, Ddrc &ddrc) {
  for (Port &p : ports_) {
    fill(p, now);
    receive(p, now);
  }
  if (ddrc.starved_turn())
    ddrc.late_read_waits(late_read_waits(now, ddrc));
  pass_read(now, ddrc);
  pass_write(now, ddrc);
}

// At most one part of each direction enters a port in a clock; its interfaces take turns.
void Ports::fill(Port &p, Clk now) {
  const auto next = [&](Dir d) {
    const auto &of = p.streams[d];
    std::size_t k = p.turn[d];
    for (std::size_t i = 0; i < of.size(); ++i, k = k + 1 == of.size() ? 0 : k + 1)
      if (interfaces_[static_cast<std::size_t>(of[k])].offers(now)) {
        p.turn[d] = k + 1 == of.size() ? 0 : k + 1;
        return of[k];
      }
    return -1;
  };
  if (p.reads.size() < p.config.queue_parts[kRead])
    if (const int s = next(kRead); s >= 0) {
      Afi &e = interfaces_[static_cast<std::size_t>(s)];
      const unsigned n = e.take_read();
      if (e.port_config().afi.traffic[kRead] == TrafficClass::video)
        e.part(n).deadline = now + p.config.timeout[kRead];
      p.reads.push({s, n, now + p.config.entry_clocks[kRead]});
    }
  if (p.writes.size() < p.config.queue_parts[kWrite] && p.channel_free[kWrite] <= now)
    if (const int s = next(kWrite); s >= 0) {
      Afi &e = interfaces_[static_cast<std::size_t>(s)];
      Writing w{e.take_write(), s, 0, 0, now + p.config.entry_clocks[kWrite]};
      if (e.port_config().afi.traffic[kWrite] == TrafficClass::video)
        w.part.deadline = now + p.config.timeout[kWrite];
      const bool follows =
          p.writes.empty() ? p.last_source == s || p.last_source < 0
                           : p.writes.back().stream == s && p.writes.back().first_beat != kNever;
      if (p.config.buffers || follows)
        send(p, w, w.first_beat);
      else
        w.first_beat = kNever; // its data come once it has its turn
      p.writes.push(w);
    }
}

// Data of a part come from `begin` on.
void Ports::send(Port &p, Writing &w, Clk begin) {
  w.first_beat = begin;
  p.last_source = w.stream;
  p.channel_free[kWrite] =
      w.first_beat - p.config.entry_clocks[kWrite] +
      std::max<Clk>(1, (w.part.bytes * p.column_clocks + column_ - 1) / column_);
}

// A beat of write data into a port's small buffer.
void Ports::receive(Port &p, Clk now) {
  if (p.config.write_buffer == 0 || p.receives == p.writes.tail() || p.beat_free > now)
    return;
  Writing &w = p.writes.at(p.receives);
  if (w.first_beat > now)
    return;
  const auto column = static_cast<std::uint64_t>(column_);
  const auto left_in_column =
      static_cast<int>(column - (w.part.address + static_cast<std::uint64_t>(w.came)) % column);
  const int bytes = std::min({p.config.clock_bytes, left_in_column, w.part.bytes - w.came});
  if (p.buffered + bytes > p.config.write_buffer)
    return;
  w.came += bytes;
  p.buffered += bytes;
  const bool ends = w.came == w.part.bytes;
  if (ends || bytes == left_in_column)
    p.beat_free = now + 1 + p.config.write_gap;
  if (ends)
    ++p.receives;
}

Entry Ports::entry(const Part &p, int column, int stream, int port, Dir d) const {
  Entry e;
  const auto bytes = static_cast<std::uint64_t>(column_);
  e.column = (p.address / bytes + static_cast<std::uint64_t>(column)) * bytes;
  e.bank = static_cast<std::uint8_t>(locator_.bank(e.column));
  e.row = locator_.row(e.column);
  e.stream = static_cast<std::uint16_t>(stream);
  e.port = static_cast<std::uint8_t>(port);
  e.deadline = p.deadline;
  e.traffic = interfaces_[static_cast<std::size_t>(stream)].port_config().afi.traffic[d];
  return e;
}

// The port whose turn it is. Where a video part has expired all ports of that class come
// first, in turn: an expired one does not overtake another that is about to expire. Ports of
// one QoS value are of one class.
template <class Can, class Deadline>
int Ports::next(Dir d, Clk now, Can &&can, Deadline &&deadline) {
  const auto count = ports_.size();
  std::uint64_t of_class[3] = {}, of_highest = 0;
  int highest = -1;
  bool expired = false;
  for (std::size_t k = 0; k < count; ++k) {
    if (!can(k))
      continue;
    const auto [stream, until] = deadline(k);
    const AfiConfig &afi = interfaces_[static_cast<std::size_t>(stream)].port_config().afi;
    of_class[static_cast<int>(afi.traffic[d])] |= 1ULL << k;
    if (afi.qos[d] > highest)
      of_highest = 0;
    highest = std::max(highest, afi.qos[d]);
    if (afi.qos[d] == highest)
      of_highest |= 1ULL << k;
    expired |= until <= now;
  }
  if (of_highest == 0)
    return -1;
  const auto take = [&](std::size_t &turn, std::uint64_t mask) {
    const std::uint64_t rest = mask >> turn << turn;
    const int k = std::countr_zero(rest != 0 ? rest : mask);
    turn = static_cast<std::size_t>(k) + 1 == count ? 0 : static_cast<std::size_t>(k) + 1;
    return k;
  };
  for (const TrafficClass c : {TrafficClass::video, TrafficClass::low_latency}) {
    const std::uint64_t mine = of_class[static_cast<int>(c)];
    if (mine != 0 && (c != TrafficClass::video || expired))
      return take(class_turn_[d][static_cast<int>(c)], mine);
  }
  std::size_t &turn = turn_[d][highest];
  const int k = take(turn, of_highest);
  for (int c = 0; c < 3; ++c)
    if (of_class[c] >> k & 1)
      class_turn_[d][c] = turn;
  return k;
}

// Whether a read waits for the arbiter.
bool Ports::requests(const Port &p, Clk now) const {
  if (p.reads.empty() || p.read_next > now || p.reads.front().seen > now ||
      p.returns.size() >= p.credits)
    return false;
  return p.sent > 0 || interfaces_[static_cast<std::size_t>(p.reads.front().stream)].may_pass();
}

bool Ports::late_read_waits(Clk now, const Ddrc &ddrc) const {
  return std::ranges::any_of(ports_, [&](const Port &p) {
    if (!requests(p, now))
      return false;
    const Waiting &w = p.reads.front();
    const Afi &e = interfaces_[static_cast<std::size_t>(w.stream)];
    return e.part(w.part).deadline <= now && !ddrc.room(kRead, e.port_config().afi.traffic[kRead]);
  });
}

void Ports::pass_read(Clk now, Ddrc &ddrc) {
  int best = -1;
  const auto can = [&](std::size_t k) {
    const Port &p = ports_[k];
    if (!requests(p, now))
      return false;
    const Afi &e = interfaces_[static_cast<std::size_t>(p.reads.front().stream)];
    return ddrc.room(kRead, e.port_config().afi.traffic[kRead]);
  };
  if (by_part_ && current_[kRead] >= 0) {
    if (!can(static_cast<std::size_t>(current_[kRead])))
      return;
    best = current_[kRead];
  } else {
    best = next(kRead, now, can, [&](std::size_t k) {
      const Waiting &w = ports_[k].reads.front();
      return std::pair{w.stream,
                       interfaces_[static_cast<std::size_t>(w.stream)].part(w.part).deadline};
    });
  }
  if (best < 0)
    return;
  Port &p = ports_[static_cast<std::size_t>(best)];
  const Waiting w = p.reads.front();
  Afi &afi = interfaces_[static_cast<std::size_t>(w.stream)];
  const Part &part = afi.part(w.part);
  if (p.sent == 0)
    afi.passes();
  Entry e = entry(part, p.sent, w.stream, best, kRead);
  if (!store_expires_ && e.deadline > now)
    e.deadline = kNever;
  e.ticket = p.returns.push({w.stream, w.part, kNever});
  ddrc.push(kRead, e);
  if (!p.config.buffers)
    p.read_next = now + p.column_clocks; // no faster than its data will go back
  current_[kRead] = best;
  if (++p.sent == part.columns) {
    p.sent = 0;
    p.reads.pop();
    current_[kRead] = -1;
  }
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
  if (p.config.write_buffer > 0)
    return p.buffered >= bytes_of(w);
  const std::uint64_t end = column_end(w);
  const auto beats = static_cast<Clk>(end - w.part.address) + clock_bytes_ - 1;
  return w.first_beat + beats / clock_bytes_ <= now;
}

void Ports::pass_write(Clk now, Ddrc &ddrc) {
  if (write_free_ > now)
    return;
  int best = -1;
  // A port without a place for its command has no turn, so that turns are only those taken.
  const bool room = ddrc.room(kWrite, TrafficClass::best_effort);
  const auto can = [&](std::size_t k) {
    const Port &p = ports_[k];
    if (p.writes.empty())
      return false;
    if (p.writes.front().first_beat == kNever)
      return room && p.channel_free[kWrite] <= now;
    if (!written(p, now))
      return false;
    if (room || !ddrc.combining())
      return room;
    const Writing &w = p.writes.front();
    const Entry e = entry(w.part, w.sent, w.stream, static_cast<int>(k), kWrite);
    return ddrc.combines(e.column, e.bank);
  };
  if (by_part_ && current_[kWrite] >= 0) {
    if (!can(static_cast<std::size_t>(current_[kWrite])))
      return; // the others wait for its data, too
    best = current_[kWrite];
  } else
    best = next(kWrite, now, can, [&](std::size_t k) {
      const Writing &w = ports_[k].writes.front();
      return std::pair{w.stream, w.part.deadline};
    });
  if (best < 0)
    return;
  Port &p = ports_[static_cast<std::size_t>(best)];
  Writing &w = p.writes.front();
  if (w.first_beat == kNever) {
    send(p, w, now);
    current_[kWrite] = best;
    return;
  }
  const Entry e = entry(w.part, w.sent, w.stream, best, kWrite);
  if (!ddrc.combines(e.column, e.bank))
    ddrc.push(kWrite, e);
  write_free_ = now + (bytes_of(w) + write_bytes_ - 1) / write_bytes_;
  if (p.config.write_buffer > 0)
    p.buffered -= static_cast<int>(bytes_of(w));
  current_[kWrite] = best;
  if (++w.sent == w.part.columns) {
    interfaces_[static_cast<std::size_t>(w.stream)].accepted(w.part.ends_burst, now + response_);
    p.writes.pop();
    current_[kWrite] = -1;
  }
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

} // namespace axm::usp
