// The chip with its AXI side open: the engines are somewhere else (RTL under
// co-simulation), ports, paths, controller and DRAM are here. Stepped one PL cycle
// at a time. It is made of the parts of the executable specification, or, under usp-ddrc, of
// those of the model itself, which has no faster form.
//
// In each cycle, in this order:
//   1. read the chip's side: takes_address, takes_write_beat, is_due;
//   2. set the side of the streams whose engines act, each once: drive;
//   3. step.
// Streams are numbered as in SystemConfig::streams; each is one direction of one
// port. Of the master's part of StreamConfig only `outstanding`, `partner` and
// `loopback_bursts` are used, and only for the time accounting.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "axiometer/model/config.hpp"
#include "axiometer/model/stepped_model.hpp"

namespace axm {

class SteppedChip {
public:
  // std::invalid_argument names the first value that cannot be simulated.
  SteppedChip(const SystemConfig &config, const RepeatStart &start);

  Cycle now() const { return model_->now(); }
  // An address that comes in a cycle is taken in it.
  bool takes_address(std::size_t stream) const { return model_->takes_address(stream); }
  bool takes_write_beat(std::size_t stream, bool burst_begins) const {
    return model_->takes_write_beat(stream, burst_begins);
  }
  // Streams with a beat to read, or a response, a bit each; one of them.
  std::uint64_t due() const { return model_->due(); }
  bool is_due(std::size_t stream) const { return (due() >> stream & 1) != 0; }
  // `moves`: the engine moves a beat if the chip offers or takes one in this cycle.
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) {
    model_->drive(stream, begins, moves, takes_response);
  }
  void step() { model_->step(); }

  // All requests are complete, in the DRAM too.
  bool idle() const { return model_->idle(); }
  // Latencies, times and time accounting so far; the run ends with the last beat or response. Of a
  // free run (usp-ddrc) what the model would have measured, and `whole`; time goes on until that is
  // over. To be called once.
  RepeatResult result(Trace *trace) { return model_->result(trace); }

private:
  std::unique_ptr<SteppedModel> model_;
};

} // namespace axm
