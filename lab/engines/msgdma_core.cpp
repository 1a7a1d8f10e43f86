#include "msgdma_core.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace axm::vendor {

namespace {

constexpr std::uint32_t kStatus = 0x00, kControl = 0x04, kFill = 0x08, kResponseFill = 0x0C,
                        kNumbers = 0x10, kConfig1 = 0x14, kConfig2 = 0x18, kType = 0x1C,
                        kDescriptor = 0x20, kResponse = 0x40, kResponsePop = 0x44;
// Status.
constexpr std::uint32_t kBusy = 1, kEmpty = 2, kFull = 4, kResponseEmptyBit = 8,
                        kResponseFullBit = 16, kStopped = 32, kResetting = 64, kStoppedEarly = 256,
                        kIrq = 512;
// Control.
constexpr std::uint32_t kStop = 1, kReset = 2, kStopOnEarly = 8, kInterrupts = 16,
                        kStopDescriptors = 32, kControlKnown = 63;
// A descriptor's control. Bits 13 and 30:26 are reserved.
constexpr std::uint32_t kGenerateEnd = 1U << 9, kParks = 3U << 10, kEndOnEnd = 1U << 12,
                        kDoneIrq = 1U << 14, kEarlyIrq = 1U << 15, kGo = 1U << 31,
                        kReserved = 0x7C002000;
constexpr std::uint32_t kEarly = 1U << 8; // of a response
constexpr unsigned kResetClocks = 16, kMostBeat = 64;
// Of an extended descriptor, in words.
constexpr unsigned kRead = 0, kWrite = 1, kLength = 2, kSequence = 3, kStrides = 4, kReadHigh = 5,
                   kWriteHigh = 6, kGoWord = 7;

} // namespace

MsgdmaCore::MsgdmaCore(std::string name, MemoryPort &memory, Stream *from, Stream *to,
                       Objections &objections, const Options &options)
    : name_(std::move(name)), memory_(memory), from_(from), to_(to), objections_(objections),
      options_(options) {}

void MsgdmaCore::reset() {
  memory_.forget();
  control_ = written_ = done_ = number_ = 0;
  irq_ = stopping_ = stopped_early_ = complained_ = lost_ = false;
  fields_ = {};
  commands_.clear();
  responses_.clear();
  state_ = State::kRest;
  left_clocks_ = 0;
}

std::uint32_t MsgdmaCore::status() const {
  const bool busy = state_ != State::kRest || !commands_.empty();
  return (busy ? kBusy : 0) | (commands_.empty() ? kEmpty : 0) |
         (commands_.size() >= options_.depth ? kFull : 0) |
         (responses_.empty() ? kResponseEmptyBit : 0) |
         (responses_.size() >= 2 * options_.depth ? kResponseFullBit : 0) |
         (stopped() ? kStopped : 0) | (resetting_ != 0 ? kResetting : 0) |
         (stopped_early_ ? kStoppedEarly : 0) | (irq_ ? kIrq : 0);
}

std::uint32_t MsgdmaCore::read(std::uint32_t offset) {
  const auto waiting = static_cast<std::uint32_t>(commands_.size());
  switch (offset) {
  case kStatus:
    return status();
  case kControl:
    return control_;
  case kFill:
    return waiting << 16 | waiting;
  case kResponseFill:
    return static_cast<std::uint32_t>(responses_.size());
  case kNumbers:
    return number_ << 16 | number_;
  case kConfig1:
  case kConfig2:
  case kType:
    return 0; // what the core was built with is not stated here
  case kResponse:
  case kResponsePop: {
    if (to_ != nullptr)
      break; // a core that sends has none
    if (responses_.empty()) {
      raise("response-empty", "offset " + hex(offset) + " is read");
      return 0;
    }
    const Response r = responses_.front();
    if (offset == kResponse)
      return r.bytes;
    responses_.pop_front(); // reading its last byte takes it out
    return r.flags;
  }
  default:
    break;
  }
  raise("register-unknown", "offset " + hex(offset) + " is read");
  return 0;
}

void MsgdmaCore::write(std::uint32_t offset, std::uint32_t value) {
  if (resetting_ != 0)
    return raise("during-reset", "offset " + hex(offset) + " is written");
  if (offset == kStatus)
    irq_ = irq_ && (value & kIrq) == 0;
  else if (offset == kControl)
    write_control(value);
  else if (offset >= kDescriptor && offset < kResponse)
    write_field((offset - kDescriptor) / 4, value);
  else
    raise("register-unknown", "offset " + hex(offset) + " is written, and is not writable");
}

void MsgdmaCore::write_control(std::uint32_t value) {
  if ((value & ~kControlKnown) != 0)
    raise("reserved-bit", "the control register is written " + hex(value));
  if ((value & kReset) != 0) {
    reset();
    resetting_ = kResetClocks;
    return;
  }
  control_ = value & kControlKnown;
  stopping_ = (value & (kStop | kStopDescriptors)) != 0;
  if (!stopping_)
    stopped_early_ = false;
}

void MsgdmaCore::write_field(std::uint32_t word, std::uint32_t value) {
  fields_[word] = value;
  written_ |= 1U << word;
  if (word != kGoWord)
    return;
  if ((value & kGo) == 0)
    return raise("go-missing", "the control word is written " + hex(value));
  commit();
}

