#include "axiometer/model/usp/system.hpp"

#include "axiometer/model/usp/chip.hpp"
#include "axiometer/model/usp/free_run.hpp"
#include "axiometer/model/usp/master.hpp"
#include "axiometer/model/usp/multiplexer.hpp"

namespace axm::usp {

System::System(const SystemConfig &c) : config_(c) { Chip::check(c); }

RepeatResult System::run(const RepeatStart &start, const RunOptions &options) {
  Chip chip(config_, start.first_refresh, options.trace);
  std::vector<Afi> &interfaces = chip.interfaces();
  std::vector<Master> masters;
  for (std::size_t i = 0; i < config_.streams.size(); ++i) {
    masters.emplace_back(config_, i);
    masters.back().start(start.launch[i], start.pattern_seed);
  }
  for (std::size_t i = 0; i < masters.size(); ++i)
    if (config_.streams[i].partner >= 0)
      masters[i].join(&masters[static_cast<std::size_t>(config_.streams[i].partner)]);
  std::vector<std::vector<Master *>> on(interfaces.size()); // the masters of each
  for (std::size_t i = 0; i < masters.size(); ++i)
    on[Chip::interface_of(config_, i)].push_back(&masters[i]);
  const PortClocks clocks(config_);
  std::vector<std::vector<std::size_t>> with(clocks.count()); // the interfaces with each clock
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    with[clocks.of(on[i][0]->port())].push_back(i);
  std::vector<Multiplexer> multiplexers(interfaces.size());
  std::vector<Books *> books;
  for (Master &m : masters)
    books.push_back(&m.books());
  return free_run(config_, start, chip, books, clocks,
                  [&](std::size_t clock, Cycle cycle, Clk now) {
                    for (const std::size_t i : with[clock])
                      multiplexers[i].cycle(cycle, now, interfaces[i], on[i]);
                  });
}

} // namespace axm::usp
