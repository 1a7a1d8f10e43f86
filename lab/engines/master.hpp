// How an engine's model reaches memory: whole accesses, of no time of their own. What is behind it
// is a guest's memory (served/guest_master.hpp), or a port of a verilated design (beside/).
#pragma once

#include <cstddef>
#include <cstdint>

namespace axm::vendor {

class Master {
public:
  virtual ~Master() = default;
  // False if memory lacks a part; then another part may have been moved.
  virtual bool read(std::uint64_t address, void *to, std::size_t bytes) = 0;
  virtual bool write(std::uint64_t address, const void *from, std::size_t bytes) = 0;
  // As read, to check what software has put there: not what an engine does.
  virtual bool look(std::uint64_t address, void *to, std::size_t bytes) = 0;
  // Of the bursts that accesses are to come in, a power of two; 0: in any pieces.
  virtual std::size_t burst_bytes() const = 0;
};

} // namespace axm::vendor
