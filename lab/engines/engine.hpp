// An engine by its name: what lab/vfio and lab/window serve in place of a verilated design.
#pragma once

#include <memory>

#include "clocked.hpp"
#include "master.hpp"
#include "objections.hpp"
#include "options.hpp"

namespace axm::vendor {

std::unique_ptr<Clocked> made(const Options &options, Master &memory, Objections &objections);

} // namespace axm::vendor
