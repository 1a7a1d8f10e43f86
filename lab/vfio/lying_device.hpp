// A device that lies: the design behind it is honest, but now and then a register reads as
// something else, or a descriptor's completion is overwritten in the guest's memory.
//
// Purpose      A driver must survive the answers of a broken or hostile device.
// Limits       Block 0, and the identification and capabilities of the others, stay true, so that
// the
//              driver starts. The masters stay honest: only an IOMMU stops a device that writes to
//              other memory.
#pragma once

#include <array>
#include <map>
#include <random>

#include "device.hpp"
#include "guest_memory.hpp"

namespace axm::vfio {

class LyingDevice final : public Device {
public:
  LyingDevice(Device &honest, GuestMemory &memory, std::uint32_t seed)
      : honest_(honest), memory_(memory), random_(seed) {}

  std::uint32_t window_bytes() const override { return honest_.window_bytes(); }
  std::optional<std::uint32_t> read(std::uint32_t address) override;
  bool write(std::uint32_t address, std::uint32_t value) override;
  bool interrupt() override { return honest_.interrupt(); }
  bool run(unsigned clocks) override;
  void reset() override { honest_.reset(); }

private:
  bool chance(unsigned of) { return random_() % of == 0; }

  Device &honest_;
  GuestMemory &memory_;
  std::mt19937 random_;
  std::map<std::uint32_t, std::uint32_t> rings_; // by the register of the address, which it holds
};

} // namespace axm::vfio
