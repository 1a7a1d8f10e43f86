// A run of the processor's side alone, whose sources (src/sources/) have the memory for themselves:
// a configuration in, where the time went out.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "axiometer/model/config/processor.hpp"

namespace axm::processor {

// What a moment is spent on.
enum class Class {
  software,      // the processor runs instructions
  fetch,         // it waits for instructions that no cache holds
  system,        // system calls, mapping of pages, interrupts
  copy,          // the operating system copies between user and kernel
  cache_control, // lines are cleaned or invalidated
  setup,         // registers and programs of a DMA engine
  engine,        // the DMA engine runs its own instructions
  interconnect,  // a transaction is in the interconnect of the processor's side
  crossing,      // it waits for the clock of the other side
  fabric,        // it is with a slave or a master in the fabric
  data,          // beats move one a cycle at the fabric's end
  memory,        // it is with the DRAM
  queue,         // it waits behind earlier ones
};
inline constexpr int kClasses = 13;
extern const std::array<const char *, kClasses> kClassNames;

struct Outcome {
  Time elapsed = 0;                   // base units, as the processor sees it
  std::array<Time, kClasses> spent{}; // they add up to `elapsed`
  std::int64_t beats = 0;             // at the fabric's end
  Time first_beat = 0, last_beat = 0;
  std::map<Time, std::int64_t> between;  // cycles between beats -> how often
  Time frame_begins = 0, frame_ends = 0; // of a master in the fabric: its first address, its end
};

// A slave that is simulated elsewhere: it gets a burst's address at `start`, an edge of the fabric,
// and returns the edges at which its beats began, and the edge of its response (write).
struct Served {
  std::vector<Time> beats;
  Time end = 0; // a read's: after its last beat
};
using OutsideSlave = std::function<Served(Time start, int beats, bool read)>;

// One transfer. std::invalid_argument names the first value that cannot be simulated.
// `slave`: what is in the fabric, where it is not the slave of `config`.
Outcome run(const Config &config, OutsideSlave slave = {});

} // namespace axm::processor
