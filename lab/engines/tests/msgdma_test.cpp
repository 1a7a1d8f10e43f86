// mSGDMA as its user guide has it used, and what it forbids.
#include "bench.hpp"

namespace bench {

namespace {

constexpr std::uint32_t kSend = 0x00, kReceive = 0x80, kCopy = 0x100; // the cores
constexpr std::uint32_t kStatus = 0x00, kControl = 0x04, kFill = 0x08, kResponses = 0x0C,
                        kDescriptor = 0x20, kResponse = 0x40;
constexpr std::uint32_t kBusy = 1, kEmpty = 2, kFull = 4, kStopped = 32, kIrq = 512;
constexpr std::uint32_t kStop = 1, kReset = 2, kInterrupts = 16, kStopEarly = 8;
constexpr std::uint32_t kSop = 1U << 8, kEop = 1U << 9, kOnEop = 1U << 12, kDone = 1U << 14,
                        kEarly = 1U << 15, kGo = 1U << 31;
constexpr std::uint64_t kFrom = kBase + 0x100000, kTo = kBase + 0x200000;

class Sgdma : public Bench {
public:
  using Bench::Bench;
  void give(std::uint32_t core, std::uint64_t from, std::uint64_t to, std::uint32_t bytes,
            std::uint32_t control, std::uint32_t number = 0) {
    const std::uint32_t d = core + kDescriptor;
    put(d, static_cast<std::uint32_t>(from));
    put(d + 4, static_cast<std::uint32_t>(to));
    put(d + 8, bytes);
    put(d + 12, number);
    put(d + 16, 0x00010001);
    put(d + 20, 0);
    put(d + 24, 0);
    put(d + 28, control);
  }
  void send(std::uint64_t from, std::uint32_t bytes, std::uint32_t more = 0) {
    give(kSend, from, 0, bytes, kSop | kEop | kGo | more);
  }
  void receive(std::uint64_t to, std::uint32_t room, std::uint32_t more = kDone) {
    give(kReceive, 0, to, room, kOnEop | kGo | more);
  }
  bool idle(std::uint32_t core) {
    for (unsigned i = 0; i < 10000 && (get(core + kStatus) & kBusy) != 0; ++i)
      device->run(256);
    return (get(core + kStatus) & kBusy) == 0;
  }
};

void packets() {
  Sgdma d("msgdma,fifo=64");
  CHECK(d.get(kSend + kStatus) == (kEmpty | 8));
  d.put(kReceive + kControl, kStop);
  unsigned number = 0;
  const std::vector<std::uint32_t> sizes{1, 8, 13, 4096, 65535};
  for (const std::uint32_t bytes : sizes) {
    d.fill(kFrom + number * 0x10000ULL, bytes, number);
    d.receive(kTo + number * 0x10000ULL, 65536);
    d.send(kFrom + number * 0x10000ULL, bytes);
    ++number;
  }
  CHECK(d.get(kReceive + kFill) == 0x00050005);
  d.put(kReceive + kControl, kInterrupts);
  CHECK(d.until(kReceive + kStatus, kIrq) && d.device->interrupt());
  CHECK(d.idle(kReceive) && d.idle(kSend));
  d.put(kReceive + kStatus, kIrq);
  CHECK(!d.device->interrupt());
  CHECK(d.get(kReceive + kResponses) == sizes.size());
  for (unsigned n = 0; n < sizes.size(); ++n) {
    CHECK(d.get(kReceive + kResponse) == sizes[n]);
    CHECK(d.get(kReceive + kResponse + 4) == 0);
    CHECK(d.same(kFrom + n * 0x10000ULL, kTo + n * 0x10000ULL, sizes[n]));
  }
  CHECK(d.get(kReceive + kResponses) == 0);
  d.clean();
}

// A packet that is longer than its descriptor ends it early, and stops the core if it is to.
void early() {
  Sgdma d("msgdma");
  d.put(kReceive + kControl, kInterrupts | kStopEarly);
  d.fill(kFrom, 100, 1);
  d.receive(kTo, 60, kEarly);
  d.receive(kTo + 60, 60, 0);
  d.send(kFrom, 100);
  CHECK(d.until(kReceive + kStatus, kIrq | kStopped | 256));
  CHECK(d.get(kReceive + kResponse) == 60 && d.get(kReceive + kResponse + 4) == 256);
  d.put(kReceive + kControl, 0);
  CHECK(d.idle(kReceive));
  CHECK(d.get(kReceive + kResponse) == 40 && d.get(kReceive + kResponse + 4) == 0);
  CHECK(d.same(kFrom, kTo, 100));
  d.clean();
}

void copies_stop_and_reset() {
  Sgdma d("msgdma");
  d.fill(kFrom, 70000, 1);
  d.put(kCopy + kControl, kStop);
  d.give(kCopy, kFrom, kTo, 70000, kGo, 9);
  d.run();
  CHECK((d.get(kCopy + kStatus) & (kStopped | kBusy)) == (kStopped | kBusy) && d.word(kTo) == 0);
  d.put(kCopy + kControl, 0);
  CHECK(d.idle(kCopy) && d.same(kFrom, kTo, 70000));
  CHECK(d.get(kCopy + 0x10) == 0x00090009);
  d.give(kCopy, kFrom, kTo, 70000, kGo);
  d.put(kCopy + kControl, kReset);
  CHECK((d.get(kCopy + kStatus) & 64) != 0);
  d.run(100);
  CHECK(d.get(kCopy + kStatus) == (kEmpty | 8));
  d.clean();
}

void objections() {
  const auto with = [](Rule rule, int line, auto step) {
    Sgdma d("msgdma,length=16,realign=0,depth=8");
    step(d);
    d.run();
    d.objected(rule, line);
  };
  with(Rule::kGoMissing, __LINE__, [](Sgdma &d) { d.give(kSend, kFrom, 0, 64, kEop); });
  with(Rule::kFieldMissing, __LINE__, [](Sgdma &d) {
    d.send(kFrom, 64);
    d.put(kSend + kDescriptor + 28, kEop | kGo);
  });
  with(Rule::kLengthZero, __LINE__, [](Sgdma &d) {
    d.give(kSend, kFrom, 0, 0, kEop | kGo);
    d.put(kSend + kControl, kReset);
  });
  with(Rule::kLengthWide, __LINE__, [](Sgdma &d) { d.send(kFrom, 0x10008); });
  with(Rule::kAddressUnaligned, __LINE__, [](Sgdma &d) { d.send(kFrom + 4, 64); });
  with(Rule::kAddressWide, __LINE__, [](Sgdma &d) {
    d.put(kSend + kDescriptor, 0);
    d.put(kSend + kDescriptor + 8, 64);
    d.put(kSend + kDescriptor + 20, 1);
    d.put(kSend + kDescriptor + 28, kGo);
  });
  with(Rule::kDescriptorReserved, __LINE__, [](Sgdma &d) { d.send(kFrom, 64, 1 << 26); });
  with(Rule::kNotModelled, __LINE__, [](Sgdma &d) { d.send(kFrom, 64, 1 << 10); });
  with(Rule::kFifoFull, __LINE__, [](Sgdma &d) {
    for (unsigned n = 0; n < 9; ++n)
      d.receive(kTo, 64); // nothing comes: one is at work, then eight wait
    d.clean();
    CHECK((d.get(kReceive + kStatus) & kFull) != 0);
    d.receive(kTo, 64);
  });
  with(Rule::kResponseFull, __LINE__, [](Sgdma &d) {
    for (unsigned n = 0; n < 17; ++n) { // twice the depth, and one
      d.receive(kTo, 64);
      d.send(kFrom, 64);
      d.run(200);
    }
    CHECK(d.get(kReceive + kResponses) == 16);
  });
  with(Rule::kResponseEmpty, __LINE__, [](Sgdma &d) { d.get(kReceive + kResponse); });
  with(Rule::kDuringReset, __LINE__, [](Sgdma &d) {
    d.put(kSend + kControl, kReset);
    d.put(kSend + kControl, kInterrupts);
  });
  with(Rule::kReservedBit, __LINE__, [](Sgdma &d) { d.put(kSend + kControl, 1 << 8); });
  with(Rule::kRegisterUnknown, __LINE__, [](Sgdma &d) { d.put(kSend + kFill, 0); });
}

} // namespace

void msgdma() {
  packets();
  early();
  copies_stop_and_reset();
  objections();
}

} // namespace bench
