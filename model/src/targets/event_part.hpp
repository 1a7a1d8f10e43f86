// A controller with the stores of targets/controller.hpp: a policy for turning from reads to writes
// and its keys make one.
#pragma once

#include "../plain/stepped.hpp"
#include "axiometer/model/need.hpp"
#include "axiometer/model/targets/controller.hpp"
#ifndef AXIOMETER_STEPPED
#include "axiometer/model/machine/recurrence.hpp"
#endif

namespace axm {

// What all of them check.
inline void check_events(const SystemConfig &c) {
  for (const Dir d : {kRead, kWrite})
    need(c.controller.entries[d] <= 48,
         d == kRead ? "controller.read_entries" : "controller.write_entries",
         "must be 1 to 48 column commands");
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    need(!c.streams[i].outside || c.clocks_of(c.streams[i]).pl == c.clocks.ddr,
         key_of("streams", i, "outside"),
         "its port must have the DRAM's clock (ports[].period is clocks.ddr)");
}

template <class Switching>
ControllerPart event_part(void (*keys)(const KeyVisitor &, ControllerConfig &),
                          void (*check)(const SystemConfig &) = check_events) {
  return {.name = Switching::kName,
          .parts = {.remembers = true},
          .visit = keys,
          .check = check,
          .step = plain::step,
#ifndef AXIOMETER_STEPPED
          .make = [](const SystemConfig &c) -> std::unique_ptr<Simulator> {
            return std::make_unique<System<Switching>>(c);
          },
          .open = [](const SystemConfig &c, const RepeatStart &s, const RunOptions &o)
              -> std::unique_ptr<OpenRun> { return std::make_unique<System<Switching>>(c, s, o); }
#endif
  };
}

} // namespace axm
