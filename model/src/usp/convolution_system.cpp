#include "axiometer/model/usp/convolution_system.hpp"

#include <algorithm>
#include <stdexcept>

#include "axiometer/model/usp/chip.hpp"
#include "axiometer/model/usp/convolution.hpp"
#include "axiometer/model/usp/measurement.hpp"

namespace axm::usp {

ConvolutionSystem::ConvolutionSystem(const SystemConfig &c) : config_(c) {
  Chip::check(c);
  Convolution::check(c);
}

RepeatResult ConvolutionSystem::run(const RepeatStart &start, const RunOptions &options) {
  if (start.stop >= kNever)
    throw std::invalid_argument("stop: a free run needs an end");
  Chip chip(config_, start.first_refresh, options.trace);
  std::vector<Afi> &interfaces = chip.interfaces(); // one for each stream
  std::vector<Convolution> masters;
  for (std::size_t i = 0; i < config_.streams.size(); i += 2) {
    masters.emplace_back(config_, i, i + 1);
    masters.back().start(start.launch[i]);
  }
  std::vector<const Books *> books;
  for (const Convolution &m : masters)
    books.insert(books.end(), {&m.books(kRead), &m.books(kWrite)});
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
      for (Convolution &m : masters)
        m.step(cycle, now, interfaces[m.read()], interfaces[m.write()]);
    }
    chip.clock(now);
    measured.clock(chip.bus_class(now, waits));
  }
}

} // namespace axm::usp
