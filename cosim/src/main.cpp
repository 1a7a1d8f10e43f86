// The co-simulation: a verilated design, the model of the chip, and the agent in C, in
// one process. The host talks to it on stdin and stdout.
//
//   axm_cosim CONFIGURATION
//
// Exit status: that of the agent; 2 for a bad configuration; 3 if the simulation broke.
#include <csignal>
#include <exception>
#include <fstream>
#include <iostream>

#include "chip_config.hpp"
#include "plan.hpp"
#include "sim_bus.hpp"

#include "main.h"
#include "targets.h"

int main(int argc, char **argv) {
  using namespace axm::cosim;
  if (argc != 2) {
    std::cerr << "usage: axm_cosim CONFIGURATION\n";
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN); // a host that is gone is the end, by a status
  try {
    std::ifstream file(argv[1]);
    if (!file)
      throw std::invalid_argument(std::string("cannot read ") + argv[1]);
    KeyValues values(file);
    Plan plan = read_plan(values);
    const auto period_ps = static_cast<std::uint64_t>(values.integer("pl_period_ps", 1));
    Watchdog::Limits limits;
    if (values.has("watchdog_clocks"))
      limits.owed_clocks = limits.still_clocks =
          static_cast<std::uint64_t>(values.integer("watchdog_clocks", 1));
    values.expect_no_more();
    Simulation simulation(std::move(plan), period_ps, limits);
    attach(simulation);
    return axm_agent_main(axm_hal_sim(), 0);
  } catch (const std::exception &e) {
    std::cerr << "co-simulation: " << e.what() << "\n";
    return 2;
  }
}
