// The ports of a design on the guest's memory, at the times of a simulated chip.
//
// Purpose      The chip's model gives the times, as in the co-simulation; the guest holds the data.
// Limits       Bus addresses are laid over the chip's memory modulo its size. The chip's time
//              passes while the ports are at work, and stops while they rest: the length of a rest
//              depends on the emulated processor. An access of the processor waits for the end of
//              work.
#pragma once

#include <bit>

#include "design.hpp"
#include "ports.hpp"
#include "slaves.hpp"
#include "work.hpp"

namespace axm::vfio {

class ChipMemory final : public Slaves {
public:
  // std::invalid_argument if the configuration is invalid, or does not fit the design.
  ChipMemory(const SystemConfig &config, GuestMemory &guest)
      : Slaves(guest, config.dram.bytes, cosim::ports_of(config)), config_(config) {
    reset();
  }

  void clock() override {
    work_.clock(std::exchange(moved_, false), quiet());
    if (work_.open())
      step();
  }
  bool working() const override { return !work_.resting(); }
  void accessed() override { work_.touch(); }

  // The work since the last call. With nothing in flight a new chip takes over, so that the next
  // work does not depend on the last.
  Work take_work() {
    if (quiet())
      reset();
    return work_.take();
  }

private:
  std::unique_ptr<SteppedChip> make() const override {
    return make_stepped(config_, cosim::at_rest(config_));
  }
  void saw(std::size_t, const cosim::FromMaster &m, const cosim::ToMaster &t) override {
    if (t.r_valid && m.r_ready)
      work_.read(static_cast<unsigned>(cosim::Design::width_bytes()));
    if (m.w_valid && t.w_ready)
      work_.written(static_cast<unsigned>(std::popcount(m.w_strobes)));
  }

  SystemConfig config_;
  WorkClock work_;
};

} // namespace axm::vfio
