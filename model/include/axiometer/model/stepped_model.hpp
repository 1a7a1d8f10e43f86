// What a `SteppedChip` is made of: one for the policies of the executable specification
// (src/machine/stepped_chip.cpp), one for usp-ddrc (machine/clocked_stepped.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"

namespace axm {

// AXI's AxADDR, AxLEN + 1 and 2^AxSIZE of an INCR burst.
struct BurstRequest {
  std::uint64_t address = 0;
  int beats = 1;
  int beat_bytes = 4;
};

// Functions are those of `SteppedChip`.
class SteppedModel {
public:
  virtual ~SteppedModel() = default;
  virtual Cycle now() const = 0;
  virtual bool takes_address(std::size_t stream) const = 0;
  virtual bool takes_write_beat(std::size_t stream, bool burst_begins) const = 0;
  // Streams with a beat to read, or a response, in this cycle, a bit each.
  std::uint64_t due() const { return due_; }
  virtual void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
                     bool takes_response) = 0;
  virtual void step() = 0;
  virtual bool idle() const = 0;
  virtual RepeatResult result(Trace *trace) = 0;

protected:
  std::uint64_t due_ = 0; // set at the end of a step
};

} // namespace axm
