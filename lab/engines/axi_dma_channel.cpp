#include "axi_dma_channel.hpp"

#include <algorithm>
#include <array>

namespace axm::vendor {

namespace {

constexpr std::uint32_t kControl = 0x00, kStatus = 0x04, kCurrent = 0x08, kCurrentMsb = 0x0C,
                        kTail = 0x10, kTailMsb = 0x14, kAddress = 0x18, kAddressMsb = 0x1C,
                        kLength = 0x28;
constexpr std::uint32_t kKeyhole = 8, kCyclic = 16;
constexpr std::uint32_t kSgIncluded = 8;
constexpr std::uint32_t kStart = 1U << 27, kEnd = 1U << 26; // of a packet, in descriptors
constexpr unsigned kMostBeat = 64;

void set_low(std::uint64_t &pair, std::uint32_t value) { pair = pair >> 32 << 32 | value; }
void set_high(std::uint64_t &pair, std::uint32_t value) {
  pair = (pair & 0xFFFFFFFF) | static_cast<std::uint64_t>(value) << 32;
}
std::uint32_t high(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }

} // namespace

AxiDmaChannel::AxiDmaChannel(bool sends, MemoryPort &memory, Stream &stream, Objections &objections,
                             const Options &options)
    : sends_(sends), sg_(options.kind == Kind::kAxiDmaSg), memory_(memory), stream_(stream),
      options_(options), check_(memory, objections, options, sends ? "MM2S: " : "S2MM: ") {
  reset();
}

void AxiDmaChannel::reset() {
  memory_.forget();
  interrupts_ = {};
  interrupts_.control(interrupts_.control(), sg_);
  run_ = idle_ = pointed_ = chain_ = in_packet_ = open_ = false;
  halted_ = true;
  faults_ = fault_ = length_ = 0;
  current_ = tail_ = address_ = next_ = 0;
  state_ = State::kRest;
  left_clocks_ = halting_ = 0;
}

std::uint32_t AxiDmaChannel::read(std::uint32_t offset) {
  switch (offset) {
  case kControl:
    return interrupts_.control() | kOne | (run_ ? kRun : 0);
  case kStatus:
    return interrupts_.status() | faults_ | (sg_ ? kSgIncluded : 0) | (halted_ ? 1U : 0) |
           (idle_ && !halted_ ? 2U : 0);
  case kCurrent:
    return static_cast<std::uint32_t>(current_);
  case kCurrentMsb:
    return high(current_);
  case kTail:
    return static_cast<std::uint32_t>(tail_);
  case kTailMsb:
    return high(tail_);
  case kAddress:
    return static_cast<std::uint32_t>(address_);
  case kAddressMsb:
    return high(address_);
  case kLength:
    return length_;
  default:
    check_.raise("register-unknown", "offset " + hex(offset) + " is read");
    return 0;
  }
}

void AxiDmaChannel::write(std::uint32_t offset, std::uint32_t value) {
  const bool pointer = offset >= kCurrent && offset <= kTailMsb;
  const bool direct = offset == kAddress || offset == kAddressMsb || offset == kLength;
  if (offset == kControl)
    return write_control(value);
  if (offset == kStatus) {
    check_.status(value);
    return interrupts_.clear(value);
  }
  if (pointer ? !sg_ : sg_ || !direct)
    return check_.raise("register-unknown", "offset " + hex(offset) + " is written");
  if (!run_ && !halted_)
    check_.raise("restart-early", "offset " + hex(offset) + " is written");
  if (pointer)
    return write_pointer(offset, value);
  if (offset == kAddress) {
    set_low(address_, value);
  } else if (offset == kAddressMsb) {
    set_high(address_, value);
    if (options_.address <= 32 && value != 0)
      check_.raise("address-wide", "the upper word of the address is " + hex(value));
  } else {
    write_length(value);
  }
}

void AxiDmaChannel::write_control(std::uint32_t value) {
  check_.control(value, kRun | kOne | kReset | kKeyhole | kCyclic, sg_);
  if ((value & (kKeyhole | kCyclic)) != 0)
    check_.raise("not-modelled", "the control register is written " + hex(value));
  interrupts_.control(value, sg_);
  const bool run = (value & kRun) != 0;
  if (run && !run_) {
    if (faults_ != 0) {
      check_.raise("start-after-error", "RS is set while the status has errors");
      return;
    }
    if (!halted_)
      check_.raise("restart-early", "RS is set");
    run_ = true;
    halted_ = idle_ = false;
    halting_ = 0;
    next_ = current_;
  } else if (!run && run_) {
    run_ = false;
    halting_ = state_ == State::kRest ? 1 : options_.latency + 1;
  }
}

void AxiDmaChannel::write_pointer(std::uint32_t offset, std::uint32_t value) {
  if (offset == kCurrent || offset == kCurrentMsb) {
    if (run_ || !halted_)
      return check_.raise("current-running", "CURDESC is written " + hex(value));
    (offset == kCurrent ? set_low : set_high)(current_, value);
    check_.pointer(current_, "CURDESC");
    current_ &= ~(Descriptor::kAlign - 1);
    pointed_ = true;
    return;
  }
  // The upper word, where there is one, is the one that starts.
  const bool starts = (offset == kTailMsb) == (options_.address > 32);
  (offset == kTail ? set_low : set_high)(tail_, value);
  if (!starts) {
    if (offset == kTailMsb && value != 0)
      check_.raise("address-wide", "the upper word of TAILDESC is " + hex(value));
    return;
  }
  check_.tail(tail_);
  tail_ &= ~(Descriptor::kAlign - 1);
  if (halted_)
    return check_.raise("tail-halted", "TAILDESC is written " + hex(tail_));
  if (run_)
    start_chain();
}

void AxiDmaChannel::start_chain() {
  if (!pointed_)
    check_.raise("current-missing", "TAILDESC is written " + hex(tail_));
  pointed_ = true;
  idle_ = false;
  chain_ = true;
}

void AxiDmaChannel::write_length(std::uint32_t value) {
  if (value == 0)
    return check_.raise("length-zero", "LENGTH is written 0");
  if ((value & ~check_.length_mask()) != 0)
    check_.raise("length-wide", "LENGTH is written " + hex(value));
  if (halted_)
    return check_.raise("length-halted", "LENGTH is written " + hex(value));
  if (state_ != State::kRest)
    return check_.raise("length-busy", "LENGTH is written " + hex(value));
  length_ = value & check_.length_mask();
  if (!run_ || length_ == 0)
    return;
  check_.address(address_, "the address");
  idle_ = false;
  at_ = address_;
  wanted_ = length_;
  done_ = 0;
  began_ = ended_ = false;
  fault_ = 0;
  wait(State::kRead, sends_ ? options_.latency : 0);
}

void AxiDmaChannel::wait(State next, unsigned clocks) {
  state_ = next;
  left_clocks_ = clocks;
}

bool AxiDmaChannel::busy() const {
  const bool waits =
      state_ == State::kMove && (sends_ ? stream_.room() < options_.data / 8 : !stream_.waiting());
  return interrupts_.ticking() || halting_ != 0 || (state_ != State::kRest && !waits) ||
         (state_ == State::kRest && run_ && chain_);
}

void AxiDmaChannel::tick() {
  interrupts_.tick();
  if (halting_ != 0 && --halting_ == 0 && state_ != State::kUpdate)
    return halt();
  if (state_ != State::kRest && left_clocks_ > 0) {
    --left_clocks_;
    return;
  }
  switch (state_) {
  case State::kRest:
    if (run_ && chain_) {
      current_ = next_;
      wait(State::kFetch, options_.latency + Descriptor::kAlign * 8 / options_.data);
    }
    return;
  case State::kFetch:
    return fetch();
  case State::kRead:
    state_ = State::kMove;
    return move();
  case State::kMove:
    return move();
  case State::kRespond:
    return moved_all();
  case State::kUpdate:
    return update();
  }
}

void AxiDmaChannel::fetch() {
  if (!memory_.read(current_, descriptor_.words.data(), sizeof descriptor_.words))
    return fail(Fault::kSgDecode);
  const std::uint32_t fault = check_.descriptor(descriptor_, current_, kStart | kEnd);
  if ((descriptor_.words[4] | descriptor_.words[5]) != 0)
    check_.raise("descriptor-reserved", "the descriptor at " + hex(current_));
  if ((fault & Fault::kSgInternal) != 0)
    return fail(fault);
  next_ = descriptor_.next() & ~(Descriptor::kAlign - 1);
  at_ = descriptor_.pair(2);
  check_.address(at_, "the buffer of the descriptor at " + hex(current_));
  wanted_ = descriptor_.length() & check_.length_mask();
  done_ = 0;
  began_ = ended_ = false;
  fault_ = fault;
  if (fault_ != 0)
    return wait(State::kUpdate, options_.latency);
  if (sends_) {
    if (((descriptor_.control() & kStart) != 0) == in_packet_)
      check_.raise("frame-order",
                   "the descriptor at " + hex(current_) +
                       (in_packet_ ? " has TXSOF within a packet" : " begins one without TXSOF"));
    if (!in_packet_)
      interrupts_.begins();
    in_packet_ = (descriptor_.control() & kEnd) == 0;
  }
  wait(State::kRead, sends_ ? options_.latency : 0);
}

void AxiDmaChannel::move() { sends_ ? send() : receive(); }

void AxiDmaChannel::send() {
  std::array<std::uint8_t, kMostBeat> beat;
  const std::uint32_t n = std::min(options_.data / 8, wanted_ - done_);
  if (stream_.room() < n)
    return;
  if (!memory_.read(at_, beat.data(), n, wanted_ - done_ - n)) {
    fault_ = options_.fault;
    return moved_all();
  }
  at_ += n;
  done_ += n;
  const bool all = done_ == wanted_;
  const bool last = all && (!sg_ || (descriptor_.control() & kEnd) != 0);
  stream_.push(beat.data(), n, last);
  open_ = !last;
  if (all) {
    ended_ = last;
    moved_all();
  }
}

void AxiDmaChannel::receive() {
  if (!stream_.waiting())
    return;
  std::array<std::uint8_t, kMostBeat> beat;
  bool last = false;
  const auto n = static_cast<std::uint32_t>(
      stream_.pop(beat.data(), std::min(options_.data / 8, wanted_ - done_), last));
  if (!in_packet_) {
    began_ = in_packet_ = true;
    interrupts_.begins();
  }
  if (!memory_.write(at_, beat.data(), n, last ? 0 : wanted_ - done_ - n))
    fault_ = options_.fault;
  at_ += n;
  done_ += n;
  if (last) {
    ended_ = true;
    in_packet_ = false;
  }
  if (!last && done_ == wanted_) {
    if (!sg_) {
      check_.raise("receive-space",
                   "a packet is longer than LENGTH, which is " + std::to_string(length_));
      fault_ = Fault::kInternal;
    } else if (current_ == tail_) {
      check_.raise("receive-space", "the tail is reached within a packet");
    }
  }
  if (last || done_ == wanted_ || fault_ != 0)
    wait(State::kRespond, options_.latency);
}

void AxiDmaChannel::moved_all() {
  if (sg_)
    return wait(State::kUpdate, options_.latency);
  if (fault_ != 0)
    return fail(fault_);
  if (!sends_)
    length_ = done_;
  state_ = State::kRest;
  idle_ = true;
  interrupts_.complete();
}

void AxiDmaChannel::update() {
  std::uint32_t status = Descriptor::kCompleted | done_ | fault_ << 24;
  if (!sends_)
    status |= (began_ ? kStart : 0) | (ended_ ? kEnd : 0);
  if (!memory_.write(current_ + Descriptor::kStatus, &status, sizeof status))
    return fail(fault_ | Fault::kSgDecode);
  if (fault_ != 0)
    return fail(fault_);
  finish();
}

void AxiDmaChannel::finish() {
  state_ = State::kRest;
  if (current_ == tail_) {
    chain_ = false;
    idle_ = true;
  }
  if (ended_)
    interrupts_.complete();
  if (!run_)
    halt();
}

void AxiDmaChannel::fail(std::uint32_t fault) {
  faults_ |= fault;
  interrupts_.error();
  halt();
}

// A packet that is cut short ends here for the other side, too.
void AxiDmaChannel::halt() {
  memory_.forget();
  if (open_)
    stream_.push(nullptr, 0, true);
  state_ = State::kRest;
  run_ = chain_ = in_packet_ = open_ = false;
  halted_ = true;
  halting_ = 0;
}

} // namespace axm::vendor
