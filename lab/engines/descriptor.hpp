// A descriptor of AXI DMA or AXI CDMA in memory (PG021 Scatter Gather Descriptor, PG034 Transfer
// Descriptor), and what both forbid of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "memory_port.hpp"
#include "objections.hpp"
#include "options.hpp"

namespace axm::vendor {

struct Descriptor {
  static constexpr std::uint64_t kAlign = 0x40, kStatus = 0x1C;
  static constexpr std::uint32_t kCompleted = 1U << 31, kLength = (1U << 26) - 1;

  std::array<std::uint32_t, 8> words{};

  std::uint64_t pair(unsigned word) const {
    return words[word] | static_cast<std::uint64_t>(words[word + 1]) << 32;
  }
  std::uint64_t next() const { return pair(0); }
  std::uint32_t control() const { return words[6]; }
  std::uint32_t length() const { return control() & kLength; }
  bool completed() const { return (words[7] & kCompleted) != 0; }
};

// Bits of a status register, from DMAIntErr (bit 4) on; those of a descriptor's status are the same
// from bit 28 on. SG* are of the descriptors' own accesses.
struct Fault {
  static constexpr std::uint32_t kInternal = 1U << 4, kSgInternal = 1U << 8, kSgDecode = 1U << 10;
};

// What the engines of AMD check alike.
class Checks {
public:
  Checks(MemoryPort &memory, Objections &objections, const Options &options, std::string name)
      : memory_(memory), objections_(objections), options_(options), name_(std::move(name)) {}

  void raise(Rule rule, const std::string &what) { objections_.raise(rule, name_ + what); }
  // An address of data.
  void address(std::uint64_t value, const std::string &what);
  void pointer(std::uint64_t value, const std::string &what);
  // What software has given with TAILDESC.
  void tail(std::uint64_t value);
  void reserved(std::uint32_t value, std::uint32_t known, const std::string &what);
  // Writes to a control register: reserved bits, a threshold of 0 where one counts.
  void control(std::uint32_t value, std::uint32_t known, bool counts);
  void status(std::uint32_t value);
  // A descriptor that was fetched; the bits of Fault that it earns.
  std::uint32_t descriptor(const Descriptor &d, std::uint64_t at, std::uint32_t control_known);
  std::uint32_t length_mask() const { return (1U << options_.length) - 1; }

private:
  MemoryPort &memory_;
  Objections &objections_;
  const Options &options_;
  std::string name_;
};

} // namespace axm::vendor
