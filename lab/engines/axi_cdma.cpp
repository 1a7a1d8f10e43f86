#include "axi_cdma.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace axm::vendor {

namespace {

constexpr std::uint32_t kControl = 0x00, kStatus = 0x04, kCurrent = 0x08, kCurrentMsb = 0x0C,
                        kTail = 0x10, kTailMsb = 0x14, kSource = 0x18, kSourceMsb = 0x1C,
                        kDestination = 0x20, kDestinationMsb = 0x24, kBytes = 0x28;
constexpr std::uint32_t kTailEnabled = 2, kReset = 4, kSgMode = 8, kKeyholes = 0x30, kCyclic = 0x40;
constexpr std::uint32_t kIdle = 2, kSgIncluded = 8; // of the status
constexpr unsigned kResetClocks = 16, kMostBeat = 64;

std::uint32_t word(std::uint64_t pair, bool high) {
  return static_cast<std::uint32_t>(high ? pair >> 32 : pair);
}
void set(std::uint64_t &pair, bool high, std::uint32_t value) {
  const unsigned shift = high ? 32 : 0;
  pair = (pair & ~(0xFFFFFFFFULL << shift)) | static_cast<std::uint64_t>(value) << shift;
}

} // namespace

AxiCdma::AxiCdma(Master &memory, Objections &objections, const Options &options)
    : options_(options), memory_(memory, options.memory),
      check_(memory_, objections, options_, "") {
  reset();
}

void AxiCdma::reset() {
  memory_.forget();
  interrupts_ = {};
  sg_ = pointed_ = paused_ = false;
  faults_ = bytes_ = 0;
  current_ = tail_ = source_ = destination_ = next_ = 0;
  state_ = State::kRest;
  left_clocks_ = resetting_ = 0;
}

std::uint32_t AxiCdma::read_now(std::uint32_t address) {
  if (address >= upper()) {
    std::uint32_t value = 0;
    std::memcpy(&value, memory_.fabric().data() + (address - upper()), sizeof value);
    return value;
  }
  const bool high = (address & 4) != 0;
  switch (address) {
  case kControl:
    return interrupts_.control() | kTailEnabled | (sg_ ? kSgMode : 0) |
           (resetting_ != 0 ? kReset : 0);
  case kStatus:
    return interrupts_.status() | faults_ | kSgIncluded | (idle() ? kIdle : 0);
  case kCurrent:
  case kCurrentMsb:
    return word(current_, high);
  case kTail:
  case kTailMsb:
    return word(tail_, high);
  case kSource:
  case kSourceMsb:
    return word(source_, high);
  case kDestination:
  case kDestinationMsb:
    return word(destination_, high);
  case kBytes:
    return bytes_;
  default:
    check_.raise("register-unknown", "offset " + hex(address) + " is read");
    return 0;
  }
}

void AxiCdma::write_now(std::uint32_t address, std::uint32_t value) {
  if (address >= upper()) {
    std::memcpy(memory_.fabric().data() + (address - upper()), &value, sizeof value);
    return;
  }
  if (resetting_ != 0)
    return check_.raise("during-reset", "offset " + hex(address) + " is written");
  switch (address) {
  case kControl:
    return write_control(value);
  case kStatus:
    check_.status(value);
    return interrupts_.clear(value);
  case kTail:
  case kTailMsb:
    return write_tail(address, value);
  case kBytes:
    return write_bytes(value);
  default:
    if (address > kDestinationMsb)
      return check_.raise("register-unknown", "offset " + hex(address) + " is written");
    return write_pair(address, value);
  }
}

void AxiCdma::write_control(std::uint32_t value) {
  if ((value & kReset) != 0) {
    reset();
    resetting_ = kResetClocks;
    return;
  }
  const bool sg = (value & kSgMode) != 0;
  check_.control(value, kTailEnabled | kSgMode | kKeyholes | kCyclic, sg);
  if ((value & (kKeyholes | kCyclic)) != 0)
    check_.raise("not-modelled", "the control register is written " + hex(value));
  if (sg != sg_ && !idle())
    return check_.raise("busy-write", "SGMode is changed");
  sg_ = sg;
  interrupts_.control(value, sg_);
  if (!sg_) {
    current_ = tail_ = 0;
    pointed_ = paused_ = false;
  }
}

void AxiCdma::write_pair(std::uint32_t offset, std::uint32_t value) {
  const bool high = (offset & 4) != 0, pointer = offset <= kCurrentMsb;
  const std::string name = pointer ? "CURDESC" : offset <= kSourceMsb ? "SA" : "DA";
  if (!idle())
    return check_.raise(pointer ? Rule("current-running") : Rule("busy-write"),
                        name + " is written " + hex(value));
  if (!pointer) {
    set(offset <= kSourceMsb ? source_ : destination_, high, value);
    return;
  }
  if (!sg_)
    return check_.raise("other-mode", "CURDESC is written while SGMode is 0");
  set(current_, high, value);
  check_.pointer(current_, name);
  current_ &= ~(Descriptor::kAlign - 1);
  pointed_ = true;
}

