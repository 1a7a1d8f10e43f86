// Engines in the fabric beside a design: masters at its slave ports, with their own registers and
// interrupts. A program is linked with one of no_fabric.cpp and lab/engines/beside/, which has
// vendors' engines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "port_memory.hpp"
#include "signals.hpp"

namespace axm::cosim {

class Fabric {
public:
  virtual ~Fabric() = default;
  virtual bool has(std::uint32_t address) const = 0;
  // A register; the address is the processor's.
  virtual std::uint32_t read(std::uint32_t address) = 0;
  virtual void write(std::uint32_t address, std::uint32_t value) = 0;
  virtual bool interrupt(std::size_t port) = 0;
  // The signals that a master drives at a port of the design in this clock, and the answer.
  virtual FromMaster at(std::size_t port) const = 0;
  virtual void commit(std::size_t port, const ToMaster &t) = 0;
  // A clock passes for these engines.
  virtual void clock() = 0;
  // Its accesses and objections, as JSON.
  virtual std::string told() const = 0;
};

// None where no engine is beside the design. `pass`: lets a clock of the design pass, and none of
// these engines: an access of a master waits by that.
std::unique_ptr<Fabric> fabric_beside(const PortMemory &memory, std::function<void()> pass);

} // namespace axm::cosim
