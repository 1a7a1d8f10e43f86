// One AXI port of the design on the guest's memory.
//
// Purpose      Takes an address a clock and answers in order, the first beat and the response a
//              plain number of clocks after the address or the last beat, then a beat a clock.
// Limits       No chip is modelled: times mean nothing. INCR bursts. An access of unmapped memory,
//              or while the device may not be a master, is answered DECERR and touches nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "guest_memory.hpp"
#include "signals.hpp"
#include "slaves.hpp"

namespace axm::vfio {

class AxiMemory {
public:
  AxiMemory(GuestMemory &memory, unsigned latency) : memory_(memory), latency_(latency) {}

  // The port's signals in this clock; they do not change before commit().
  cosim::ToMaster offer(const cosim::FromMaster &m);
  // The clock ends with these; whether there was a handshake.
  bool commit(const cosim::FromMaster &m, const cosim::ToMaster &t);
  void reset();
  // How many bursts there were with an AxCACHE and AxPROT.
  using Settings = std::map<std::pair<int, int>, std::uint64_t>;
  const Settings &settings() const { return settings_; }

private:
  struct Burst {
    cosim::FromMaster::Address address;
    std::uint64_t due = 0;
    int moved = 0;
    bool failed = false;
  };
  void fetch();
  void store(Burst &burst, const cosim::FromMaster &m);

  GuestMemory &memory_;
  unsigned latency_;
  std::uint64_t now_ = 0;
  std::deque<Burst> reads_, writes_, responses_;
  Settings settings_;
  bool fetched_ = false; // the beat that is offered
  cosim::ToMaster beat_;
};

// The ports of a design on it.
class PlainMemory final : public Slaves {
public:
  PlainMemory(std::size_t ports, GuestMemory &memory, unsigned latency)
      : ports_(ports, AxiMemory(memory, latency)) {}
  cosim::ToMaster offer(std::size_t port, const cosim::FromMaster &m) override {
    return ports_[port].offer(m);
  }
  bool commit(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) override {
    return ports_[port].commit(m, t);
  }
  const AxiMemory &port(std::size_t number) const { return ports_[number]; }
  void clock() override {}
  bool working() const override { return false; }
  void accessed() override {}
  void reset() override {
    for (AxiMemory &port : ports_)
      port.reset();
  }

private:
  std::vector<AxiMemory> ports_;
};

} // namespace axm::vfio
