// The guest's memory as a port of a design meets it.
#pragma once

#include <cstring>

#include "bus_write.hpp"
#include "guest_memory.hpp"
#include "port_memory.hpp"

namespace axm::vfio {

class GuestPort final : public cosim::PortMemory {
public:
  // `chip_bytes`: of a chip's memory, over which bus addresses are laid modulo its size.
  explicit GuestPort(GuestMemory &memory, std::uint64_t chip_bytes = ~std::uint64_t{0})
      : memory_(memory), chip_bytes_(chip_bytes) {}

  bool holds(std::uint64_t address, std::uint64_t bytes) const override {
    return memory_.find(address, bytes, false) != nullptr;
  }
  bool read(std::uint64_t address, std::size_t bytes, std::uint8_t *out) const override {
    const std::uint8_t *const from = memory_.find(address, bytes, false);
    if (from != nullptr)
      std::memcpy(out, from, bytes);
    return from != nullptr;
  }
  bool write(std::uint64_t address, std::size_t bytes, const std::uint8_t *in,
             std::uint64_t strobes) override {
    if (strobes == 0)
      return true;
    std::uint8_t *const to = memory_.find(address, bytes, true);
    if (to != nullptr)
      bus_write(to, in, bytes, strobes);
    return to != nullptr;
  }
  std::uint64_t in_chip(std::uint64_t address) const override { return address % chip_bytes_; }

private:
  GuestMemory &memory_;
  std::uint64_t chip_bytes_;
};

} // namespace axm::vfio
