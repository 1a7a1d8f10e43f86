// A slave port of the processor's side as a design's AXI port meets it: the same interconnect,
// port and DRAM that the model's own masters in the fabric meet (processor/slave_port.hpp).
//
// Purpose      Masters in RTL at S_AXI_GP, S_AXI_HP and S_AXI_ACP, one transfer at a time.
// Limits       One port, one stream. Addresses do not matter for its times.
#pragma once

#include <deque>

#include "axiometer/model/processor/slave_port.hpp"
#include "chip.hpp"

namespace axm::cosim {

class PortChip final : public SteppedChip {
public:
  PortChip(const processor::Config &side, const Start &start);

  bool takes_write_beat(std::size_t stream, int begins) const override;
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override;
  void step() override;
  RepeatResult result(Trace *trace) override; // it has no commands

private:
  struct Burst {
    Cycle begin = 0;
    int beats = 1, bytes = 4;
    int moved = 0;
    Cycle first_beat = 0;
    Cycle due = kNever; // its first beat, or its response
    processor::Trail trail;
  };
  void serve(Burst &burst);
  void finish();
  bool has_beat() const {
    return side_.to_fabric && !bursts_.empty() && now_ >= bursts_.front().due;
  }
  bool has_response() const {
    return !side_.to_fabric && writing_ > 0 && now_ >= bursts_.front().due;
  }
  StreamClass waits_for(const Burst &oldest) const;

  processor::Config side_;
  processor::Memory memory_;
  processor::SlavePort port_;
  std::int64_t origin_;
  std::deque<Burst> bursts_;         // from address to last beat or response
  std::size_t writing_ = 0;          // of these, the one whose beats come
  bool driven_ = false;              // in this cycle
  std::optional<StreamClass> spent_; // what this cycle goes to; none: no burst is under way
  std::optional<std::pair<Cycle, Cycle>> beats_;
  Cycle idle_ = 0; // cycles since the last burst ended
  StreamResult books_;
};

} // namespace axm::cosim
