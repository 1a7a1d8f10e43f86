#include "clocked_interface.hpp"

#include <algorithm>

namespace axm::plain::clocked {

Interface::Interface(const SystemConfig &c, int port, Dir dir)
    : dir_(dir), port_(c.ports[static_cast<std::size_t>(port)]), column_(c.dram.column_bytes) {
  const int clocks = c.controller.dram_clocks;
  request_ = c.paths[static_cast<std::size_t>(port_.path)].request_clocks[dir] / clocks;
  response_ = port_.response_clocks / clocks;
}

Part Interface::cut(const Burst &b) const {
  Part p;
  p.address = b.next;
  p.bytes = std::min(b.left, port_.part_bytes);
  p.beats = (p.bytes + port_.width_bytes - 1) / port_.width_bytes;
  const auto column = static_cast<std::uint64_t>(column_);
  for (std::uint64_t at = b.next / column * column;
       at < b.next + static_cast<std::uint64_t>(p.bytes); at += column)
    ++p.columns;
  p.ends_burst = p.bytes == b.left;
  return p;
}

// ---- reads -----------------------------------------------------------------------

// Of a read burst the address waits until its last part is cut.
bool Interface::takes_address() const {
  const auto waiting = static_cast<int>(bursts_.size());
  return reads() ? waiting + (open_.left > 0 ? 1 : 0) < port_.afi.address_bursts : waiting < 64;
}

// At most one part a cycle.
void Interface::cut_read(Clk now) {
  if (held() >= port_.afi.issue_commands || returning() >= port_.afi.inflight_parts ||
      fifo_bytes() > port_.fifo_bytes[kRead])
    return;
  if (open_.left == 0) {
    if (bursts_.empty())
      return;
    open_ = bursts_.front();
    bursts_.pop_front();
  }
  Part p = cut(open_);
  p.ready = now + request_;
  parts.push_back(p);
  open_.next += static_cast<std::uint64_t>(p.bytes);
  open_.left -= p.bytes;
}

// The column in which the next beat ends has come: a beat of a source is wider than one.
bool Interface::has_beat() const {
  if (moved_ == begun())
    return false;
  const Part &p = parts[moved_];
  const auto column = static_cast<std::uint64_t>(column_);
  const int moved = std::min((p.moved + 1) * port_.width_bytes, p.bytes);
  const std::uint64_t last = p.address + static_cast<std::uint64_t>(moved - 1);
  return last / column < p.address / column + static_cast<std::uint64_t>(p.arrived);
}

bool Interface::take_beat() {
  Part &p = parts[moved_];
  if (++p.moved < p.beats)
    return false;
  ++moved_;
  return p.ends_burst;
}

// ---- writes ----------------------------------------------------------------------

bool Interface::has_place() const {
  const bool begins = begun() == moved_; // no part takes beats
  return (!begins || held() < port_.afi.issue_commands) &&
         fifo_bytes() + port_.width_bytes <= port_.fifo_bytes[kWrite];
}

bool Interface::give_beat(Clk now) {
  if (begun() == moved_) {
    if (open_.left == 0) {
      open_ = bursts_.front();
      bursts_.pop_front();
    }
    parts.push_back(cut(open_));
    open_.next += static_cast<std::uint64_t>(parts.back().bytes);
    open_.left -= parts.back().bytes;
  }
  Part &p = parts[moved_];
  if (++p.moved < p.beats)
    return false;
  ++moved_;
  if (p.ends_burst || !port_.release_whole_burst)
    for (; released_ < moved_; ++released_)
      parts[released_].ready = now + request_;
  return p.ends_burst;
}

void Interface::accepted(std::size_t part, Clk now) {
  ++accepted_;
  if (parts[part].ends_burst)
    responses_.push_back(now + response_);
}

// ---- what it holds ---------------------------------------------------------------

int Interface::in_port() const {
  if (!reads())
    return static_cast<int>(entered_ - accepted_);
  int count = 0;
  for (std::size_t i = moved_; i < entered_; ++i)
    if (parts[i].arrived < parts[i].columns)
      ++count;
  return count;
}

int Interface::returning() const {
  int count = 0;
  for (std::size_t i = moved_; i < begun(); ++i)
    if (parts[i].arrived < parts[i].columns)
      ++count;
  return count;
}

int Interface::fifo_bytes() const {
  int sum = 0;
  for (std::size_t i = held_from(); i < begun(); ++i)
    sum += reads() ? parts[i].bytes : std::min(parts[i].bytes, parts[i].moved * port_.width_bytes);
  return sum;
}

bool Interface::offers(Clk now) const {
  return entered_ != begun() && parts[entered_].ready <= now;
}

bool Interface::may_pass(std::size_t part) const {
  int passed = 0;
  for (std::size_t i = moved_; i < begun(); ++i)
    if (parts[i].passes)
      passed += parts[i].columns;
  return passed == 0 || passed + parts[part].columns <= port_.afi.passed_commands;
}

StreamClass Interface::waits_for() const {
  if (!reads())
    return in_port() > 0 ? kController : kPath;
  if (held() == 0)
    return kMaster;
  if (entered_ == moved_)
    return kPath;
  return parts[moved_].arrived > 0 ? kLatency : kController;
}

BusClass Interface::idle_class() const {
  if (held() == 0)
    return kIdleNoRequest;
  return in_port() > 0 ? kIdlePath : kIdlePort;
}

} // namespace axm::plain::clocked
