// The messages of vfio-user that the server supports, as they are on the socket: little-endian,
// without gaps. The names are those of QEMU's docs/interop/vfio-user.rst.
#pragma once

#include <cstdint>

namespace axm::vfio {

struct Header {
  std::uint16_t id;
  std::uint16_t command;
  std::uint32_t size; // with the header
  std::uint32_t flags;
  std::uint32_t error; // errno
};
static_assert(sizeof(Header) == 16);

inline constexpr std::uint32_t kTypeMask = 0xf, kReply = 1, kNoReply = 1 << 4, kError = 1 << 5;

enum Command : std::uint16_t {
  kVersion = 1,
  kDmaMap = 2,
  kDmaUnmap = 3,
  kGetInfo = 4,
  kGetRegionInfo = 5,
  kGetRegionIoFds = 6,
  kGetIrqInfo = 7,
  kSetIrqs = 8,
  kRegionRead = 9,
  kRegionWrite = 10,
  kReset = 13,
  kRegionWriteMulti = 15,
};

struct Version {
  std::uint16_t major, minor; // JSON follows
};
struct DmaMap {
  std::uint32_t argsz, flags; // 1 readable, 2 writable
  std::uint64_t offset, address, size;
};
struct DmaUnmap {
  std::uint32_t argsz, flags; // 2: all
  std::uint64_t address, size;
};
struct DeviceInfo {
  std::uint32_t argsz, flags, regions, irqs;
};
struct RegionInfo {
  std::uint32_t argsz, flags, index, capabilities;
  std::uint64_t size, offset;
};
struct IrqInfo {
  std::uint32_t argsz, flags, index, count;
};
struct SetIrqs {
  std::uint32_t argsz, flags, index, start, count;
};
struct RegionAccess {
  std::uint64_t offset;
  std::uint32_t region, count; // data follow
};
struct WriteMulti {
  std::uint64_t count; // elements of an access and eight bytes follow
};
static_assert(sizeof(DmaMap) == 32 && sizeof(DmaUnmap) == 24 && sizeof(RegionInfo) == 32);
static_assert(sizeof(RegionAccess) == 16 && sizeof(SetIrqs) == 20);

// Indices of VFIO's PCI devices.
inline constexpr std::uint32_t kBar0Region = 0, kBar1Region = 1, kConfigRegion = 7, kRegions = 9,
                               kIrqs = 5;
inline constexpr std::uint32_t kMostMessage = 1 << 20;
inline constexpr int kMostFds = 8;

} // namespace axm::vfio
