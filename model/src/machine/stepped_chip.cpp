#include "axiometer/model/stepped_chip.hpp"

#include "../plain/stepped.hpp"
#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_stepped.hpp"
#include "axiometer/model/need.hpp"

namespace axm {

std::unique_ptr<SteppedChip> make_stepped(const SystemConfig &c, const RepeatStart &start) {
  c.check_closed();
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    need(c.clocks_of(c.ports[i]).pl == c.clocks.pl, key_of("ports", i, "period"),
         "engines outside have the PL's clock");
  need(c.streams.size() <= 64, "streams", "at most 64 of engines outside");
  check_start(c, start);
  // Not by the list of policies: a co-simulation is built without the other forms of each.
  if (c.controller.policy == kUspDdrc)
    return std::make_unique<clocked::SteppedSystem>(c, start);
  return plain::step(c, start);
}

} // namespace axm
