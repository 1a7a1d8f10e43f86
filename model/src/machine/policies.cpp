// The scheduling policies, one line each.
#include <stdexcept>

#include "../plain/clocked_machine.hpp"
#include "../plain/clocked_open.hpp"
#include "../plain/run.hpp"
#include "axiometer/model/machine/clocked_open.hpp"
#include "axiometer/model/machine/clocked_system.hpp"
#include "axiometer/model/machine/convolution_system.hpp"
#include "axiometer/model/machine/policies.hpp"
#include "axiometer/model/machine/recurrence.hpp"
#include "axiometer/model/targets/switching/in_order_batch.hpp"
#include "axiometer/model/targets/switching/zynq_ddrc.hpp"

namespace axm {

namespace {

template <class Switching> Policy policy() {
  return {Switching::kName,
          {.remembers = true},
          [](const SystemConfig &c) -> std::unique_ptr<Simulator> {
            return std::make_unique<System<Switching>>(c);
          },
          plain::run,
          [](const SystemConfig &c, const RepeatStart &s, const RunOptions &o)
              -> std::unique_ptr<OpenRun> { return std::make_unique<System<Switching>>(c, s, o); },
          plain::open};
}

} // namespace

const std::vector<Policy> &policies() {
  static const std::vector<Policy> all = {
      policy<ZynqDdrc>(),
      policy<InOrderBatch>(),
      {"usp-ddrc",
       {.multiplexers = true, .arbiter = true, .measures_part = true},
       [](const SystemConfig &c) -> std::unique_ptr<Simulator> {
         if (c.convolution.lanes > 0)
           return std::make_unique<clocked::ConvolutionSystem>(c);
         return std::make_unique<clocked::System>(c);
       },
       plain::clocked::run,
       clocked::open_run,
       plain::clocked::open},
  };
  return all;
}

const Policy &policy_of(const SystemConfig &config) {
  std::string known;
  for (const Policy &p : policies()) {
    if (config.controller.policy == p.name)
      return p;
    known += (known.empty() ? "" : ", ") + std::string(p.name);
  }
  throw std::invalid_argument("controller.policy: \"" + config.controller.policy +
                              "\" is unknown; known are " + known);
}

std::unique_ptr<Simulator> make_simulator(const SystemConfig &config) {
  config.check_closed();
  return policy_of(config).make(config);
}

RepeatResult run_plain(const SystemConfig &config, const RepeatStart &start, Trace *trace) {
  config.check_closed();
  return policy_of(config).plain(config, start, trace);
}

} // namespace axm
