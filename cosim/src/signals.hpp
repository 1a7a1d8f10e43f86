// The AXI signals of one port in one clock, apart from any verilated class.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace axm::cosim {

inline constexpr std::size_t kMostBytes = 32; // of a beat

// What the design drives.
struct FromMaster {
  struct Address {
    bool valid = false;
    std::uint64_t address = 0;
    std::uint32_t id = 0;
    int beats = 1;
    int beat_bytes = 4;
    int burst = 1; // 0 FIXED, 1 INCR, 2 WRAP
    int cache = 0, prot = 0;
  };
  Address ar, aw;
  bool w_valid = false, w_last = false;
  std::uint32_t w_id = 0;
  std::uint64_t w_strobes = 0;
  std::array<std::uint8_t, kMostBytes> w_data{};
  bool r_ready = false, b_ready = false;
};

// What the chip drives. VALID and READY lie as a clock's `Lines` has them.
struct ToMaster {
  bool ar_ready = false, r_valid = false, aw_ready = false, w_ready = false, b_valid = false;
  bool r_last = false;
  std::uint32_t r_id = 0, b_id = 0;
  int r_response = 0, b_response = 0;
  std::array<std::uint8_t, kMostBytes> r_data{};
};

// VALID or READY of all ports in one clock: a byte for each channel, in it a bit for each port. Of
// the design it has VALID of AR, AW and W and READY of R and B, of the chip the others; `&` of both
// is what happens.
using Lines = std::uint64_t;
enum Line { kAr, kR, kAw, kW, kB, kLines };
inline constexpr std::size_t kMostPorts = 8;

constexpr Lines lines(unsigned ar, unsigned r, unsigned aw, unsigned w, unsigned b) {
  return Lines{ar} << 8 * kAr | Lines{r} << 8 * kR | Lines{aw} << 8 * kAw | Lines{w} << 8 * kW |
         Lines{b} << 8 * kB;
}
constexpr std::uint8_t line(Lines of, Line which) {
  return static_cast<std::uint8_t>(of >> 8 * which);
}
// Ports at which any line is on.
constexpr unsigned ports_with(Lines l) {
  return line(l, kAr) | line(l, kR) | line(l, kAw) | line(l, kW) | line(l, kB);
}
// Those of one port, as those of port 0.
inline Lines lines_of(const FromMaster &m) {
  return lines(m.ar.valid, m.r_ready, m.aw.valid, m.w_valid, m.b_ready);
}
inline Lines lines_of(const ToMaster &t) {
  static_assert(std::endian::native == std::endian::little);
  Lines l = 0;
  std::memcpy(&l, &t, sizeof l);
  return l & lines(1, 1, 1, 1, 1);
}

// What a port of the processor drives at a slave of 32 bits, and what the slave answers. Bursts are
// INCR, of whole words, with all strobes and ID 0.
struct ToSlave {
  bool ar_valid = false, aw_valid = false, w_valid = false, w_last = false;
  bool r_ready = false, b_ready = false;
  std::uint32_t address = 0, w_data = 0;
  int beats = 1;
};
struct FromSlave {
  bool ar_ready = false, aw_ready = false, w_ready = false, r_valid = false, b_valid = false;
  std::uint32_t r_data = 0;
  int r_response = 0, b_response = 0;
};

// AXI's xRESP.
inline constexpr int kOkay = 0, kSlaveError = 2, kDecodeError = 3;

} // namespace axm::cosim
