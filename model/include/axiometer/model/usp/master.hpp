// A read or a write engine of a free-running master, as docs/hardware.md ("Traffic generator")
// has it: when bursts begin and where, and the books of what it sees. What it masters is a
// `Slave`: an `Afi`, or whatever else takes addresses and moves beats as that does.
#pragma once

#include <algorithm>
#include <cstdint>

#include "axiometer/model/burst_addresses.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/usp/books.hpp"

namespace axm::usp {

class Master {
public:
  Master(const SystemConfig &c, std::size_t stream)
      : s_(c.streams[stream]), stop_(s_.stop < 0 ? kNever : s_.stop), addresses_(s_),
        beat_(c.ports[static_cast<std::size_t>(s_.port)].width_bytes) {}
  void start(Cycle launch, std::uint64_t pattern_seed) {
    launch_ = launch;
    addresses_.start(pattern_seed);
  }

  bool reads() const { return s_.dir == kRead; }
  int port() const { return s_.port; }

  // A cycle of its port, which begins in controller clock `now`: first the address, then, when the
  // slave has been stepped, the data.
  template <class Slave> void begin(Cycle cycle, Slave &slave) {
    if (cycle < launch_)
      return;
    if (reads())
      begin_read(cycle, slave);
    else
      begin_write(cycle, slave);
  }
  template <class Slave> void move(Cycle cycle, Clk now, Slave &slave) {
    const StreamClass c = cycle < launch_   ? kLaunch
                          : finished(cycle) ? kDone
                          : reads()         ? move_read(cycle, slave)
                                            : move_write(cycle, now, slave);
    books_.count(c);
  }

  Books &books() { return books_; }

private:
  // An address that became valid before the stop stands until it is taken.
  bool may_begin(Cycle cycle) const {
    return books_.in_flight() < s_.outstanding && cycle >= may_issue_ &&
           (cycle < stop_ || valid_since() < stop_);
  }
  Cycle valid_since() const { return std::max({launch_, may_issue_, room_since_}); }
  bool finished(Cycle cycle) const {
    return cycle >= stop_ && books_.in_flight() == 0 && !may_begin(cycle);
  }
  template <class Slave> void issue(Cycle cycle, Slave &slave) {
    slave.address(addresses_.at(books_.issued), s_.burst_bytes);
    books_.begin(cycle);
    addresses_.advance();
  }
  template <class Slave> void begin_read(Cycle cycle, Slave &slave) {
    if (!may_begin(cycle) || !slave.takes_address())
      return;
    // A read's gap counts from when its address became valid, however late it was taken.
    const Cycle valid = valid_since();
    issue(cycle, slave);
    may_issue_ = cycle + 1;
    if (s_.gap_cycles > 0)
      may_issue_ = std::max(may_issue_, valid + (s_.burst_bytes + beat_ - 1) / beat_ +
                                            static_cast<Cycle>(s_.gap_cycles));
  }
  template <class Slave> StreamClass move_read(Cycle cycle, Slave &slave) {
    if (!slave.read_beat())
      return slave.waits_for();
    if (slave.take_beat())
      complete(cycle);
    return kData;
  }
  template <class Slave> void begin_write(Cycle cycle, Slave &slave) {
    if (sending_ || !may_begin(cycle) || !slave.takes_address())
      return;
    issue(cycle, slave);
    sending_ = true;
  }
  template <class Slave> StreamClass move_write(Cycle cycle, Clk now, Slave &slave) {
    if (slave.response(now)) {
      slave.take_response();
      complete(cycle);
    }
    if (!sending_)
      return kMaster;
    if (!slave.takes_write_beat())
      return slave.waits_for();
    if (slave.write_beat(now)) {
      sending_ = false;
      may_issue_ = cycle + 1 + s_.gap_cycles;
    }
    return kData;
  }
  void complete(Cycle cycle) {
    if (books_.in_flight() == s_.outstanding)
      room_since_ = cycle + 1;
    books_.complete(cycle);
  }

  StreamConfig s_;
  Cycle stop_; // from here on no address becomes valid
  BurstAddresses addresses_;
  int beat_;

  Cycle launch_ = 0;
  bool sending_ = false; // a write burst has beats left
  Cycle may_issue_ = 0;  // gap between bursts
  Cycle room_since_ = 0; // the latest time that bursts in flight were at their limit is over
  Books books_;
};

} // namespace axm::usp
