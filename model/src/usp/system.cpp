#include "axiometer/model/usp/system.hpp"

#include <algorithm>
#include <stdexcept>

#include "axiometer/model/usp/chip.hpp"
#include "axiometer/model/usp/master.hpp"
#include "axiometer/model/usp/measurement.hpp"
#include "axiometer/model/usp/multiplexer.hpp"

namespace axm::usp {

System::System(const SystemConfig &c) : config_(c) { Chip::check(c); }

RepeatResult System::run(const RepeatStart &start, const RunOptions &options) {
  if (start.stop >= kNever)
    throw std::invalid_argument("stop: a free run needs an end");
  Chip chip(config_, start.first_refresh, options.trace);
  std::vector<Afi> &interfaces = chip.interfaces();
  std::vector<Master> masters;
  for (std::size_t i = 0; i < config_.streams.size(); ++i) {
    masters.emplace_back(config_, i);
    masters.back().start(start.launch[i], start.pattern_seed);
  }
  std::vector<std::vector<Master *>> on(interfaces.size()); // the masters of each
  for (std::size_t i = 0; i < masters.size(); ++i)
    on[Chip::interface_of(config_, i)].push_back(&masters[i]);
  std::vector<Multiplexer> multiplexers(interfaces.size());
  std::vector<const Books *> books;
  for (const Master &m : masters)
    books.push_back(&m.books());
  Measurement measured(config_, start.stop, books);
  const std::int64_t core = config_.clocks.ddr * config_.controller.ddrc.clocks;
  const std::int64_t pl = config_.clocks.pl;
  const auto waits = [&] {
    return std::ranges::any_of(books, [](const Books *b) { return b->in_flight() > 0; });
  };
  Cycle cycle = 0;
  for (Clk now = 0;; ++now) {
    for (; cycle * pl <= now * core; ++cycle) {
      measured.cycle(cycle, now, chip.counts());
      if (measured.over())
        return measured.result();
      for (std::size_t i = 0; i < interfaces.size(); ++i)
        multiplexers[i].cycle(cycle, now, interfaces[i], on[i]);
    }
    chip.clock(now);
    measured.clock(chip.bus_class(now, waits));
  }
}

} // namespace axm::usp
