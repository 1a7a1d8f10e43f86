// The part of Zynq UltraScale+ behind the AXI interfaces of the fabric: AFI interfaces, one for
// each direction of a port that has a stream, the controller's ports, the controller, its DRAM. The
// interfaces' masters are outside: `System` or `SteppedSystem`.
#pragma once

#include <algorithm>
#include <vector>

#include "axiometer/model/interconnect/ddrc_ports.hpp"
#include "axiometer/model/ports/afi.hpp"
#include "axiometer/model/targets/usp_ddrc.hpp"

namespace axm::clocked {

class Chip {
public:
  // std::invalid_argument names the value that cannot be simulated, and its range.
  static void check(const SystemConfig &c);

  // `trace` takes the DRAM commands; may be null.
  Chip(const SystemConfig &c, Clk first_refresh, Trace *trace)
      : interfaces_(interfaces_of(c)), ports_(c, interfaces_), ddrc_(c, first_refresh) {
    ddrc_.trace = trace;
  }
  Chip(const Chip &) = delete; // the ports refer to the interfaces
  Chip &operator=(const Chip &) = delete;

  std::vector<Afi> &interfaces() { return interfaces_; }
  // The number of the interface of a stream: streams of one direction of a port share it.
  static std::size_t interface_of(const SystemConfig &c, std::size_t stream);
  const std::vector<Afi> &interfaces() const { return interfaces_; }

  // One controller clock, after the PL cycles that begin in it.
  void clock(Clk now) {
    ports_.step(now, ddrc_);
    ddrc_.step(now, [&](Dir d, const Entry &e) { ports_.served(d, e, now); });
    ports_.give_back(now);
  }
  // What the bus did in that clock; waits(): whether a master has a burst that is not complete.
  template <class Waits> BusClass bus_class(Clk now, Waits &&waits) const {
    BusClass c = ddrc_.bus_class(now);
    if (c == kIdleNoRequest) {
      c = waits() ? kIdlePort : kIdleNoRequest;
      for (const Afi &a : interfaces_)
        c = std::max(c, a.idle_class());
    }
    return c;
  }
  const std::array<std::int64_t, kDramCounts> &counts() const { return ddrc_.counts; }
  // Nothing waits in the controller's stores.
  bool idle() const { return ddrc_.empty(); }
  // While nothing is in flight at the interfaces: clocks from `now` to before this one are without
  // a request, and only the last of those that are passed over has to be stepped.
  Clk sleeps_until(Clk now) const { return ddrc_.sleeps_until(now); }

private:
  static std::vector<Afi> interfaces_of(const SystemConfig &c);

  std::vector<Afi> interfaces_;
  Ports ports_;
  Ddrc ddrc_;
};

// The same with its AXI side open (stepped_chip.cpp).
std::unique_ptr<SteppedChip> step(const SystemConfig &c, const RepeatStart &start);

} // namespace axm::clocked
