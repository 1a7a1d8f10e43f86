// One direction of an AFI interface in the executable specification: bursts are cut into parts
// from their first byte on. A read's part keeps its place in the FIFO from when it is cut until its
// last beat is taken, and one is cut unless parts are more than the FIFO holds; a write's bytes are
// in the FIFO until the controller's port takes their part.
// Parts are numbered from 0 and never thrown away.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/config.hpp"

namespace axm::plain::clocked {

struct Part {
  std::uint64_t address = 0;
  int bytes = 0, beats = 0, columns = 0;
  bool ends_burst = false;
  Clk ready = kNever;  // at the controller's port
  int moved = 0;       // beats to or from the master
  int arrived = 0;     // columns whose data are back (read)
  bool passes = false; // the arbiter has begun to pass it (read)
};

class Interface {
public:
  Interface(const SystemConfig &c, int port, Dir dir);

  bool reads() const { return dir_ == kRead; }
  const PortConfig &port() const { return port_; }

  // ---- the master's side; `now` is the controller clock in which its cycle begins --------------
  bool takes_address() const;
  void address(std::uint64_t address, int bytes) { bursts_.push_back({address, bytes}); }
  void cut_read(Clk now);
  bool has_beat() const;
  bool take_beat(); // true if it ends its burst
  bool has_place() const;
  bool give_beat(Clk now); // true if it ends its burst
  bool has_response(Clk now) const { return !responses_.empty() && responses_.front() <= now; }
  void take_response() { responses_.pop_front(); }
  StreamClass waits_for() const;
  BusClass idle_class() const;

  // ---- the port's side --------------------------------------------------------------------------
  bool offers(Clk now) const;
  std::size_t take() { return entered_++; } // the part that was offered
  bool may_pass(std::size_t part) const;
  void accepted(std::size_t part, Clk now); // all of a write's part is in the store

  std::vector<Part> parts;

private:
  struct Burst {
    std::uint64_t next = 0; // of its bytes that are not cut
    int left = 0;
  };
  std::size_t begun() const { return parts.size(); }
  // Parts that the interface holds: not taken by the master, or not by the port.
  std::size_t held_from() const { return reads() ? moved_ : entered_; }
  int held() const { return static_cast<int>(begun() - held_from()); }
  int in_port() const; // in the controller's port or behind it
  int fifo_bytes() const;
  int returning() const; // read parts that are cut and not back
  Part cut(const Burst &b) const;

  Dir dir_;
  PortConfig port_;
  int column_;
  Clk request_, response_;
  std::deque<Burst> bursts_; // not cut
  Burst open_;               // that is being cut
  std::size_t entered_ = 0;  // parts that the port has taken
  std::size_t moved_ = 0;    // parts whose beats have all moved
  std::size_t accepted_ = 0; // write parts that are in the store
  std::size_t released_ = 0; // write parts that may leave
  std::deque<Clk> responses_;
};

} // namespace axm::plain::clocked
