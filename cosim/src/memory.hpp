// What the simulated DRAM holds: pages that appear when they are written, and a
// simple allocator for the processor's DMA buffers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "port_memory.hpp"

namespace axm::cosim {

class Memory final : public PortMemory {
public:
  explicit Memory(std::uint64_t size) : size_(size) {}

  bool holds(std::uint64_t address, std::uint64_t bytes) const override {
    return address <= size_ && bytes <= size_ - address;
  }

  bool read(std::uint64_t address, std::size_t bytes, std::uint8_t *out) const override;
  bool write(std::uint64_t address, std::size_t bytes, const std::uint8_t *in,
             std::uint64_t strobes) override;

  // A buffer for the processor: one piece of the host's memory that the bus sees at
  // `wanted`, or at the first free place. None if there is no room.
  std::optional<std::uint64_t> allocate(std::uint64_t size, std::uint64_t align,
                                        std::optional<std::uint64_t> wanted, std::uint8_t **host);
  // False if no buffer begins there.
  bool release(std::uint64_t address);

private:
  static constexpr std::uint64_t kPage = 1u << 16;
  struct Buffer {
    std::uint64_t size;
    std::unique_ptr<std::uint8_t[]> bytes;
  };

  // The byte's place in a buffer or a page, and how many follow there.
  std::uint8_t *find(std::uint64_t address, std::size_t &run);
  // The place of bytes that lie in one line; nullptr if they do not, or the line has several
  // places.
  std::uint8_t *find_in_line(std::uint64_t address, std::size_t bytes);
  bool is_free(std::uint64_t address, std::uint64_t size) const;

  std::uint64_t size_;
  std::map<std::uint64_t, Buffer> buffers_; // by first address
  std::map<std::uint64_t, std::unique_ptr<std::uint8_t[]>> pages_;
  // Of the last accesses: whole lines and their places. Forgotten when a buffer comes or goes.
  static constexpr std::uint64_t kLine = 4096;
  struct Known {
    std::uint64_t line = UINT64_MAX;
    std::uint8_t *bytes = nullptr;
  };
  std::array<Known, 64> known_{};
};

} // namespace axm::cosim
