// What a run has given, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"

namespace axm::binding {

namespace nb = nanobind;

// `with_beats`: with the times of beats. ValueError if the run has none.
nb::dict result(const RepeatResult &r, bool with_beats);

// Each DRAM command as (clock, name, bank, row, column).
nb::list commands(const Trace &trace);

} // namespace axm::binding
