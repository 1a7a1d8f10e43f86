// The guest's memory as the client has mapped it for the device: regions by bus address, each a
// part of a file that both share.
//
// Limits       An access is within one region. A region without a file cannot be reached: its
//              accesses are answered as an address without a slave.
#pragma once

#include <cstdint>
#include <map>

namespace axm::vfio {

class GuestMemory {
public:
  GuestMemory() = default;
  GuestMemory(const GuestMemory &) = delete;
  GuestMemory &operator=(const GuestMemory &) = delete;
  ~GuestMemory() { unmap_all(); }

  // Takes `fd` over (-1: none). 0, or an errno; the client is trusted not to map beyond its file.
  int map(std::uint64_t address, std::uint64_t size, int fd, std::uint64_t offset, bool writable);
  // ENOENT unless a region is exactly there.
  int unmap(std::uint64_t address, std::uint64_t size);
  void unmap_all();

  // Whether the device may be a master; it may not, to begin with.
  void allow(bool allowed) { allowed_ = allowed; }
  // The bytes at `address`, or none if it may not, or if they are not all there (and writable, if
  // they have to be).
  std::uint8_t *find(std::uint64_t address, std::uint64_t bytes, bool for_writing);

private:
  struct Region {
    std::uint64_t size = 0;
    std::uint8_t *bytes = nullptr;
    bool writable = false;
  };
  static void close(Region &region);
  std::map<std::uint64_t, Region> regions_;
  bool allowed_ = false;
};

} // namespace axm::vfio
