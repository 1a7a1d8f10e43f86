// Interrupts of AXI DMA and AXI CDMA: the bits that both have at the same places of their control
// and status registers (PG021 DMACR and DMASR, PG034 CDMACR and CDMASR).
//
// Limits       Both documents say that the count of events restarts at its own interrupt and at a
//              new threshold, and leave other cases open; here the delay's interrupt restarts it,
//              too.
#pragma once

#include <cstdint>

namespace axm::vendor {

class Coalescer {
public:
  static constexpr std::uint32_t kComplete = 1U << 12, kDelay = 1U << 13, kError = 1U << 14;
  static constexpr std::uint32_t kInterrupts = kComplete | kDelay | kError;
  static constexpr std::uint32_t kFields = 0xFFFF0000U | kInterrupts; // of the control register
  static constexpr unsigned kDelayUnit = 125;                         // clocks; C_DLYTMR_RESOLUTION

  // The control register's value; `counts`: threshold and delay matter (scatter-gather).
  void control(std::uint32_t value, bool counts);
  std::uint32_t control() const { return control_; }
  std::uint32_t status() const;
  void clear(std::uint32_t interrupts) { pending_ &= ~(interrupts & kInterrupts); }
  // A packet, or a CDMA's descriptor, is complete.
  void complete();
  // A packet begins: the delay does not run meanwhile.
  void begins() { left_ = 0; }
  void error() { pending_ |= kError; }
  void tick();
  bool ticking() const { return left_ != 0; }
  bool line() const { return (pending_ & control_) != 0; }

private:
  std::uint32_t threshold() const { return control_ >> 16 & 0xFF; }
  std::uint32_t control_ = 1U << 16, pending_ = 0, count_ = 1;
  std::uint32_t left_ = 0; // clocks of the delay
  bool counts_ = false;
};

} // namespace axm::vendor
