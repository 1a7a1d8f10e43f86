#include "axiometer/model/machine/convolution_system.hpp"

#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/sources/convolution.hpp"
#include "axiometer/model/sources/free_run.hpp"

namespace axm::clocked {

ConvolutionSystem::ConvolutionSystem(const SystemConfig &c) : config_(c) { Convolution::check(c); }

RepeatResult ConvolutionSystem::run(const RepeatStart &start, const RunOptions &options) {
  Chip chip(config_, start.first_refresh, options.trace);
  std::vector<Afi> &interfaces = chip.interfaces(); // one for each stream
  std::vector<Convolution> masters;
  for (std::size_t i = 0; i < config_.streams.size(); i += 2) {
    masters.emplace_back(config_, i, i + 1);
    masters.back().start(start.launch[i]);
  }
  std::vector<Books *> books;
  for (Convolution &m : masters)
    books.insert(books.end(), {&m.books(kRead), &m.books(kWrite)});
  const PortClocks clocks(config_);
  return free_run(config_, start, chip, books, clocks,
                  [&](std::size_t clock, Cycle cycle, Clk now) {
                    for (std::size_t port = 0; port < masters.size(); ++port) // one at each
                      if (clocks.of(static_cast<int>(port)) == clock) {
                        Convolution &m = masters[port];
                        m.step(cycle, now, interfaces[m.read()], interfaces[m.write()]);
                      }
                  });
}

} // namespace axm::clocked
