// The 256 bytes of PCI configuration space of the simulated device: identification, BAR 0 with the
// design's registers and, with MSI-X, BAR 1 with the table.
//
// Limits       Conventional PCI, one interrupt: INTA, and one MSI-X vector unless it is left out.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace axm::vfio {

// No vendor number has been assigned to the design. Drivers look at its identification block.
inline constexpr std::uint16_t kVendor = 0x1234, kDeviceId = 0x4158;
inline constexpr std::uint32_t kTableBytes = 4096; // of BAR 1

class ConfigSpace {
public:
  ConfigSpace(std::uint32_t window_bytes, bool msix);

  // False if the access is not within the 256 bytes.
  bool read(std::uint64_t offset, std::span<std::uint8_t> out) const;
  bool write(std::uint64_t offset, std::span<const std::uint8_t> in);
  // The guest lets the device be a master.
  bool bus_master() const;
  bool msix() const { return msix_; }
  void reset();

private:
  void put(std::size_t offset, std::uint64_t value, std::size_t bytes, std::uint64_t writable = 0);

  std::uint32_t window_bytes_;
  bool msix_;
  std::array<std::uint8_t, 256> bytes_{}, writable_{};
};

} // namespace axm::vfio
