#include "config_space.hpp"

#include <algorithm>

namespace axm::vfio {

namespace {

// Offsets and bits of the PCI local bus specification.
constexpr std::size_t kCommand = 0x04, kStatus = 0x06, kClass = 0x08, kBar0 = 0x10, kBar1 = 0x14,
                      kSubsystem = 0x2c, kCapabilities = 0x34, kLine = 0x3c, kPin = 0x3d,
                      kMsix = 0x40;
constexpr std::uint16_t kMemoryEnable = 1 << 1, kBusMaster = 1 << 2, kIntxDisable = 1 << 10;
constexpr std::uint16_t kHasCapabilities = 1 << 4;
constexpr std::uint32_t kClassOther = 0x118000; // signal processing controller, other
constexpr std::uint16_t kSubsystemId = 0x4d31;
constexpr std::uint8_t kMsixId = 0x11;
constexpr std::uint32_t kPendingOffset = 0x800;

} // namespace

ConfigSpace::ConfigSpace(std::uint32_t window_bytes, bool msix)
    : window_bytes_(window_bytes), msix_(msix) {
  reset();
}

void ConfigSpace::put(std::size_t offset, std::uint64_t value, std::size_t bytes,
                      std::uint64_t writable) {
  for (std::size_t i = 0; i < bytes; ++i) {
    bytes_[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
    writable_[offset + i] = static_cast<std::uint8_t>(writable >> (8 * i));
  }
}

void ConfigSpace::reset() {
  bytes_.fill(0);
  writable_.fill(0);
  put(0, kVendor | static_cast<std::uint64_t>(kDeviceId) << 16, 4);
  put(kCommand, 0, 2, kMemoryEnable | kBusMaster | kIntxDisable);
  put(kClass, static_cast<std::uint64_t>(kClassOther) << 8, 4);
  // The low bits of a BAR stay 0: that is how its size is found.
  put(kBar0, 0, 4, ~std::uint64_t{window_bytes_ - 1});
  put(kSubsystem, kVendor | static_cast<std::uint64_t>(kSubsystemId) << 16, 4);
  put(kLine, 0, 1, 0xff);
  put(kPin, 1, 1);
  if (!msix_)
    return;
  put(kBar1, 0, 4, ~std::uint64_t{kTableBytes - 1});
  put(kStatus, kHasCapabilities, 2);
  put(kCapabilities, kMsix, 1);
  put(kMsix, kMsixId, 2);       // the last capability
  put(kMsix + 2, 0, 2, 0xc000); // one vector; enable, mask
  put(kMsix + 4, 1, 4);         // the table: BAR 1, offset 0
  put(kMsix + 8, kPendingOffset | 1, 4);
}

bool ConfigSpace::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
    return false;
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  return true;
}

bool ConfigSpace::write(std::uint64_t offset, std::span<const std::uint8_t> in) {
  if (offset > bytes_.size() || in.size() > bytes_.size() - offset)
    return false;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint8_t mask = writable_[offset + i];
    std::uint8_t &byte = bytes_[offset + i];
    byte = static_cast<std::uint8_t>((byte & ~mask) | (in[i] & mask));
  }
  return true;
}

bool ConfigSpace::bus_master() const { return (bytes_[kCommand] & kBusMaster) != 0; }

} // namespace axm::vfio
