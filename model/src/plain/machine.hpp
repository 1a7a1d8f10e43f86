// The whole chip as the executable specification sees it: engines and their ports,
// paths, controller, DRAM. It is stepped edge by edge; who decides when a burst
// begins, the engines here or outside ones, makes no difference to the rest.
#pragma once

#include <optional>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "controller.hpp"
#include "master.hpp"
#include "path.hpp"

namespace axm::plain {

class Machine {
public:
  Machine(const SystemConfig &config, const RepeatStart &start);

  // One moment, in base units: a cycle of the engines of the ports that have an edge then.
  void pl_edges(std::int64_t now);
  // The same for a cycle that all engines have in common, all of them outside.
  void pl_cycle(Cycle now);
  // The first such edge after a moment.
  std::int64_t next_pl_edge(std::int64_t now) const;
  // One DRAM clock: at most one part in each direction enters the controller, and
  // then the controller issues at most one command.
  void dram_edge(Clk now);
  // The DRAM's edges from `first` to before `end`, without those that change nothing.
  void dram_edges(Clk first, Clk end);

  const Master *partner(const Master &m) const;
  std::vector<Master> &masters() { return masters_; }
  const std::vector<Master> &masters() const { return masters_; }
  bool controller_idle() const { return controller_.idle(); }
  // Grows whenever something happens.
  std::int64_t progress() const;

  // To be called once, at the end.
  RepeatResult result(Trace *trace);

private:
  bool accept(Dir d, Clk now);
  std::optional<Dir> serve(Clk now);
  Clk next_accept(Dir d, Clk now);
  Clk ready(const Path &path, Clk now) const;
  template <class Do> void at_edge(std::int64_t now, Do &&act);

  SystemConfig config_;
  bool ages_[2]; // of each direction: paths by their ageing counters
  Controller controller_;
  std::vector<Master> masters_;
  std::vector<std::size_t> masters_of_[2]; // of each direction
  std::vector<Path> paths_[2];
  std::size_t next_path_[2] = {0, 0};
  // In dram_edges no part is accepted, in a direction, and the controller changes nothing, before.
  Clk accepts_from_[2] = {kNever, kNever}, changes_from_ = 0;
};

} // namespace axm::plain