bool AxiCdma::may_start(const std::string &what) {
  if (faults_ == 0)
    return true;
  check_.raise("start-after-error", what + " is written while the status has errors");
  return false;
}

void AxiCdma::write_bytes(std::uint32_t value) {
  if (!idle())
    return check_.raise("busy-write", "BTT is written " + hex(value));
  if (sg_)
    return check_.raise("other-mode", "BTT is written while SGMode is 1");
  if (!may_start("BTT"))
    return;
  if ((value & ~check_.length_mask()) != 0)
    check_.raise("length-wide", "BTT is written " + hex(value));
  bytes_ = value & check_.length_mask();
  if (bytes_ == 0) {
    check_.raise("length-zero", "BTT is written " + hex(value));
    return fail(Fault::kInternal);
  }
  check_.address(source_, "SA");
  check_.address(destination_, "DA");
  from_ = source_;
  to_ = destination_;
  wanted_ = bytes_;
  done_ = fault_ = 0;
  wait(State::kMove, options_.latency);
}

void AxiCdma::write_tail(std::uint32_t offset, std::uint32_t value) {
  if (!sg_)
    return check_.raise("other-mode", "TAILDESC is written while SGMode is 0");
  set(tail_, offset == kTailMsb, value);
  if ((offset == kTailMsb) != (options_.address > 32)) {
    if (offset == kTailMsb && value != 0)
      check_.raise("address-wide", "the upper word of TAILDESC is " + hex(value));
    return;
  }
  check_.tail(tail_);
  tail_ &= ~(Descriptor::kAlign - 1);
  if (!idle() || !may_start("TAILDESC"))
    return; // only where it pauses has changed
  if (!pointed_ && !paused_)
    check_.raise("current-missing", "TAILDESC is written " + hex(tail_));
  if (!pointed_ && paused_)
    current_ = next_;
  pointed_ = paused_ = false;
  wait(State::kFetch, options_.latency + Descriptor::kAlign * 8 / options_.data);
}

void AxiCdma::wait(State next, unsigned clocks) {
  state_ = next;
  left_clocks_ = clocks;
}

bool AxiCdma::busy() const { return resetting_ != 0 || !idle() || interrupts_.ticking(); }

void AxiCdma::tick() {
  if (resetting_ != 0) {
    --resetting_;
    return;
  }
  interrupts_.tick();
  if (!idle() && left_clocks_ > 0) {
    --left_clocks_;
    return;
  }
  switch (state_) {
  case State::kRest:
    return;
  case State::kFetch:
    return fetch();
  case State::kMove:
    return move();
  case State::kUpdate:
    return update();
  }
}

void AxiCdma::fetch() {
  Descriptor d;
  if (!memory_.read(current_, d.words.data(), sizeof d.words))
    return fail(Fault::kSgDecode);
  fault_ = check_.descriptor(d, current_, 0);
  if ((fault_ & Fault::kSgInternal) != 0)
    return fail(fault_);
  next_ = d.next() & ~(Descriptor::kAlign - 1);
  from_ = d.pair(2);
  to_ = d.pair(4);
  check_.address(from_, "the source of the descriptor at " + hex(current_));
  check_.address(to_, "the destination of the descriptor at " + hex(current_));
  wanted_ = d.length() & check_.length_mask();
  done_ = 0;
  interrupts_.begins();
  wait(fault_ != 0 ? State::kUpdate : State::kMove, options_.latency);
}

void AxiCdma::move() {
  std::array<std::uint8_t, kMostBeat> beat;
  const std::uint32_t n = std::min(options_.data / 8, wanted_ - done_);
  const std::uint32_t more = wanted_ - done_ - n;
  if (memory_.read(from_ + done_, beat.data(), n, more) &&
      memory_.write(to_ + done_, beat.data(), n, more))
    done_ += n;
  else
    fault_ = options_.fault;
  if (fault_ != 0 || done_ == wanted_)
    wait(State::kUpdate, options_.latency);
}

// In simple mode there is no descriptor: the last write's response has come.
void AxiCdma::update() {
  const std::uint32_t status = (fault_ == 0 ? Descriptor::kCompleted : 0) | fault_ << 24;
  if (sg_ && !memory_.write(current_ + Descriptor::kStatus, &status, sizeof status))
    fault_ |= Fault::kSgDecode;
  if (fault_ != 0)
    return fail(fault_);
  interrupts_.complete();
  if (sg_ && current_ != tail_) {
    current_ = next_;
    return wait(State::kFetch, options_.latency + Descriptor::kAlign * 8 / options_.data);
  }
  paused_ = sg_;
  state_ = State::kRest;
}

void AxiCdma::fail(std::uint32_t fault) {
  memory_.forget();
  faults_ |= fault;
  interrupts_.error();
  state_ = State::kRest;
}

} // namespace axm::vendor
