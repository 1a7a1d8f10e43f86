// Memory as an engine's master meets it: the guest's, and the fabric's own if there is one.
#pragma once

#include <cstdint>
#include <vector>

#include "guest_memory.hpp"

namespace axm::vendor {

class MemoryPort {
public:
  // The fabric's memory begins here, where no guest has memory of its own.
  static constexpr std::uint64_t kFabric = 0xC000'0000;

  explicit MemoryPort(vfio::GuestMemory &guest, unsigned fabric_bytes = 0)
      : guest_(guest), fabric_(fabric_bytes) {}

  // False if not all of it is there; then a part may have been moved.
  bool read(std::uint64_t address, void *to, std::size_t bytes);
  bool write(std::uint64_t address, const void *from, std::size_t bytes);
  std::vector<std::uint8_t> &fabric() { return fabric_; }

private:
  std::uint8_t *find(std::uint64_t address, std::size_t bytes, bool for_writing);
  vfio::GuestMemory &guest_;
  std::vector<std::uint8_t> fabric_;
};

} // namespace axm::vendor
