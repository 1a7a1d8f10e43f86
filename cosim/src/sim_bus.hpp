// The functions of host/hal/sim_bus.h act on one simulation; this says on which.
#pragma once

#include "simulation.hpp"

namespace axm::cosim {

void attach(Simulation &simulation);

} // namespace axm::cosim
