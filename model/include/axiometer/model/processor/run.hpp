// The one way in to the processor's side: a configuration in, where the time went out.
#pragma once

#include "axiometer/model/processor/config.hpp"
#include "axiometer/model/processor/gp_port.hpp"

namespace axm::processor {

struct Outcome {
  Time elapsed = 0;                   // base units, as the processor sees it
  std::array<Time, kClasses> spent{}; // they add up to `elapsed`
  std::int64_t beats = 0;             // at the fabric's end
  Time first_beat = 0, last_beat = 0;
  std::map<Time, std::int64_t> between;  // cycles between beats -> how often
  Time frame_begins = 0, frame_ends = 0; // of a master in the fabric: its first address, its end
};

// One transfer. std::invalid_argument names the first value that cannot be simulated.
// `slave`: what is in the fabric, where it is not the slave of `config`.
Outcome run(const Config &config, OutsideSlave slave = {});

// The executable specification (src/sources/), written apart from what `run` runs: slow,
// and the same outcome to the bit. The slave is that of `config`.
Outcome run_plain(const Config &config);

} // namespace axm::processor
