// Zynq UltraScale+ with its AXI side open: the same chip and the same measurement as in
// `System`, and masters that are somewhere else. A stream's data channel is in the class in
// which the model's master would see it.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "axiometer/model/accounting/measurement.hpp"
#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/stepped_chip.hpp"

namespace axm::clocked {

class SteppedSystem final : public SteppedChip {
public:
  // std::invalid_argument names the value that cannot be simulated, and its range.
  SteppedSystem(const SystemConfig &c, const RepeatStart &start);

  bool takes_address(std::size_t stream) const override;
  bool takes_write_beat(std::size_t stream, int begins) const override;
  // std::invalid_argument if a burst does not begin at a beat of the port's full width.
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override;
  void step() override;
  RepeatResult result(Trace *trace) override;

private:
  struct Stream {
    std::size_t interface = 0;
    Cycle launch = 0;
    int beat_bytes = 0;
    int unsent = 0; // write bursts whose address has come and whose beats have not all
    // Of this cycle.
    std::optional<BurstRequest> begins;
    bool moves = false, takes_response = false;
    Books books;
  };

  // An AFI interface's streams, several of them behind a multiplexer in the fabric.
  struct Interface {
    std::vector<std::size_t> streams;
    std::deque<std::size_t> owners;  // of bursts whose data (read) or response (write) are to come
    std::deque<std::size_t> sending; // of write bursts whose data are to come
    bool beat = false;               // one has moved in this cycle
  };

  Afi &afi(const Stream &s) { return chip_.interfaces()[s.interface]; }
  const Afi &afi(const Stream &s) const { return chip_.interfaces()[s.interface]; }
  bool first(const std::deque<std::size_t> &turn, std::size_t stream) const {
    return !turn.empty() && turn.front() == stream;
  }
  bool answers(std::size_t stream) const;
  void begin(std::size_t stream);
  StreamClass move(std::size_t stream);

  ClockRatio clocks_;
  Cycle stop_;
  int dram_clocks_; // of a controller clock
  Trace trace_;
  Chip chip_;
  std::vector<Interface> interfaces_;
  std::vector<Stream> streams_;
  Measurement measured_;
  Clk next_clk_ = 0; // of the controller; the PL cycle begins in it
};

} // namespace axm::clocked
