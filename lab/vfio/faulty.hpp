// A device with a fault of one kind, for drivers that must live with it.
//
//   stuck  the writing half never comes to rest after its first abort
//   deaf   every second interrupt is lost: the line rises without a message
//   gated  no fault, a trap: its clock has a gate, bit 0 at the window's last block, closed at
//          first. An access while it is closed, which hangs a processor, is an objection.
#pragma once

#include <iostream>
#include <optional>
#include <string_view>

#include "device.hpp"
#include "generated/dma.h"

namespace axm::vfio {

enum class Fault { kNone, kStuck, kDeaf, kGated };

inline std::optional<Fault> fault_named(std::string_view name) {
  if (name == "stuck")
    return Fault::kStuck;
  if (name == "deaf")
    return Fault::kDeaf;
  if (name == "gated")
    return Fault::kGated;
  return std::nullopt;
}

class Faulty final : public Device {
public:
  Faulty(Device &sound, Fault fault)
      : sound_(sound), fault_(fault), open_(fault != Fault::kGated) {}

  bool objects() const { return objects_; }

  std::uint32_t window_bytes() const override { return sound_.window_bytes(); }
  std::optional<std::uint32_t> read(std::uint32_t address) override {
    if (at_gate(address))
      return open_ ? 1 : 0;
    if (hangs("reads", address))
      return std::nullopt;
    std::optional<std::uint32_t> word = sound_.read(address);
    if (word && aborted_ && address % kWindow == AXM_DMA_WR_STATUS)
      *word |= AXM_DMA_WR_STATUS__BUSY_MASK;
    return word;
  }
  bool write(std::uint32_t address, std::uint32_t value) override {
    if (at_gate(address)) {
      open_ = (value & 1) != 0;
      return true;
    }
    if (hangs("writes", address))
      return false;
    if (fault_ == Fault::kStuck && address % kWindow == AXM_DMA_WR_CONTROL &&
        (value & AXM_DMA_WR_CONTROL__ABORT_MASK) != 0)
      aborted_ = true;
    return sound_.write(address, value);
  }
  bool interrupt() override {
    const bool line = sound_.interrupt();
    if (line && !line_)
      lost_ = !lost_;
    line_ = line;
    return line && !(fault_ == Fault::kDeaf && lost_);
  }
  bool run(unsigned clocks) override { return open_ && sound_.run(clocks); }
  void reset() override {
    sound_.reset();
    open_ = fault_ != Fault::kGated;
  }

private:
  static constexpr std::uint32_t kWindow = 4096;

  bool at_gate(std::uint32_t address) const {
    return fault_ == Fault::kGated && address == window_bytes() - kWindow;
  }
  bool hangs(std::string_view how, std::uint32_t address) {
    if (!open_ && !objects_)
      std::cerr << "objection: clock-off: software " << how << " the register at 0x" << std::hex
                << address << std::dec << " while the design's clock is off\n";
    objects_ = objects_ || !open_;
    return !open_;
  }

  Device &sound_;
  Fault fault_;
  bool open_, objects_ = false;
  bool aborted_ = false, line_ = false, lost_ = false;
};

} // namespace axm::vfio
