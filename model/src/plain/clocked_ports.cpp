// What comes into the controller's ports and goes back; the arbiter is in clocked_arbiter.cpp.
#include "clocked_ports.hpp"

#include <algorithm>

namespace axm::plain::clocked {

Ports::Ports(const SystemConfig &c, std::vector<Fabric> &fabrics)
    : dram_clocks_(c.controller.dram_clocks), config_(c.controller.keys<DdrcConfig>()),
      dram_(c.dram), fabrics_(fabrics), ports_(c.paths.size()) {
  for (std::size_t i = 0; i < ports_.size(); ++i)
    ports_[i].config = c.paths[i];
  for (std::size_t i = 0; i < fabrics_.size(); ++i) {
    Port &p = ports_[static_cast<std::size_t>(interface(i).port().path)];
    p.interfaces[interface(i).reads() ? kRead : kWrite].push_back(i);
  }
}

void Ports::clock(Clk now, Controller &controller) {
  for (Port &p : ports_)
    enter(p, now);
  late_read_waited_ = false;
  for (const Port &p : ports_)
    if (asks_to_read(p, now) && asks(p, kRead, now).deadline <= now &&
        !controller.has_room(kRead, TrafficClass::video))
      late_read_waited_ = true;
  pass_read(now, controller);
  pass_write(now, controller);
}

// ---- parts come in ---------------------------------------------------------------

// Of the interfaces that have a part for the port the one of the highest AXI QoS value, of equal
// ones the next in turn; -1: none.
int Ports::offering(Port &p, Dir d, Clk now) {
  const auto &of = p.interfaces[d];
  const auto qos = [&](std::size_t k) { return interface(of[k]).port().afi.qos[d]; };
  std::vector<std::size_t> offers;
  for (std::size_t i = 0; i < of.size(); ++i)
    if (const std::size_t k = (p.turn[d] + i) % of.size(); interface(of[k]).offers(now))
      offers.push_back(k);
  if (offers.empty())
    return -1;
  const std::size_t k = *std::ranges::max_element(offers, {}, qos); // the first of equal ones
  p.turn[d] = (k + 1) % of.size();
  return static_cast<int>(of[k]);
}

// At most one part in each direction.
void Ports::enter(Port &p, Clk now) {
  const DdrcPortConfig &c = p.config.ddrc;
  const auto deadline = [&](std::size_t from, Dir d) {
    return traffic(from, d) == TrafficClass::video ? now + c.timeout_clocks[d] : kNever;
  };
  const int places = c.queue_parts[kRead] * static_cast<int>(p.interfaces[kRead].size());
  if (static_cast<int>(p.reads.size()) < std::min(places, 64))
    if (const int i = offering(p, kRead, now); i >= 0) {
      const auto from = static_cast<std::size_t>(i);
      p.reads.push_back(
          {from, interface(from).take(), now + c.entry_clocks[kRead], deadline(from, kRead)});
    }
  if (static_cast<int>(p.writes.size()) >= c.queue_parts[kWrite] || p.channel_free[kWrite] > now)
    return;
  if (const int i = offering(p, kWrite, now); i >= 0) {
    const auto from = static_cast<std::size_t>(i);
    Write w{from, interface(from).take(), now + c.entry_clocks[kWrite], deadline(from, kWrite)};
    // Behind another interface's data they wait, unless the port has a place for them.
    const bool follows = p.writes.empty()
                             ? p.last_writer < 0 || p.last_writer == i
                             : p.writes.back().interface == from && p.writes.back().data != kNever;
    if (c.buffers || follows)
      data_come(p, w, now, w.seen);
    p.writes.push_back(w);
  }
}

// The data of a part take the channel from `begin` on, and the arbiter sees them from `seen` on.
void Ports::data_come(Port &p, Write &w, Clk begin, Clk seen) {
  w.data = seen;
  p.last_writer = static_cast<int>(w.interface);
  const Clk clocks = ceil_div(part(w).bytes * column_clocks(p), dram_.column_bytes);
  p.channel_free[kWrite] = begin + std::max<Clk>(1, clocks);
}

// ---- data go back ----------------------------------------------------------------

void Ports::served(const Entry &e, Clk now) {
  for (Returning &r : ports_[e.port].returns)
    if (r.serial == e.serial)
      r.there = now + config_.read_clocks;
}

void Ports::give_back(Clk now) {
  for (Port &p : ports_) {
    if (p.returns.empty() || p.returns.front().there > now || p.channel_free[kRead] > now)
      continue;
    const Returning r = p.returns.front();
    p.returns.pop_front();
    ++interface(r.interface).parts[r.part].arrived;
    p.channel_free[kRead] = now + column_clocks(p);
  }
}

// ---- columns of a part -----------------------------------------------------------

std::uint64_t Ports::column_address(const Part &p, int n) const {
  const auto bytes = static_cast<std::uint64_t>(dram_.column_bytes);
  return (p.address / bytes + static_cast<std::uint64_t>(n)) * bytes;
}

int Ports::column_bytes(const Part &p, int n) const {
  const std::uint64_t begin = std::max(p.address, column_address(p, n));
  const std::uint64_t end =
      std::min(p.address + static_cast<std::uint64_t>(p.bytes), column_address(p, n + 1));
  return static_cast<int>(end - begin);
}

} // namespace axm::plain::clocked
