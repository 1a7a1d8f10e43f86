// Zynq UltraScale+ as the executable specification sees it: engines, AFI interfaces, the
// controller's ports, the controller. Stepped one controller clock at a time; whatever happens is
// written down, and what is measured is counted at the end.
#pragma once

#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "clocked_controller.hpp"
#include "clocked_fabric.hpp"
#include "clocked_ports.hpp"

namespace axm::plain::clocked {

// A run from 0 to the start's `stop`, measured from `measure.settle` on, or of a short run its
// second half. It does not judge whether a rate has settled. std::invalid_argument if it has no
// end, or what it has no specification of: blocks, accelerators.
RepeatResult run(const SystemConfig &c, const RepeatStart &start, Trace *trace);

class Machine {
public:
  Machine(const SystemConfig &c, const RepeatStart &start);

  // The next moment at which a cycle or a controller clock begins (base units), and all of it.
  std::int64_t next() const;
  void step();
  // All moments before the end of the measurement.
  void run();
  void end(Cycle stop) { stop_ = stop; }
  RepeatResult result() const;
  // Nothing is under way or comes by itself, and all that was written is in the DRAM.
  bool through() const;
  Engine &engine(std::size_t stream) {
    return fabrics_[places_[stream].fabric].engines[places_[stream].engine];
  }
  const Trace &trace() const { return controller_.trace; }

private:
  // Where a stream is: its interface, and its number there.
  struct Place {
    std::size_t fabric = 0, engine = 0;
  };
  const Engine &engine(const Place &p) const { return fabrics_[p.fabric].engines[p.engine]; }
  static std::vector<Place> places_of(const SystemConfig &c);
  std::vector<Fabric> fabrics_of(const SystemConfig &c, const RepeatStart &start) const;
  BusClass bus_class(Clk now) const;
  Clk clock_at(Cycle cycle) const; // in which a cycle of the PL begins
  StreamResult stream(const Place &p) const;
  Cycle longest_wait(const Engine &e) const;

  SystemConfig config_;
  Cycle begin_, stop_;
  std::int64_t clock_;        // base units of a controller clock
  std::vector<Place> places_; // of each stream
  std::vector<Fabric> fabrics_;
  Ports ports_;
  Controller controller_;
  std::vector<BusClass> classes_; // of each controller clock
};

} // namespace axm::plain::clocked
