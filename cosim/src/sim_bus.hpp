// Selects the simulation on which the functions of host/hal/sim_bus.h act.
#pragma once

#include "simulation.hpp"

namespace axm::cosim {

void attach(Simulation &simulation);

} // namespace axm::cosim
