// Memory as one side of an engine meets it: what its master reaches, and the fabric's own memory if
// there is one.
//
// An engine requests a beat at a time, with the number of bytes that follow directly; for a master
// with bursts, reads are fetched ahead and writes are gathered.
// A burst ends at 4 KiB.
#pragma once

#include <cstdint>
#include <vector>

#include "master.hpp"

namespace axm::vendor {

class MemoryPort {
public:
  // The fabric's memory begins here, where no guest has memory.
  static constexpr std::uint64_t kFabric = 0xC000'0000;

  explicit MemoryPort(Master &master, unsigned fabric_bytes = 0)
      : master_(master), fabric_(fabric_bytes) {}

  // False if memory lacks a part; then another part may have been moved. `more`: bytes of the same
  // transfer directly behind these. Gathered writes fail at the burst's end.
  bool read(std::uint64_t address, void *to, std::size_t bytes, std::size_t more = 0);
  bool write(std::uint64_t address, const void *from, std::size_t bytes, std::size_t more = 0);
  bool look(std::uint64_t address, void *to, std::size_t bytes) {
    return master_.look(address, to, bytes);
  }
  // The transfer was aborted.
  void forget();
  std::vector<std::uint8_t> &fabric() { return fabric_; }

private:
  // Contiguous bytes from `at` on.
  struct Piece {
    std::uint64_t at = 0;
    std::vector<std::uint8_t> bytes;
    std::uint64_t end() const { return at + bytes.size(); }
  };
  bool in_fabric(std::uint64_t address, std::size_t bytes) const;
  std::size_t burst(std::uint64_t address) const; // bytes from `address` to the end of its burst
  bool flush();

  Master &master_;
  std::vector<std::uint8_t> fabric_;
  Piece ahead_, gathered_;
};

} // namespace axm::vendor
