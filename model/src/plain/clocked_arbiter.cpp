// The ports' arbiter in the executable specification: see clocked_ports.hpp.
#include <algorithm>

#include "clocked_ports.hpp"

namespace axm::plain::clocked {

Entry Ports::entry(std::size_t port, std::size_t from, const Part &p, int column, Dir d) const {
  Entry e;
  e.address = column_address(p, column);
  for (std::size_t i = 0; i < dram_.bank_address_bits.size(); ++i)
    if (e.address >> dram_.bank_address_bits[i] & 1)
      e.bank += 1 << i;
  if (dram_.ranks > 1 && (e.address >> dram_.rank_address_bit & 1))
    e.bank += dram_.banks;
  for (int bit = dram_.row_address_bits[1]; bit >= dram_.row_address_bits[0]; --bit)
    e.row = 2 * e.row + (e.address >> bit & 1);
  e.interface = from;
  e.port = port;
  e.traffic = traffic(from, d);
  return e;
}

// A port requests with the urgency of its most urgent waiting part.
Ports::Asked Ports::asks(const Port &p, Dir d, Clk now) const {
  Asked found;
  const auto add = [&](const auto &queue) {
    for (const auto &x : queue) {
      if (x.seen > now)
        continue;
      found.has[static_cast<int>(traffic(x.interface, d))] = true;
      found.qos = std::max(found.qos, interface(x.interface).port().afi.qos[d]);
      found.deadline = std::min(found.deadline, x.deadline);
    }
  };
  if (d == kRead)
    add(p.reads);
  else
    add(p.writes);
  return found;
}

// Where a video part has expired all of that class come first, then those of high priority, then
// the highest AXI QoS value; among equals the ports in turn.
int Ports::choose(Dir d, Clk now, const std::vector<bool> &can) {
  const auto asked = [&](std::size_t k) { return asks(ports_[k], d, now); };
  const auto of = [&](std::size_t k, TrafficClass c) { return asked(k).has[static_cast<int>(c)]; };
  bool late = false, video = false, high = false;
  int qos = -1;
  for (std::size_t k = 0; k < can.size(); ++k) {
    if (!can[k])
      continue;
    late = late || asked(k).deadline <= now;
    video = video || of(k, TrafficClass::video);
    high = high || of(k, TrafficClass::low_latency);
    qos = std::max(qos, asked(k).qos);
  }
  if (qos < 0)
    return -1;
  const bool by_class = (late && video) || high;
  const TrafficClass wanted = late && video ? TrafficClass::video : TrafficClass::low_latency;
  std::size_t &turn = by_class ? class_turn_[d][static_cast<int>(wanted)] : qos_turn_[d][qos];
  for (std::size_t i = 0; i < can.size(); ++i) {
    const std::size_t k = (turn + i) % can.size();
    if (!can[k] || (by_class ? !of(k, wanted) : asked(k).qos != qos))
      continue;
    turn = (k + 1) % can.size();
    if (!by_class) // each class goes on behind its port that had a turn
      for (int c = 0; c < 3; ++c)
        if (asked(k).has[c])
          class_turn_[d][c] = turn;
    return static_cast<int>(k);
  }
  return -1;
}

// A port that wrote as many parts in a row as it may, each while another waited, is left out.
int Ports::choose_write(Clk now, const std::vector<bool> &can) {
  const auto another = [&](int than) {
    for (std::size_t k = 0; k < can.size(); ++k)
      if (can[k] && static_cast<int>(k) != than)
        return true;
    return false;
  };
  std::vector<bool> of = can;
  if (config_.write_turns > 0 && wrote_in_row_ >= config_.write_turns && another(last_writer_))
    of[static_cast<std::size_t>(last_writer_)] = false;
  const int chosen = choose(kWrite, now, of);
  if (chosen < 0 || !another(chosen))
    return chosen;
  wrote_in_row_ = chosen == last_writer_ ? wrote_in_row_ + 1 : 1;
  last_writer_ = chosen;
  return chosen;
}

// The QoS controller gives a port no turn while its store has few free places.
bool Ports::held_back(const Port &p, Dir d, const Controller &controller) const {
  return p.config.ddrc.throttled[d] && controller.free_places(d) <= config_.throttle_entries[d];
}

// The port that goes on with its part; -1: any may begin.
int Ports::keeps_its_turn(Dir d, const Controller &controller) const {
  const int k = current_[d];
  return k >= 0 && held_back(ports_[static_cast<std::size_t>(k)], d, controller) ? -1 : k;
}

// ---- reads -----------------------------------------------------------------------

bool Ports::asks_to_read(const Port &p, Clk now) const {
  return !p.reads.empty() && p.reads.front().seen <= now && p.read_again <= now &&
         static_cast<int>(p.returns.size()) < p.config.inflight[kRead] &&
         (p.read_passed > 0 || interface(p.reads.front().interface).may_pass(p.reads.front().part));
}

bool Ports::may_read(const Port &p, Clk now, const Controller &controller) const {
  return asks_to_read(p, now) && !held_back(p, kRead, controller) &&
         controller.has_room(kRead, traffic(p.reads.front().interface, kRead));
}

void Ports::pass_read(Clk now, Controller &controller) {
  if (now < again_)
    return;
  std::vector<bool> can;
  for (const Port &p : ports_)
    can.push_back(may_read(p, now, controller));
  int chosen = keeps_its_turn(kRead, controller);
  if (chosen < 0)
    chosen = choose(kRead, now, can);
  if (chosen < 0 || !can[static_cast<std::size_t>(chosen)])
    return;
  Port &p = ports_[static_cast<std::size_t>(chosen)];
  const Read r = p.reads.front();
  Part &part = interface(r.interface).parts[r.part];
  part.passes = true;
  if (p.read_passed == 0) {
    p.read_began = now;
    p.read_late = r.deadline <= now;
  }
  Entry e = entry(static_cast<std::size_t>(chosen), r.interface, part, p.read_passed, kRead);
  e.deadline = r.deadline;
  e.serial = p.serials++;
  p.returns.push_back({r.interface, r.part, e.serial});
  controller.accept(kRead, e);
  again_ = now + config_.command_clocks;
  const bool shared = !p.config.ddrc.buffers && p.interfaces[kRead].size() > 1;
  if (p.read_late || shared) // its data set the pace, and the others wait for all of it
    again_ = std::max(again_, now + column_clocks(p));
  if (shared)
    p.read_again = now + column_clocks(p);
  if (++p.read_passed == part.columns) {
    if (shared)
      again_ = std::max({again_, p.read_again, p.read_began + p.config.ddrc.part_clocks});
    p.reads.pop_front();
    p.read_passed = 0;
  }
  current_[kRead] = config_.turn == Turn::part && p.read_passed > 0 ? chosen : -1;
}

// ---- writes ----------------------------------------------------------------------

// Of the next column of the first write.
bool Ports::data_are_here(const Port &p, Clk now) const {
  const Write &w = p.writes.front();
  int needed = 0;
  for (int n = 0; n <= w.passed; ++n)
    needed += column_bytes(part(w), n);
  return now >=
         w.data + needed / p.config.ddrc.clock_bytes + (needed % p.config.ddrc.clock_bytes > 0);
}

bool Ports::may_write(const Port &p, Clk now, const Controller &controller) const {
  if (p.writes.empty() || p.writes.front().seen > now || held_back(p, kWrite, controller))
    return false;
  const Write &w = p.writes.front();
  const bool room = controller.has_room(kWrite, TrafficClass::best_effort);
  if (w.data == kNever)
    return room && p.channel_free[kWrite] <= now;
  return data_are_here(p, now) &&
         (room || controller.combines(entry(0, w.interface, part(w), w.passed, kWrite)));
}

void Ports::pass_write(Clk now, Controller &controller) {
  if (now < again_)
    return;
  std::vector<bool> can;
  for (const Port &p : ports_)
    can.push_back(may_write(p, now, controller));
  int chosen = keeps_its_turn(kWrite, controller);
  if (chosen < 0)
    chosen = choose_write(now, can);
  if (chosen < 0 || !can[static_cast<std::size_t>(chosen)])
    return;
  Port &p = ports_[static_cast<std::size_t>(chosen)];
  Write &w = p.writes.front();
  if (w.data == kNever) { // its data may come
    data_come(p, w, now, now);
    current_[kWrite] = config_.turn == Turn::part ? chosen : -1;
    return;
  }
  Entry e = entry(static_cast<std::size_t>(chosen), w.interface, part(w), w.passed, kWrite);
  e.deadline = w.deadline;
  if (!controller.combines(e))
    controller.accept(kWrite, e);
  const auto data = ceil_div(column_bytes(part(w), w.passed), config_.write_bytes);
  again_ = now + std::max<Clk>(config_.command_clocks, data);
  current_[kWrite] = config_.turn == Turn::part ? chosen : -1;
  if (++w.passed < part(w).columns)
    return;
  interface(w.interface).accepted(w.part, now);
  p.writes.pop_front();
  current_[kWrite] = -1;
}

} // namespace axm::plain::clocked
