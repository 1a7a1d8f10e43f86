// The ports of a design on the guest's memory, at the times of a simulated chip.
//
// Purpose      The chip's model gives the times, as in the co-simulation; the guest holds the data.
// Limits       Bus addresses are laid over the chip's memory modulo its size. The chip's time
//              passes while the ports are at work, and stops while they rest: the length of a rest
//              depends on the emulated processor. An access of the processor waits for the end of
//              work.
#pragma once

#include <memory>
#include <vector>

#include "guest_port.hpp"
#include "ports.hpp"
#include "slaves.hpp"
#include "work.hpp"

namespace axm::vfio {

class ChipMemory final : public Slaves {
public:
  // std::invalid_argument if the configuration is invalid, or does not fit the design.
  ChipMemory(const SystemConfig &config, GuestMemory &guest);

  cosim::ToMaster offer(std::size_t port, const cosim::FromMaster &m) override;
  bool commit(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) override;
  void clock() override;
  bool working() const override { return !work_.resting(); }
  void accessed() override { work_.touch(); }
  void reset() override;

  // The work since the last call. With nothing in flight a new chip takes over, so that the next
  // work does not depend on the last.
  Work take_work();
  // What the design did wrong on the bus, the first case in words; empty if nothing.
  const std::string &violation() const;

private:
  SystemConfig config_;
  GuestPort guest_;
  std::vector<cosim::AxiPort> ports_;
  std::unique_ptr<cosim::Chip> chip_;
  cosim::Faults faults_; // none
  WorkClock work_;
  bool moved_ = false; // in this clock
};

} // namespace axm::vfio
