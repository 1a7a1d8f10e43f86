// A run whose memory is shared with masters that are not streams: a processor, its DMA engine, a
// driver. When their next burst comes depends on when the last ones were served, so they ask for
// each by itself, at streams that are theirs (`StreamConfig::outside`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "axiometer/model/config.hpp"
#include "axiometer/model/simulator.hpp"

namespace axm {

// `at`: the DRAM clock at which it is at its stream's port: its address (read), or its address and
// all of its data (write; of usp-ddrc, whose engines it is like, the first: a beat a port's cycle
// follows). `bytes`: at most the stream's burst_bytes.
struct OutsideBurst {
  int stream = 0;
  Clk at = 0;
  std::uint64_t address = 0;
  int bytes = 0;
};

// `at`: the DRAM clock from which on its last data (read) or its response (write) has left the
// port. A stream's bursts are served in the order in which they were asked for.
struct OutsideServed {
  int stream = 0;
  Clk at = 0;
};

class OpenRun {
public:
  virtual ~OpenRun() = default;
  // At or after every limit that `advance` has reached, and not before the stream's last one.
  virtual void ask(const OutsideBurst &burst) = 0;
  // Goes on until it knows of a burst that it is served, or nothing more can happen before clock
  // `limit`; then nothing. What is served before `limit` is told before that; what is served later
  // may be told early. Bursts whose end is known at the same time come by their stream's number.
  virtual std::optional<OutsideServed> advance(Clk limit) = 0;
  // Nothing more comes from outside: to the end of the run. Every burst must have been told.
  virtual RepeatResult finish() = 0;
};

// Both throw std::invalid_argument if the configuration cannot be simulated. The second is the
// executable specification of the first, as `run_plain` is of a simulator.
std::unique_ptr<OpenRun> open_run(const SystemConfig &config, const RepeatStart &start,
                                  const RunOptions &options);
std::unique_ptr<OpenRun> open_plain(const SystemConfig &config, const RepeatStart &start,
                                    Trace *trace);

} // namespace axm
