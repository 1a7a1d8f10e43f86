// The AXI signals of one port in one clock, apart from any verilated class.
#pragma once

#include <array>
#include <cstdint>

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
  };
  Address ar, aw;
  bool w_valid = false, w_last = false;
  std::uint32_t w_id = 0;
  std::uint64_t w_strobes = 0;
  std::array<std::uint8_t, kMostBytes> w_data{};
  bool r_ready = false, b_ready = false;
};

// What the chip drives.
struct ToMaster {
  bool ar_ready = false, aw_ready = false, w_ready = false;
  bool r_valid = false, r_last = false, b_valid = false;
  std::uint32_t r_id = 0, b_id = 0;
  int r_response = 0, b_response = 0;
  std::array<std::uint8_t, kMostBytes> r_data{};
};

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
