// What the server serves: a design as software meets it, with one window of registers, an
// interrupt line, and masters that reach the guest's memory.
#pragma once

#include <cstdint>
#include <optional>

namespace axm::vfio {

class Device {
public:
  virtual ~Device() = default;
  // Bytes of the window; a power of two of at least 4096.
  virtual std::uint32_t window_bytes() const = 0;
  // A word of the window; none (-1) if the design answered with an error, or not at all.
  virtual std::optional<std::uint32_t> read(std::uint32_t address) = 0;
  virtual bool write(std::uint32_t address, std::uint32_t value) = 0;
  virtual bool interrupt() = 0;
  // Lets `clocks` pass, fewer if the interrupt line changes; whether anything moved in them.
  virtual bool run(unsigned clocks) = 0;
  virtual void reset() = 0;
};

} // namespace axm::vfio
