// The memory behind a port of a design: what it holds. When it answers is the chip's affair.
#pragma once

#include <cstddef>
#include <cstdint>

namespace axm::cosim {

class PortMemory {
public:
  virtual ~PortMemory() = default;
  virtual bool holds(std::uint64_t address, std::uint64_t bytes) const = 0;
  // False where the bytes cannot be read, or written: of a virtual machine they may go at any time.
  virtual bool read(std::uint64_t address, std::size_t bytes, std::uint8_t *out) const = 0;
  // Bytes whose strobe is clear keep their value.
  virtual bool write(std::uint64_t address, std::size_t bytes, const std::uint8_t *in,
                     std::uint64_t strobes) = 0;
  // Where the chip has what the bus has at `address`.
  virtual std::uint64_t in_chip(std::uint64_t address) const { return address; }
};

} // namespace axm::cosim
