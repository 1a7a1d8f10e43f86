// A device that is clocked, and passes over the clocks in which nothing can happen in it.
#pragma once

#include <utility>

#include "device.hpp"

namespace axm::vendor {

class Clocked : public vfio::Device {
public:
  std::optional<std::uint32_t> read(std::uint32_t address) final {
    pass(kAccessClocks);
    return read_now(address);
  }
  bool write(std::uint32_t address, std::uint32_t value) final {
    pass(kAccessClocks);
    write_now(address, value);
    moved_ = true;
    return true;
  }
  bool run(unsigned clocks) final {
    const bool before = interrupt();
    for (; clocks > 0 && busy() && !held; --clocks) {
      moved_ = true;
      tick();
      if (interrupt() != before)
        break;
    }
    return std::exchange(moved_, false);
  }

  bool held = false; // no clock passes

protected:
  // Clocks of an access of the processor: of no chip.
  static constexpr unsigned kAccessClocks = 8;

  virtual std::uint32_t read_now(std::uint32_t address) = 0;
  virtual void write_now(std::uint32_t address, std::uint32_t value) = 0;
  virtual void tick() = 0;
  // Whether a clock would change anything.
  virtual bool busy() const = 0;

private:
  void pass(unsigned clocks) {
    for (; clocks > 0 && busy() && !held; --clocks)
      tick();
  }
  bool moved_ = false;
};

} // namespace axm::vendor
