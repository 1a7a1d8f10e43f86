// A transfer by a source that has the memory for itself: the executable specification of `run`.
#include "source.hpp"

namespace axm::processor {

Outcome run_plain(const Config &config) {
  check(config);
  sources::Timeline timeline;
  sources::Schedule schedule(timeline);
  sources::IdleDram dram(config, schedule);
  sources::GpPort gp(config, schedule, true);
  // What a load takes beside the device's own time is travel, half of it each way.
  const Time own = config.memory.device_clocks * config.clocks.ddr;
  const Time travel = std::max<Time>(config.memory.read_clocks * config.clocks.cpu - own, 0);
  const sources::Travel way{travel / 2, travel - travel / 2};
  sources::Source source(config,
                         {.timeline = timeline, .dram = dram, .read = way, .write = way, .gp = gp});
  source.begin();
  while (!timeline.empty())
    timeline.step();
  return source.outcome();
}

} // namespace axm::processor
