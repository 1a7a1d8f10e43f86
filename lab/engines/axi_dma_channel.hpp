// One direction of AXI DMA (PG021): memory to a stream (MM2S), or a stream to memory (S2MM).
//
// Limits       One descriptor at a time, none fetched ahead. No control or status stream, micro,
//              cyclic or multichannel mode, key hole.
#pragma once

#include "coalescer.hpp"
#include "descriptor.hpp"
#include "stream.hpp"

namespace axm::vendor {

class AxiDmaChannel {
public:
  static constexpr std::uint32_t kRun = 1, kOne = 2, kReset = 4; // of DMACR

  AxiDmaChannel(bool sends, MemoryPort &memory, Stream &stream, Objections &objections,
                const Options &options);

  // `offset` from the channel's own first register.
  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  void reset();
  // A clock passes.
  void tick();
  // Whether a clock changes anything; not while it waits for its stream.
  bool busy() const;
  bool line() const { return interrupts_.line(); }

private:
  enum class State : std::uint8_t { kRest, kFetch, kRead, kMove, kRespond, kUpdate };

  void write_control(std::uint32_t value);
  void write_pointer(std::uint32_t offset, std::uint32_t value);
  void write_length(std::uint32_t value);
  void start_chain();
  void fetch();
  void move();
  void send();
  void receive();
  void moved_all();
  void update();
  void finish();
  void fail(std::uint32_t fault);
  void halt();
  void wait(State next, unsigned clocks);

  bool sends_, sg_;
  MemoryPort &memory_;
  Stream &stream_;
  const Options &options_;
  Checks check_;
  Coalescer interrupts_;

  bool run_ = false, halted_ = true, idle_ = false;
  std::uint32_t faults_ = 0;
  std::uint64_t current_ = 0, tail_ = 0, address_ = 0;
  std::uint32_t length_ = 0; // the register

  State state_ = State::kRest;
  unsigned left_clocks_ = 0, halting_ = 0;
  bool pointed_ = false;   // CURDESC was written
  bool chain_ = false;     // the tail is not reached
  std::uint64_t next_ = 0; // descriptor
  Descriptor descriptor_;  // that is worked on
  std::uint64_t at_ = 0;   // of the next byte
  std::uint32_t wanted_ = 0, done_ = 0;
  bool in_packet_ = false, began_ = false, ended_ = false;
  bool open_ = false;       // bytes of a packet are in the stream, and its end is not
  std::uint32_t fault_ = 0; // of the descriptor
};

} // namespace axm::vendor
