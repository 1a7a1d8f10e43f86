// Configuration of an open run of this controller, for both of its models.
#pragma once

#include "axiometer/model/open_run.hpp"

namespace axm::clocked {

// The configuration of an open run: it is measured as a whole, and no stream begins a burst by
// itself at the start's `stop` or after it. std::invalid_argument where it cannot be simulated, or
// has no end: neither that stop nor, for each stream without bursts from outside, one of its own or
// a number of bytes.
SystemConfig open_config(const SystemConfig &c, const RepeatStart &start);

// Of the streams' ports, base units: all that happens in a cycle is over after it.
std::int64_t longest_cycle(const SystemConfig &c);

// std::invalid_argument if a burst has not whole, aligned beats of its port.
void check_beats(const SystemConfig &c, const OutsideBurst &b);

} // namespace axm::clocked
