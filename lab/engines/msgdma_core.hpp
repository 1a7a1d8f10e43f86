// One mSGDMA (UG-01085): a dispatcher with its descriptor and response FIFOs, and its masters: from
// memory to a stream, from a stream to memory, or from memory to memory.
//
// Registers    CSR at 0x00, descriptors (extended: 32 bytes) at 0x20, responses at 0x40.
// Limits       No parked descriptors, strides, prefetcher, errors or channels of the stream. A
//              descriptor whose FIFO is full is lost, where the bus of a board would wait.
#pragma once

#include <array>
#include <deque>

#include "memory_port.hpp"
#include "objections.hpp"
#include "options.hpp"
#include "stream.hpp"

namespace axm::vendor {

class MsgdmaCore {
public:
  static constexpr std::uint32_t kBytes = 0x50; // of its registers

  // `from`, `to`: nullptr for memory.
  MsgdmaCore(std::string name, MemoryPort &memory, Stream *from, Stream *to, Objections &objections,
             const Options &options);

  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  void reset();
  void tick();
  bool busy() const;
  bool line() const { return irq_; }

private:
  enum class State : std::uint8_t { kRest, kMove, kRespond };
  struct Command {
    std::uint64_t source = 0, destination = 0;
    std::uint32_t length = 0, control = 0, number = 0;
  };
  struct Response {
    std::uint32_t bytes = 0, flags = 0;
  };

  void raise(Rule rule, const std::string &what) { objections_.raise(rule, name_ + what); }
  std::uint32_t status() const;
  void write_control(std::uint32_t value);
  void write_field(std::uint32_t offset, std::uint32_t value);
  void commit();
  void start();
  void move();
  void respond();
  bool stopped() const { return stopping_ && state_ == State::kRest; }

  std::string name_;
  MemoryPort &memory_;
  Stream *from_, *to_;
  Objections &objections_;
  const Options &options_;

  std::uint32_t control_ = 0;
  bool irq_ = false, stopping_ = false, stopped_early_ = false;
  std::array<std::uint32_t, 8> fields_{};
  unsigned written_ = 0; // fields since Go
  std::deque<Command> commands_;
  std::deque<Response> responses_;

  State state_ = State::kRest;
  unsigned left_clocks_ = 0, resetting_ = 0;
  Command command_;
  std::uint32_t done_ = 0, number_ = 0;
  bool ended_ = false, lost_ = false;
  bool complained_ = false; // that the responses are full
};

} // namespace axm::vendor
