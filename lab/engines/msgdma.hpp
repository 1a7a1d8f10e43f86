// Three mSGDMAs: one sends memory to a stream (0x00), one receives what comes back (0x80), and one
// copies (0x100). Registers of each: msgdma_core.hpp.
#pragma once

#include "clocked.hpp"
#include "msgdma_core.hpp"

namespace axm::vendor {

class Msgdma final : public Clocked {
public:
  Msgdma(Master &memory, Objections &objections, const Options &options);

  std::uint32_t window_bytes() const override { return 1U << 16; }
  bool interrupt() override;
  void reset() override;

private:
  std::uint32_t read_now(std::uint32_t address) override;
  void write_now(std::uint32_t address, std::uint32_t value) override;
  void tick() override;
  bool busy() const override;
  MsgdmaCore *core(std::uint32_t address);

  Options options_;
  Objections &objections_;
  std::array<MemoryPort, 3> memory_; // of the cores
  Stream stream_;
  std::array<MsgdmaCore, 3> cores_;
};

} // namespace axm::vendor
