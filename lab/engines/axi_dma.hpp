// AXI DMA (PG021) whose stream to the fabric comes back through a FIFO: MM2S at 0x00, S2MM at 0x30.
#pragma once

#include <array>

#include "axi_dma_channel.hpp"
#include "clocked.hpp"

namespace axm::vendor {

class AxiDma final : public Clocked {
public:
  AxiDma(Master &memory, Objections &objections, const Options &options);

  std::uint32_t window_bytes() const override { return 1U << 16; }
  bool interrupt() override { return sends_.line() || receives_.line(); }
  void reset() override;

private:
  std::uint32_t read_now(std::uint32_t address) override;
  void write_now(std::uint32_t address, std::uint32_t value) override;
  void tick() override;
  bool busy() const override;

  Options options_;
  Objections &objections_;
  std::array<MemoryPort, 2> memory_; // of sends_, receives_
  Stream stream_;
  AxiDmaChannel sends_, receives_;
  unsigned resetting_ = 0; // clocks
};

} // namespace axm::vendor
