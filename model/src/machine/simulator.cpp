#include "axiometer/model/simulator.hpp"

namespace axm {

std::unique_ptr<Simulator> make_simulator(const SystemConfig &config) {
  config.check_closed();
  return part_of<ControllerPart>(config.controller).make(config);
}

RepeatResult run_plain(const SystemConfig &config, const RepeatStart &start, Trace *trace) {
  config.check_closed();
  return part_of<PlainTwin>(config.controller).run(config, start, trace);
}

} // namespace axm
