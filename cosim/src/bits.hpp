// Reads and writes bit fields of a verilated signal, whatever its width: Verilator
// gives up to 8, 16, 32 and 64 bits as an integer and more as an array of words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace axm::cosim {

// Words of a signal, and bytes of a word, lie in memory from the lowest on.
static_assert(std::endian::native == std::endian::little);

template <class Signal> inline constexpr bool kWide = !std::is_integral_v<Signal>;

// `width` is at most 64.
template <class Signal>
std::uint64_t get_bits(const Signal &signal, std::size_t offset, std::size_t width) {
  const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  if constexpr (!kWide<Signal>) {
    return (static_cast<std::uint64_t>(signal) >> offset) & mask;
  } else {
    std::uint64_t value = 0;
    if (offset % 8 == 0 && width % 8 == 0) {
      std::memcpy(&value, reinterpret_cast<const std::uint8_t *>(&signal) + offset / 8, width / 8);
      return value;
    }
    for (std::size_t done = 0; done < width;) {
      const std::size_t bit = offset + done;
      const std::uint64_t word = signal[bit / 32] >> (bit % 32);
      value |= word << done;
      done += 32 - bit % 32;
    }
    return value & mask;
  }
}

template <class Signal>
void set_bits(Signal &signal, std::size_t offset, std::size_t width, std::uint64_t value) {
  const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  value &= mask;
  if constexpr (!kWide<Signal>) {
    const std::uint64_t rest = static_cast<std::uint64_t>(signal) & ~(mask << offset);
    signal = static_cast<Signal>(rest | value << offset);
  } else {
    for (std::size_t done = 0; done < width;) {
      const std::size_t bit = offset + done;
      const auto low = static_cast<std::uint32_t>(bit % 32);
      const auto word_mask = static_cast<std::uint32_t>((mask >> done) << low);
      const auto word = static_cast<std::uint32_t>((value >> done) << low);
      signal[bit / 32] = (signal[bit / 32] & ~word_mask) | (word & word_mask);
      done += 32 - low;
    }
  }
}

// Bytes of a field of any width; `offset` is a multiple of 8.
template <class Signal>
void get_bytes(const Signal &signal, std::size_t offset, std::size_t bytes, std::uint8_t *out) {
  std::memcpy(out, reinterpret_cast<const std::uint8_t *>(&signal) + offset / 8, bytes);
}

template <class Signal>
void set_bytes(Signal &signal, std::size_t offset, std::size_t bytes, const std::uint8_t *in) {
  std::memcpy(reinterpret_cast<std::uint8_t *>(&signal) + offset / 8, in, bytes);
}

} // namespace axm::cosim
