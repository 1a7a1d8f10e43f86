// The guest's memory, as an engine's master reaches it.
#pragma once

#include "guest_memory.hpp"
#include "master.hpp"

namespace axm::vendor {

class GuestMaster final : public Master {
public:
  explicit GuestMaster(vfio::GuestMemory &guest) : guest_(guest) {}
  bool read(std::uint64_t address, void *to, std::size_t bytes) override;
  bool write(std::uint64_t address, const void *from, std::size_t bytes) override;
  bool look(std::uint64_t address, void *to, std::size_t bytes) override {
    return read(address, to, bytes);
  }
  std::size_t burst_bytes() const override { return 0; }

private:
  vfio::GuestMemory &guest_;
};

} // namespace axm::vendor
