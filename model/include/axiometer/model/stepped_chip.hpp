// The chip with its AXI side open: the masters are somewhere else (RTL under
// co-simulation), ports, paths, controller and DRAM are here. Stepped one PL cycle
// at a time.
//
// In each cycle, in this order:
//   1. read the chip's side: takes_address, takes_write_beat, is_due;
//   2. set the side of the streams whose masters act, each once: drive;
//   3. step.
// Streams are numbered as in SystemConfig::streams; each is one direction of one
// port. Of the master's part of StreamConfig only `outstanding`, `partner` and
// `loopback_bursts` are used, and only for the time accounting.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"

namespace axm {

namespace processor {
struct Config;
}

// AXI's AxADDR, AxLEN + 1 and 2^AxSIZE of an INCR burst.
struct BurstRequest {
  std::uint64_t address = 0;
  int beats = 1;
  int beat_bytes = 4;
};

// The last two are for a port of the processor's side only: base units at PL cycle 0, and the DRAM
// clock of the first refresh.
struct SteppedStart : RepeatStart {
  std::int64_t origin = 0;
  int refresh_phase = 0;
};

class SteppedChip {
public:
  virtual ~SteppedChip() = default;

  Cycle now() const { return now_; }
  // Streams with a beat to read, or a response, in this cycle, a bit each; one of them.
  std::uint64_t due() const { return due_; }
  bool is_due(std::size_t stream) const { return (due_ >> stream & 1) != 0; }
  // An address that comes in a cycle is taken in it.
  virtual bool takes_address(std::size_t) const { return true; }
  // `begins`: beats of the burst whose address comes in this very cycle, 0 if none comes.
  virtual bool takes_write_beat(std::size_t stream, int begins) const = 0;
  // `moves`: the master moves a beat if the chip offers or takes one in this cycle.
  virtual void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
                     bool takes_response) = 0;
  virtual void step() = 0;
  // Latencies, times and time accounting so far; the run ends with the last beat or response. Of a
  // free run (usp-ddrc) what the model would have measured, and `whole`; time goes on until that is
  // over. To be called once.
  virtual RepeatResult result(Trace *trace) = 0;

protected:
  // A step ends with both set to those of the next cycle.
  Cycle now_ = 0;
  std::uint64_t due_ = 0;
};

// Made of the parts of the executable specification, or, under usp-ddrc, of those of the model
// itself, which has no faster form. std::invalid_argument names the first value that cannot be
// simulated.
std::unique_ptr<SteppedChip> make_stepped(const SystemConfig &config, const RepeatStart &start);
// A slave port of the processor's side, with one stream, one transfer at a time; addresses do not
// matter for its times, and it has no commands.
std::unique_ptr<SteppedChip> make_stepped(const processor::Config &side, const SteppedStart &start);

} // namespace axm
