// A device that can die: from then on registers read as ones, writes are lost, no clock passes and
// no interrupt comes, as if it had lost its power. The client's connection stays: QEMU 11.1 ends
// itself when that is cut in the middle of an access. One that lives again begins with a reset.
#pragma once

#include <atomic>

#include "device.hpp"

namespace axm::vfio {

class FailingDevice final : public Device {
public:
  // `dead` may change at any time, by a signal's handler too.
  FailingDevice(Device &living, const std::atomic<bool> &dead) : living_(living), dead_(dead) {}

  std::uint32_t window_bytes() const override { return living_.window_bytes(); }
  std::optional<std::uint32_t> read(std::uint32_t address) override {
    return lives() ? living_.read(address) : std::nullopt;
  }
  bool write(std::uint32_t address, std::uint32_t value) override {
    return lives() && living_.write(address, value);
  }
  bool interrupt() override { return lives() && living_.interrupt(); }
  bool run(unsigned clocks) override { return lives() && living_.run(clocks); }
  void reset() override { living_.reset(); }

private:
  bool lives() {
    const bool dead = dead_;
    if (died_ && !dead)
      living_.reset();
    died_ = dead;
    return !dead;
  }

  Device &living_;
  const std::atomic<bool> &dead_;
  bool died_ = false; // when last looked at
};

} // namespace axm::vfio
