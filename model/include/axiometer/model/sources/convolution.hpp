// Convolution accelerators behind one port, clock for clock as rtl/convolution has them (the
// contract is in docs/hardware.md): lanes with two input buffers and one for results, streams
// that take turns, writes that wait for the arithmetic and the arithmetic for both inputs.
// What is computed is not modelled; where and when data move is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "axiometer/model/accounting/clocked_books.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/ports/afi.hpp"

namespace axm::clocked {

class Convolution {
public:
  static constexpr int kMostLanes = 8;
  static constexpr int kMatrixBytes = 64; // 4 x 4 words of 32 bits

  // std::invalid_argument names the value that cannot be simulated, and its range.
  static void check(const SystemConfig &c);

  // `read` and `write`: the port's streams; the inputs of all lanes are in the region of the
  // first (A in its lower half, B in its upper), the results in the region of the second.
  Convolution(const SystemConfig &c, std::size_t read, std::size_t write);

  std::size_t read() const { return read_.stream; }
  std::size_t write() const { return write_.stream; }
  void start(Cycle launch) { launch_ = launch; }
  Books &books(Dir d) { return d == kRead ? read_.books : write_.books; }

  // A PL cycle, which begins in controller clock `now`.
  void step(Cycle cycle, Clk now, Afi &reads, Afi &writes);

private:
  // rtl/convolution/axm_convolution_lane.sv: the step in which the inputs' places are free again,
  // and that in which the results are there.
  static constexpr int kConsumed = 3, kProduced = 25;

  struct Lane {
    int held[2] = {0, 0}; // bytes of the inputs
    int results = 0;      // bytes, there or reserved
    int clock = 0;        // of the convolution under way; 0: none
    bool begins = false;  // in this cycle
  };
  // Addresses of a stream's bursts, and its limit.
  struct Stream {
    std::uint64_t base = 0, offset = 0;
    int bytes = 0; // input: places that no turn has reserved; result: bytes that no turn has taken
  };
  // A direction: its streams take turns; one address register before the port.
  struct Side {
    std::size_t stream = 0; // of the configuration
    int limit = 0;          // bursts in flight
    std::vector<Stream> streams;
    std::uint64_t span = 0; // bytes of each stream's area
    int latest = 0, left = 0;
    bool valid = false; // an address waits to be taken
    std::uint64_t address = 0;
    std::int64_t sent = 0; // bursts chosen
    Books books;
    Ring<int, Books::kMostOutstanding> of; // stream of each burst that is not all moved
    int moved = 0;                         // bytes of the oldest of them
  };

  int next(const Side &s) const;
  int choose(const Side &s, bool free) const;
  void send(Side &s, int stream);
  void take_address(Side &s, Cycle cycle, Afi &to);
  void move_read(Cycle cycle, Afi &reads);
  void move_write(Cycle cycle, Clk now, Afi &writes, bool more);

  int beat_, burst_, turn_, turn_bytes_, buffer_;
  Cycle launch_ = 0;
  std::vector<Lane> lanes_;
  Side read_, write_;
  bool beat_valid_ = false; // a beat is on the write channel
};

} // namespace axm::clocked
