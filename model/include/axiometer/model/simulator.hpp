// The only entry to the model: a simulator for one configuration, which runs
// repeats that differ in their start, and stores recurring segments between them.
#pragma once

#include <cstdint>
#include <memory>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"

namespace axm {

struct RunOptions {
  bool skip = true;                     // use stored segments
  bool verify = false;                  // simulate them as well, and throw if they differ
  Trace *trace = nullptr;               // collect the DRAM commands
  bool beats = false;                   // record when beats moved; then nothing is skipped
  std::size_t memory_bytes = 12u << 20; // most memory for segments
};

class Simulator {
public:
  virtual ~Simulator() = default;
  // Same configuration and start, same result, whatever ran before.
  virtual RepeatResult run(const RepeatStart &start, const RunOptions &options) = 0;
};

// Throws std::invalid_argument if the configuration cannot be simulated.
std::unique_ptr<Simulator> make_simulator(const SystemConfig &config);

// The executable specification: steps every base unit of time, beat by beat.
// Slow; gives the same trace and the same times.
RepeatResult run_plain(const SystemConfig &config, const RepeatStart &start, Trace *trace);

} // namespace axm