void MsgdmaCore::commit() {
  const unsigned written = std::exchange(written_, 0);
  const unsigned needed =
      1U << kLength | (from_ == nullptr ? 1U << kRead : 0) | (to_ == nullptr ? 1U << kWrite : 0);
  Command c{fields_[kRead], fields_[kWrite], fields_[kLength], fields_[kGoWord],
            fields_[kSequence] & 0xFFFF};
  const std::string what = "a descriptor of " + hex(c.length) + " bytes";
  if ((written & needed) != needed)
    raise("field-missing", what);
  if ((c.control & kReserved) != 0)
    raise("descriptor-reserved", what + ": its control is " + hex(c.control));
  if ((c.control & kParks) != 0)
    raise("not-modelled", what + ": its control is " + hex(c.control));
  const bool high =
      (from_ == nullptr && fields_[kReadHigh] != 0) || (to_ == nullptr && fields_[kWriteHigh] != 0);
  if (options_.address <= 32 && high)
    raise("address-wide", what);
  c.source |= static_cast<std::uint64_t>(fields_[kReadHigh]) << 32;
  c.destination |= static_cast<std::uint64_t>(fields_[kWriteHigh]) << 32;
  const std::uint32_t most = (1U << options_.length) - 1;
  if (c.length == 0)
    raise("length-zero", what);
  else if (c.length > most)
    raise("length-wide", what);
  const std::uint64_t used =
      (from_ == nullptr ? c.source : 0) | (to_ == nullptr ? c.destination : 0);
  if (!options_.realign && used % (options_.data / 8) != 0)
    raise("address-unaligned", what);
  if (commands_.size() >= options_.depth)
    return raise("fifo-full", what);
  c.length &= most;
  commands_.push_back(c);
}

bool MsgdmaCore::busy() const {
  if (resetting_ != 0)
    return true;
  if (state_ == State::kRest)
    return !commands_.empty() && !stopping_;
  if (left_clocks_ != 0)
    return true;
  if ((control_ & kStop) != 0 && state_ == State::kMove)
    return false;
  if (state_ == State::kRespond)
    return to_ != nullptr || responses_.size() < 2 * options_.depth || !complained_;
  return (from_ == nullptr || from_->waiting()) &&
         (to_ == nullptr || to_->room() >= options_.data / 8);
}

void MsgdmaCore::tick() {
  if (resetting_ != 0) {
    --resetting_;
    return;
  }
  if (state_ != State::kRest && left_clocks_ > 0) {
    --left_clocks_;
    return;
  }
  switch (state_) {
  case State::kRest:
    if (!commands_.empty() && !stopping_)
      start();
    return;
  case State::kMove:
    if ((control_ & kStop) == 0) // a stop holds it in the middle; the next start goes on
      move();
    return;
  case State::kRespond:
    return respond();
  }
}

void MsgdmaCore::start() {
  command_ = commands_.front();
  commands_.pop_front();
  done_ = 0;
  ended_ = lost_ = false;
  number_ = command_.number;
  state_ = State::kMove;
  left_clocks_ = from_ == nullptr ? options_.latency : 0;
}

void MsgdmaCore::move() {
  std::array<std::uint8_t, kMostBeat> beat;
  std::uint32_t n = std::min(options_.data / 8, command_.length - done_);
  bool last = false;
  if (from_ != nullptr) {
    if (!from_->waiting())
      return;
    n = static_cast<std::uint32_t>(from_->pop(beat.data(), n, last));
  } else {
    if (to_ != nullptr && to_->room() < n)
      return;
    lost_ = lost_ ||
            !memory_.read(command_.source + done_, beat.data(), n, command_.length - done_ - n);
  }
  const bool all = done_ + n == command_.length;
  const std::uint32_t more = last ? 0 : command_.length - done_ - n;
  if (to_ != nullptr)
    to_->push(beat.data(), n, all && (command_.control & kGenerateEnd) != 0);
  else
    lost_ = lost_ || !memory_.write(command_.destination + done_, beat.data(), n, more);
  done_ += n;
  ended_ = last && (command_.control & kEndOnEnd) != 0;
  if (all || ended_) {
    state_ = State::kRespond;
    left_clocks_ = to_ == nullptr ? options_.latency : 0;
  }
}

// The document has no answer for memory that does not exist: a read returns the beat's old content,
// without a fault.
void MsgdmaCore::respond() {
  const bool early = from_ != nullptr && (command_.control & kEndOnEnd) != 0 && !ended_;
  if (to_ == nullptr) {
    if (responses_.size() >= 2 * options_.depth) {
      if (!std::exchange(complained_, true))
        raise("response-full", "a transfer of " + hex(done_) + " bytes waits");
      return;
    }
    complained_ = false;
    responses_.push_back({done_, early ? kEarly : 0});
  }
  const std::uint32_t wanted = kDoneIrq | (early ? kEarlyIrq : 0);
  if ((command_.control & wanted) != 0 && (control_ & kInterrupts) != 0)
    irq_ = true;
  if (early && (control_ & kStopOnEarly) != 0)
    stopping_ = stopped_early_ = true;
  state_ = State::kRest;
}

} // namespace axm::vendor
