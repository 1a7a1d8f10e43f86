// The engines of the fabric: a `Master` for each stream, those of an interface behind its
// multiplexer. Who steps the ports' clocks is outside.
#pragma once

#include <vector>

#include "axiometer/model/interconnect/multiplexer.hpp"
#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/ports/port_clocks.hpp"
#include "axiometer/model/sources/clocked_master.hpp"

namespace axm::clocked {

class Engines {
public:
  // They master the interfaces of `chip`.
  Engines(const SystemConfig &c, const RepeatStart &start, Chip &chip);
  Engines(const Engines &) = delete; // pointers are to its masters
  Engines &operator=(const Engines &) = delete;

  // A cycle of all ports with that clock, which begins in controller clock `now`.
  void cycle(std::size_t clock, Cycle cycle, Clk now) {
    for (const At &at : with_clock_[clock]) {
      if (at.alone == nullptr) {
        at.multiplexer->cycle(cycle, now, *at.afi, *at.masters);
        continue;
      }
      at.alone->begin(cycle, *at.afi);
      at.afi->step(now);
      at.alone->move(cycle, now, *at.afi);
    }
  }
  Master &of(std::size_t stream) { return masters_[stream]; }
  const Master &of(std::size_t stream) const { return masters_[stream]; }
  std::vector<Books *> books();

private:
  struct At { // an interface
    Afi *afi;
    Master *alone; // its only master, which has no multiplexer; null: there are several
    Multiplexer *multiplexer;
    const std::vector<Master *> *masters;
  };

  std::vector<Master> masters_;
  std::vector<std::vector<Master *>> on_; // the masters of each interface
  std::vector<Multiplexer> multiplexers_; // of each interface
  std::vector<std::vector<At>> with_clock_;
};

} // namespace axm::clocked
