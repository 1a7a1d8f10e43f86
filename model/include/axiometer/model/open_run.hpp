// A run whose memory is shared with masters that are not streams: a processor, its DMA engine, a
// driver. Their next burst depends on when the last ones were served, so they request each
// burst by itself, at their own streams (`StreamConfig::outside`).
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
// port. A stream's bursts are served in the order of the requests.
struct OutsideServed {
  int stream = 0;
  Clk at = 0;
};

class OpenRun {
public:
  virtual ~OpenRun() = default;
  // At or after every limit that `advance` has reached, and not before the stream's last one.
  virtual void ask(const OutsideBurst &burst) = 0;
  // Advances until the end of a burst is known and returns it, or nothing if nothing more can
  // happen before clock `limit`. Ends before `limit` are returned before that; later ends may be
  // returned early. Bursts whose end is known at the same time come in the order of their streams.
  virtual std::optional<OutsideServed> advance(Clk limit) = 0;
  // No more bursts from outside: runs to the end. Every burst must have been returned.
  virtual RepeatResult finish() = 0;
};

// Both throw std::invalid_argument if the configuration cannot be simulated. The second is the
// executable specification of the first, as `run_plain` is of a simulator.
std::unique_ptr<OpenRun> open_run(const SystemConfig &config, const RepeatStart &start,
                                  const RunOptions &options);
std::unique_ptr<OpenRun> open_plain(const SystemConfig &config, const RepeatStart &start,
                                    Trace *trace);

} // namespace axm
