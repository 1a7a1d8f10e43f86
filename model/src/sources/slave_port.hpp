// A port into which a master in the fabric reads or writes, the interconnect beside the master
// before it and the DRAM behind it. Bursts stay in the order of their issue.
#pragma once

#include "memory.hpp"

namespace axm::sources {

class SlavePort {
public:
  // The direction is `Config::to_fabric`: reads.
  SlavePort(const Config &config, Schedule &schedule, Books &books, Memory &memory);
  // A burst whose last beat (write) or address (read) leaves the master at `sent`. When the job is
  // over, the end of `t` says when its response, or its first beat, is at the master. Called in the
  // order of the bursts.
  Job serve(Transaction &t, std::int64_t byte, std::int64_t bytes, Time sent);

  // PL cycles from a burst's address to its first beat of a write at the earliest, and from that
  // to the second one. Bursts of one beat wait for neither.
  int first_beat_cycles(std::int64_t beats) const {
    return beats > 1 ? config_.port.address_cycles : 0;
  }
  int second_beat_cycles() const { return 1 + config_.fabric.hold_cycles; }

private:
  Time inside(std::int64_t bytes) const;

  const Config &config_;
  Schedule &schedule_;
  Books &books_;
  Memory &memory_;
  Edges pl_, behind_;
  Places places_;
  Time passed_on_ = 0, serial_free_ = 0; // of the latest burst, and of the latest short one
  std::optional<Time> answered_;         // the latest response
};

} // namespace axm::sources
