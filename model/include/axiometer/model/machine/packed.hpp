// Whole numbers as bytes: small ones, of either sign, take one.
#pragma once

#include <cstdint>
#include <vector>

namespace axm {

using Bytes = std::vector<std::uint8_t>;

inline void pack(Bytes &out, std::int64_t v) {
  auto z = static_cast<std::uint64_t>(v) << 1 ^ static_cast<std::uint64_t>(v >> 63);
  for (; z >= 0x80; z >>= 7)
    out.push_back(static_cast<std::uint8_t>(z | 0x80));
  out.push_back(static_cast<std::uint8_t>(z));
}

// Reads what `pack` wrote, in order; the bytes must outlive it.
class Unpacker {
public:
  explicit Unpacker(const Bytes &bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool done() const { return at_ == end_; }
  std::int64_t get() {
    std::uint64_t z = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t b = *at_++;
      z |= static_cast<std::uint64_t>(b & 0x7f) << shift;
      if (b < 0x80)
        return static_cast<std::int64_t>(z >> 1 ^ (~(z & 1) + 1));
    }
  }

private:
  const std::uint8_t *at_, *end_;
};

} // namespace axm
