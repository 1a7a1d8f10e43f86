// A device with a fault of one kind, for drivers that must live with it.
//
//   stuck  the writing half never comes to rest after its first abort
//   deaf   every second interrupt is lost: the line rises without a message
#pragma once

#include <optional>
#include <string_view>

#include "device.hpp"
#include "generated/dma.h"

namespace axm::vfio {

enum class Fault { kNone, kStuck, kDeaf };

inline std::optional<Fault> fault_named(std::string_view name) {
  if (name == "stuck")
    return Fault::kStuck;
  if (name == "deaf")
    return Fault::kDeaf;
  return std::nullopt;
}

class Faulty final : public Device {
public:
  Faulty(Device &sound, Fault fault) : sound_(sound), fault_(fault) {}

  std::uint32_t window_bytes() const override { return sound_.window_bytes(); }
  std::optional<std::uint32_t> read(std::uint32_t address) override {
    std::optional<std::uint32_t> word = sound_.read(address);
    if (word && aborted_ && address % kWindow == AXM_DMA_WR_STATUS)
      *word |= AXM_DMA_WR_STATUS__BUSY_MASK;
    return word;
  }
  bool write(std::uint32_t address, std::uint32_t value) override {
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
  bool run(unsigned clocks) override { return sound_.run(clocks); }
  void reset() override { sound_.reset(); }

private:
  static constexpr std::uint32_t kWindow = 4096;
  Device &sound_;
  Fault fault_;
  bool aborted_ = false, line_ = false, lost_ = false;
};

} // namespace axm::vfio
