// What the ports' arbiter passes to the controller's stores, and when: see
// interconnect/ddrc_ports.hpp.
#include <algorithm>
#include <bit>

#include "axiometer/model/interconnect/ddrc_ports.hpp"

namespace axm::clocked {

Entry Ports::entry(const Part &p, std::uint64_t column, int bank, int stream, int port,
                   Dir d) const {
  Entry e;
  e.column = column;
  e.bank = static_cast<std::uint8_t>(bank);
  e.row = locator_.row(e.column);
  e.stream = static_cast<std::uint16_t>(stream);
  e.port = static_cast<std::uint8_t>(port);
  e.deadline = p.deadline;
  e.traffic = interfaces_[stream].port_config().afi.traffic[d];
  return e;
}

// A port's request: its first part's class, AXI QoS value and time-out. Where masters with
// different values share a port, the most urgent waiting part lends its urgency to those before it,
// which would hold it back otherwise.
Ports::Asked Ports::asks(const Port &p, Dir d, Clk now) const {
  Asked found;
  const auto adds = [&](int stream, Clk deadline) {
    const AfiConfig &afi = interfaces_[stream].port_config().afi;
    found.classes |= 1U << static_cast<int>(afi.traffic[d]);
    found.qos = std::max(found.qos, afi.qos[d]);
    found.deadline = std::min(found.deadline, deadline);
  };
  const auto each = [&](const auto &queue, auto &&deadline) {
    for (unsigned n = queue.head(); n != queue.tail(); ++n) {
      const auto &x = queue.at(n);
      if (n != queue.head() && (!p.differ[d] || x.seen > now))
        break;
      adds(x.stream, deadline(x));
    }
  };
  if (d == kRead)
    each(p.reads, [&](const Waiting &w) { return interfaces_[w.stream].part(w.part).deadline; });
  else
    each(p.writes, [](const Writing &w) { return w.part.deadline; });
  return found;
}

// The port whose turn it is. Where a video part has expired all ports of that class come
// first, in turn: an expired one does not overtake another that is about to expire.
int Ports::most_urgent(Dir d, Clk now, std::uint64_t able) {
  std::uint64_t of_class[3] = {}, of_highest = 0;
  int highest = -1;
  bool expired = false;
  for (std::size_t k = 0; k < count_; ++k) {
    if ((able >> k & 1) == 0)
      continue;
    const Asked a = asks(ports_[k], d, now);
    for (int c = 0; c < 3; ++c)
      of_class[c] |= static_cast<std::uint64_t>(a.classes >> c & 1) << k;
    if (a.qos > highest)
      of_highest = 0;
    highest = std::max(highest, a.qos);
    if (a.qos == highest)
      of_highest |= 1ULL << k;
    expired |= a.deadline <= now;
  }
  const auto take = [&](std::size_t &turn, std::uint64_t mask) {
    const std::uint64_t rest = mask >> turn << turn;
    const int k = std::countr_zero(rest != 0 ? rest : mask);
    turn = static_cast<std::size_t>(k) + 1 == count_ ? 0 : static_cast<std::size_t>(k) + 1;
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

// The next write's port: one that had its turns in a row, while others waited, waits for one of
// them.
int Ports::next_write(Clk now, std::uint64_t able) {
  const std::uint64_t others = able & ~last_writer_;
  const bool gives_way = write_turns_ > 0 && in_row_ >= write_turns_ && others != 0;
  const int k = most_urgent(kWrite, now, gives_way ? others : able);
  if (k < 0)
    return k;
  const std::uint64_t mine = 1ULL << k;
  if ((able & ~mine) != 0) {
    in_row_ = mine == last_writer_ ? in_row_ + 1 : 1;
    last_writer_ = mine;
  }
  return k;
}

// The port that passes something now; -1: none.
int Ports::chosen(Dir d, Clk now, const Ddrc &ddrc) {
  changes_[d] = ddrc.changes();
  full_[d] = false;
  from_[d] = kNever;
  // A port without a place for its command has no turn, so that turns are only those taken.
  const auto can = [&](std::size_t k) {
    const Clk from = passes_from(k, d, now);
    if (from == kNever)
      return false;
    if (kept_back(k, d, ddrc)) {
      full_[d] = true;
      return false;
    }
    from_[d] = std::min(from_[d], from);
    return from <= now;
  };
  // The others wait for the data of a part that goes on, too.
  if (const int on = goes_on(d, ddrc); on >= 0)
    return can(static_cast<std::size_t>(on)) ? on : -1;
  std::uint64_t able = 0;
  for (std::size_t k = 0; k < count_; ++k)
    able |= static_cast<std::uint64_t>(can(k)) << k;
  if (able == 0)
    return -1;
  return d == kRead ? most_urgent(d, now, able) : next_write(now, able);
}

// From when on a read waits for the arbiter, unless a part comes in or data go back.
Clk Ports::requests_from(const Port &p, Clk now) const {
  if (p.reads.empty() || p.returns.size() >= p.credits)
    return kNever;
  const Waiting &w = p.reads.front();
  if (p.sent == 0 && !interfaces_[w.stream].may_pass(w.part))
    return now + 1; // its master may take a beat
  return std::max(p.read_next, w.seen);
}

bool Ports::late_read_waits(Clk now, const Ddrc &ddrc) const {
  // Reads of no other class are late.
  return !ddrc.room(kRead, TrafficClass::video) && std::ranges::any_of(ports_, [&](const Port &p) {
    return requests_from(p, now) <= now && asks(p, kRead, now).deadline <= now;
  });
}

// From when on the first part of a port may pass, unless a part comes in or data go back; kNever:
// there is none.
Clk Ports::passes_from(std::size_t k, Dir d, Clk now) const {
  const Port &p = ports_[k];
  if (d == kRead)
    return requests_from(p, now);
  if (p.writes.empty())
    return kNever;
  const Writing &w = p.writes.front();
  return w.first_beat == kNever ? std::max(w.seen, p.channel_free[kWrite]) : w.there;
}

// Whether the stores have no place for it, or the QoS controller holds it back.
bool Ports::kept_back(std::size_t k, Dir d, const Ddrc &ddrc) const {
  const Port &p = ports_[k];
  if (p.config.throttled[d] && ddrc.throttles(d))
    return true;
  if (d == kRead)
    return !ddrc.room(kRead, interfaces_[p.reads.front().stream].port_config().afi.traffic[kRead]);
  const Writing &w = p.writes.front();
  return !ddrc.room(kWrite, TrafficClass::best_effort) &&
         (w.first_beat == kNever || !ddrc.combines(w.column, w.bank));
}

// The port that goes on with its part; -1: any may begin.
int Ports::goes_on(Dir d, const Ddrc &ddrc) const {
  const int k = current_[d];
  if (!by_part_ || k < 0)
    return -1;
  return ports_[static_cast<std::size_t>(k)].config.throttled[d] && ddrc.throttles(d) ? -1 : k;
}

void Ports::pass_read(Clk now, Ddrc &ddrc) {
  const int best = chosen(kRead, now, ddrc);
  if (best < 0)
    return;
  Port &p = ports_[static_cast<std::size_t>(best)];
  const Waiting w = p.reads.front();
  Afi &afi = interfaces_[w.stream];
  const Part &part = afi.part(w.part);
  if (p.sent == 0) {
    afi.passes(w.part);
    p.began = now;
    p.late = part.deadline <= now;
  }
  const std::uint64_t column = column_at(part.address, p.sent);
  Entry e = entry(part, column, locator_.bank(column), w.stream, best, kRead);
  e.ticket = p.returns.push({w.stream, w.part, kNever});
  ddrc.push(kRead, e);
  const bool shared = !p.config.buffers && p.streams[kRead].size() > 1;
  if (shared)
    p.read_next = now + p.column_clocks; // no faster than its data will go back
  free_ = now + (p.late || shared ? std::max(command_clocks_, p.column_clocks) : command_clocks_);
  current_[kRead] = best;
  if (++p.sent == part.columns) {
    p.sent = 0;
    if (shared)
      free_ = std::max({free_, p.began + p.config.part_clocks, p.read_next});
    p.reads.pop();
    fill_from_ = 0;
    current_[kRead] = -1;
  }
}

void Ports::pass_write(Clk now, Ddrc &ddrc) {
  const int best = chosen(kWrite, now, ddrc);
  if (best < 0)
    return;
  Port &p = ports_[static_cast<std::size_t>(best)];
  Writing &w = p.writes.front();
  if (w.first_beat == kNever) {
    send(p, w, now, now);
    current_[kWrite] = best;
    return;
  }
  if (!ddrc.combines(w.column, w.bank))
    ddrc.push(kWrite, entry(w.part, w.column, w.bank, w.stream, best, kWrite));
  free_ = now + std::max(command_clocks_, ceil_div(w.bytes, write_bytes_));
  current_[kWrite] = best;
  if (++w.sent == w.part.columns) {
    interfaces_[w.stream].accepted(w.part.ends_burst, now);
    p.writes.pop();
    fill_from_ = 0;
    current_[kWrite] = -1;
  } else {
    next_column(p, w);
  }
}

} // namespace axm::clocked
