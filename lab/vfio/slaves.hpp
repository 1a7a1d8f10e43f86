// What answers the masters of a design: ports as in the co-simulation (cosim/src/axi_port.hpp),
// with the times of some chip and the data of the guest.
#pragma once

#include <algorithm>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "axi_port.hpp"
#include "bus_write.hpp"
#include "guest_memory.hpp"

namespace axm::vfio {

class GuestPort final : public cosim::PortMemory {
public:
  GuestPort(GuestMemory &memory, std::uint64_t chip_bytes)
      : memory_(memory), chip_bytes_(chip_bytes) {}

  bool holds(std::uint64_t address, std::uint64_t bytes) const override {
    return memory_.find(address, bytes, false) != nullptr;
  }
  bool read(std::uint64_t address, std::size_t bytes, std::uint8_t *out) const override {
    const std::uint8_t *const from = memory_.find(address, bytes, false);
    if (from != nullptr)
      std::memcpy(out, from, bytes);
    return from != nullptr;
  }
  bool write(std::uint64_t address, std::size_t bytes, const std::uint8_t *in,
             std::uint64_t strobes) override {
    if (strobes == 0)
      return true;
    std::uint8_t *const to = memory_.find(address, bytes, true);
    if (to != nullptr)
      bus_write(to, in, bytes, strobes);
    return to != nullptr;
  }
  std::uint64_t in_chip(std::uint64_t address) const override { return address % chip_bytes_; }

private:
  GuestMemory &memory_;
  std::uint64_t chip_bytes_;
};

class Slaves {
public:
  // `chip_bytes`: of the chip's memory, over which bus addresses are laid modulo its size. What
  // derives from this calls reset() first.
  Slaves(GuestMemory &guest, std::uint64_t chip_bytes, std::vector<cosim::AxiPort> ports)
      : guest_(guest, chip_bytes), ports_(std::move(ports)) {}
  virtual ~Slaves() = default;

  // The signals at a port in this clock; they do not change before commit().
  cosim::ToMaster offer(std::size_t port, const cosim::FromMaster &m) {
    return ports_[port].offer(m, guest_, faults_);
  }
  // The clock ends with these at a port; whether there was a handshake.
  bool commit(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) {
    saw(port, m, t);
    ports_[port].commit(m, guest_, faults_);
    const bool moved = (m.ar.valid && t.ar_ready) || (m.aw.valid && t.aw_ready) ||
                       (t.r_valid && m.r_ready) || (m.w_valid && t.w_ready) ||
                       (t.b_valid && m.b_ready);
    moved_ = moved_ || moved;
    return moved;
  }
  // The clock ends, for all ports.
  virtual void clock() { chip_->step(); }
  // Whether an access of the processor has to wait for the ports; one has come.
  virtual bool working() const { return false; }
  virtual void accessed() {}
  // The design was reset: nothing is under way.
  void reset() {
    chip_ = make();
    for (cosim::AxiPort &port : ports_)
      port.connect(chip_.get());
  }
  // Prints on standard error what the design did wrong on the bus; whether it did.
  bool objects() const {
    const auto wrong = std::ranges::find_if(
        ports_, [](const cosim::AxiPort &port) { return !port.violation().empty(); });
    if (wrong != ports_.end())
      std::cerr << "objection: axi: " << wrong->violation() << '\n';
    return wrong != ports_.end();
  }

protected:
  virtual std::unique_ptr<SteppedChip> make() const = 0;
  // What was at a port in this clock.
  virtual void saw(std::size_t port, const cosim::FromMaster &m, const cosim::ToMaster &t) = 0;
  bool quiet() const { return std::ranges::all_of(ports_, &cosim::AxiPort::quiet); }
  void step() { chip_->step(); }

  bool moved_ = false; // since it was last looked at

private:
  GuestPort guest_;
  std::vector<cosim::AxiPort> ports_;
  std::unique_ptr<SteppedChip> chip_;
  cosim::Faults faults_; // none
};

} // namespace axm::vfio
