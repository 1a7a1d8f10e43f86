// Reading a configuration: ValueError names the key that is missing, unknown or of the wrong type.
#pragma once

#include <nanobind/nanobind.h>

#include "axiometer/model/config.hpp"

namespace axm::binding {

SystemConfig system(const nanobind::dict &given);
RepeatStart start(const nanobind::dict &given, std::size_t streams);

} // namespace axm::binding
