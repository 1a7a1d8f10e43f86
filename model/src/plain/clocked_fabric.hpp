// The fabric's side of an AFI interface in the executable specification: its engines, and the
// multiplexer between several. In a cycle one address, one beat and one response pass. Addresses
// have their turn engine by engine, and a chosen engine stays chosen until its address is taken;
// write data keep the order of the addresses; data and responses go back to the burst's engine.
#pragma once

#include <deque>
#include <vector>

#include "clocked_engine.hpp"
#include "clocked_interface.hpp"

namespace axm::plain::clocked {

class Fabric {
public:
  Fabric(Interface interface, std::int64_t period) : port(std::move(interface)), period_(period) {}

  // A cycle of the port's clock, which begins in controller clock `clk`.
  void cycle(Cycle now, Clk clk);
  // Base units from a cycle to the next.
  std::int64_t period() const { return period_; }

  Interface port;
  std::vector<Engine> engines;
  Cycle cycles = 0; // that have been stepped

private:
  void take_address(Cycle now);
  StreamClass read(std::size_t engine, Cycle now);
  StreamClass write(std::size_t engine, Cycle now, Clk clk);
  bool has_turn(const std::deque<std::size_t> &turn, std::size_t engine) const {
    return !turn.empty() && turn.front() == engine;
  }
  StreamClass waits(const std::deque<std::size_t> &turn, std::size_t engine) const;

  std::int64_t period_;
  std::size_t next_ = 0; // engine with the first chance
  int chosen_ = -1;
  std::deque<std::size_t> owners_;  // of bursts whose data (read) or response (write) are to come
  std::deque<std::size_t> sending_; // of write bursts with beats to come
  bool beat_ = false, response_ = false; // in this cycle
};

} // namespace axm::plain::clocked
