// What a core was built with: parameters of the documents, and what surrounds it here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace axm::vendor {

enum class Kind : std::uint8_t { kAxiDma, kAxiDmaSg, kAxiCdma, kMsgdma, kTrafficGen };

struct Options {
  Kind kind = Kind::kAxiDma;
  unsigned data = 64;          // bits of a beat: 32 to 512
  unsigned length = 26;        // bits of a length: 8 to 26 (mSGDMA: to 31)
  unsigned address = 32;       // bits of an address: 32 or 64
  bool realign = true;         // AMD: Data Realignment Engine; Intel: unaligned transfers
  unsigned fifo = 4096;        // bytes between the sending and the receiving side
  unsigned memory = 256 << 10; // bytes of the fabric's memory beside the CDMA
  unsigned depth = 128;        // descriptors that an mSGDMA holds
  unsigned fault = 1 << 6;     // AMD: bit of the status for data's memory that does not answer
  unsigned latency = 20; // clocks: to the first beat of a read, and to the response of a write
};

// `axi-dma`, `axi-dma-sg`, `axi-cdma`, `axi-cdma-sg`, `msgdma` or `axi-traffic-gen`, then
// `,name=value` for each that differs. std::invalid_argument with what would be right.
Options parse(std::string_view text, unsigned latency);

} // namespace axm::vendor
