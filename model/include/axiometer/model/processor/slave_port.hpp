// A port into which masters in the fabric write (S_AXI_GP, S_AXI_HP, S_AXI_ACP), with the
// interconnect beside the master before it and the DRAM behind it.
//
// Purpose      The one definition of that way: the model's masters (fabric_master.cpp) and, under
//              co-simulation, those in RTL meet it.
// Limits       Bursts of one master, in one direction, in the order of their issue.
#pragma once

#include <vector>

#include "axiometer/model/processor/config.hpp"
#include "axiometer/model/processor/dram.hpp"

namespace axm::processor {

class SlavePort {
public:
  // The direction is `Config::to_fabric`: reads.
  SlavePort(const Config &config, Memory &memory);

  // A burst whose last beat (write) or address (read) has left the master at the PL edge t: the
  // edge of its response, or of its first beat.
  Time serve(Time t, int bytes, Trail &trail);

  // PL cycles from a burst's address to its first beat of a write at the earliest, and from that
  // to the second one. Bursts of one beat wait for neither.
  int first_beat_cycles(int beats) const { return beats > 1 ? config_.port.address_cycles : 0; }
  int second_beat_cycles() const { return 1 + config_.fabric.hold_cycles; }

private:
  Config config_;
  Memory &memory_;
  Clock pl_, behind_;
  std::vector<Time> places_; // when the places for bursts are free
  Time passed_on_ = 0, serial_free_ = 0, answered_ = 0;
};

} // namespace axm::processor
