#include "axiometer/model/machine/clocked_system.hpp"

#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/machine/clocked_open.hpp"
#include "axiometer/model/sources/clocked_engines.hpp"
#include "axiometer/model/sources/free_run.hpp"

namespace axm::clocked {

System::System(const SystemConfig &c) : config_(c) {}

RepeatResult System::run(const RepeatStart &start, const RunOptions &options) {
  if (start.stop >= kNever) // streams with an end
    return OpenSystem(config_, start, options).finish();
  Chip chip(config_, start.first_refresh, options.trace);
  Engines engines(config_, start, chip);
  return free_run(
      config_, start, chip, engines.books(), PortClocks(config_),
      [&](std::size_t clock, Cycle cycle, Clk now) { engines.cycle(clock, cycle, now); });
}

} // namespace axm::clocked
