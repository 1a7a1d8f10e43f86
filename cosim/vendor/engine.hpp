// An engine by its name: what cosim/vfio and cosim/window serve in place of a verilated design.
#pragma once

#include <memory>

#include "device.hpp"
#include "guest_memory.hpp"
#include "objections.hpp"
#include "options.hpp"

namespace axm::vendor {

std::unique_ptr<vfio::Device> made(const Options &options, vfio::GuestMemory &memory,
                                   Objections &objections);

} // namespace axm::vendor
