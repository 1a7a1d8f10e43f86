// AXI CDMA (PG034) beside a memory of the fabric. Its registers are at 0x00; the fabric's memory is
// at MemoryPort::kFabric for its master, and in the upper half of the window for the processor.
//
// Limits       One descriptor at a time, none fetched ahead. No cyclic mode, no key hole.
#pragma once

#include "clocked.hpp"
#include "coalescer.hpp"
#include "descriptor.hpp"

namespace axm::vendor {

class AxiCdma final : public Clocked {
public:
  AxiCdma(Master &memory, Objections &objections, const Options &options);

  std::uint32_t window_bytes() const override { return 2 * upper(); }
  bool interrupt() override { return interrupts_.line(); }
  void reset() override;

private:
  enum class State : std::uint8_t { kRest, kFetch, kMove, kUpdate };

  std::uint32_t upper() const { return options_.memory; }
  std::uint32_t read_now(std::uint32_t address) override;
  void write_now(std::uint32_t address, std::uint32_t value) override;
  void tick() override;
  bool busy() const override;

  bool idle() const { return state_ == State::kRest; }
  void write_control(std::uint32_t value);
  void write_pair(std::uint32_t offset, std::uint32_t value);
  void write_bytes(std::uint32_t value);
  void write_tail(std::uint32_t offset, std::uint32_t value);
  bool may_start(const std::string &what);
  void fetch();
  void move();
  void update();
  void fail(std::uint32_t fault);
  void wait(State next, unsigned clocks);

  Options options_;
  MemoryPort memory_;
  Checks check_;
  Coalescer interrupts_;
  bool sg_ = false;
  std::uint32_t faults_ = 0, bytes_ = 0;
  std::uint64_t current_ = 0, tail_ = 0, source_ = 0, destination_ = 0;

  State state_ = State::kRest;
  unsigned left_clocks_ = 0, resetting_ = 0;
  bool pointed_ = false;   // CURDESC was written since the last start
  bool paused_ = false;    // at a tail: the next start goes on from there
  std::uint64_t next_ = 0; // descriptor
  std::uint64_t from_ = 0, to_ = 0;
  std::uint32_t wanted_ = 0, done_ = 0, fault_ = 0;
};

} // namespace axm::vendor
