// AXI DMA as PG021's programming sequences use it, and each thing that they forbid.
#include "bench.hpp"

namespace bench {

namespace {

constexpr std::uint32_t kSend = 0x00, kReceive = 0x30; // the channels
constexpr std::uint32_t kControl = 0x00, kStatus = 0x04, kCurrent = 0x08, kTail = 0x10,
                        kTailMsb = 0x14, kAddress = 0x18, kAddressMsb = 0x1C, kLength = 0x28;
constexpr std::uint32_t kRun = 1, kReset = 4, kHalted = 1, kIdle = 2, kIoc = 1U << 12,
                        kDly = 1U << 13, kErr = 1U << 14, kEnd = 1U << 26, kStart = 1U << 27,
                        kCompleted = 1U << 31;
constexpr std::uint64_t kSource = kBase + 0x100000, kTarget = kBase + 0x200000,
                        kSendRing = kBase + 0x1000, kReceiveRing = kBase + 0x8000;

class Dma : public Bench {
public:
  using Bench::Bench;
  // "Direct Register Mode", steps 1 to 4.
  void simple(std::uint32_t channel, std::uint64_t address, std::uint32_t bytes) {
    put(channel + kAddress, static_cast<std::uint32_t>(address));
    put(channel + kLength, bytes);
  }
  void start(std::uint32_t more = 0) {
    put(kReceive + kControl, kRun | 1 << 16 | more);
    put(kSend + kControl, kRun | 1 << 16 | more);
    CHECK((get(kReceive + kStatus) & kHalted) == 0);
  }
  void descriptor(std::uint64_t ring, unsigned n, unsigned of, std::uint64_t buffer,
                  std::uint32_t control) {
    const std::uint64_t d = ring + n * 0x40ULL;
    std::memset(at(d), 0, 0x40);
    word(d, static_cast<std::uint32_t>(ring + (n + 1) % of * 0x40));
    word(d + 8, static_cast<std::uint32_t>(buffer));
    word(d + 0x18, control);
  }
  std::uint32_t status(std::uint64_t ring, unsigned n) { return word(ring + n * 0x40ULL + 0x1C); }
  // "Scatter/Gather Mode", steps 1 to 5, but the tail.
  void chains(std::uint32_t more = 0) {
    put(kReceive + kCurrent, static_cast<std::uint32_t>(kReceiveRing));
    put(kSend + kCurrent, static_cast<std::uint32_t>(kSendRing));
    start(more);
  }
  void tail(std::uint32_t channel, unsigned n) {
    put(channel + kTail,
        static_cast<std::uint32_t>((channel == kSend ? kSendRing : kReceiveRing) + n * 0x40ULL));
  }
};

void registers() {
  Dma d("axi-dma-sg");
  CHECK(d.get(kSend + kControl) == 0x00010002 && d.get(kReceive + kStatus) == 0x00010009);
  Dma s("axi-dma");
  CHECK(s.get(kSend + kStatus) == 0x00010001);
}

void simple_mode() {
  Dma d("axi-dma");
  d.start(kIoc);
  unsigned number = 0;
  for (const std::uint32_t bytes : {1U, 7U, 8U, 63U, 64U, 4096U, 65535U}) {
    d.fill(kSource + number, bytes, number);
    d.simple(kReceive, kTarget + 3, 65536);
    d.simple(kSend, kSource + number, bytes);
    CHECK(d.until(kReceive + kStatus, kIdle | kIoc) && d.until(kSend + kStatus, kIdle | kIoc));
    CHECK(d.get(kReceive + kLength) == bytes);
    CHECK(d.same(kSource + number, kTarget + 3, bytes));
    CHECK(d.device->interrupt());
    d.put(kReceive + kStatus, kIoc);
    CHECK(d.device->interrupt()); // the other channel's
    d.put(kSend + kStatus, kIoc);
    CHECK(!d.device->interrupt());
    ++number;
  }
  d.clean();
}

// Packets of several descriptors, in order, with their ends; all bytes arrive.
void chains() {
  Dma d("axi-dma-sg,fifo=64");
  constexpr unsigned kOf = 16;
  for (unsigned n = 0; n < kOf; ++n) {
    d.fill(kSource + n * 4096ULL, 1000 + n, n);
    d.descriptor(kSendRing, n, kOf, kSource + n * 4096ULL,
                 (1000 + n) | (n % 2 == 0 ? kStart : kEnd)); // two for a packet
    d.descriptor(kReceiveRing, n, kOf, kTarget + n * 4096ULL, 2048);
  }
  d.chains();
  d.tail(kReceive, kOf - 1);
  d.tail(kSend, kOf - 1);
  CHECK(d.until(kSend + kStatus, kIdle));
  CHECK(d.until(kReceive + kStatus, kIoc));
  d.run();
  for (unsigned n = 0; n < kOf / 2; ++n) {
    const std::uint32_t bytes = 2001 + 4 * n;
    CHECK(d.status(kReceiveRing, n) == (kCompleted | kStart | kEnd | bytes));
    CHECK(d.same(kSource + 2 * n * 4096ULL, kTarget + n * 4096ULL, 1000 + 2 * n));
    CHECK(d.same(kSource + (2 * n + 1) * 4096ULL, kTarget + n * 4096ULL + 1000 + 2 * n,
                 1001 + 2 * n));
    CHECK(d.status(kSendRing, n) == (kCompleted | (1000 + n)));
  }
  CHECK(d.status(kReceiveRing, kOf / 2) == 0 && (d.get(kReceive + kStatus) & kIdle) == 0);
  d.clean();
}

// A packet over several receive descriptors: SOF in the first, EOF in the last.
void scattered() {
  Dma d("axi-dma-sg");
  d.fill(kSource, 300, 1);
  d.descriptor(kSendRing, 0, 2, kSource, 300 | kStart | kEnd);
  for (unsigned n = 0; n < 4; ++n)
    d.descriptor(kReceiveRing, n, 4, kTarget + n * 128ULL, 128);
  d.chains();
  d.tail(kReceive, 3);
  d.tail(kSend, 0);
  CHECK(d.until(kReceive + kStatus, kIoc));
  CHECK(d.status(kReceiveRing, 0) == (kCompleted | kStart | 128));
  CHECK(d.status(kReceiveRing, 1) == (kCompleted | 128));
  CHECK(d.status(kReceiveRing, 2) == (kCompleted | kEnd | 44));
  CHECK(d.same(kSource, kTarget, 300));
  d.clean();
}

void thresholds_and_delay() {
  Dma d("axi-dma-sg");
  for (unsigned n = 0; n < 8; ++n) {
    d.descriptor(kSendRing, n, 8, kSource, 64 | kStart | kEnd);
    d.descriptor(kReceiveRing, n, 8, kTarget, 64);
  }
  d.put(kReceive + kCurrent, static_cast<std::uint32_t>(kReceiveRing));
  d.put(kSend + kCurrent, static_cast<std::uint32_t>(kSendRing));
  d.put(kReceive + kControl, kRun | kIoc | kDly | 3 << 16 | 2 << 24);
  d.put(kSend + kControl, kRun | 1 << 16);
  d.tail(kReceive, 7);
  d.tail(kSend, 1); // two packets: fewer than the threshold
  CHECK(d.until(kSend + kStatus, kIdle));
  CHECK((d.get(kReceive + kStatus) & kIoc) == 0 && !d.device->interrupt());
  CHECK((d.get(kReceive + kStatus) >> 16 & 0xFF) <= 3);
  CHECK(d.until(kReceive + kStatus, kDly)); // 2 times 125 clocks after the last
  CHECK(d.device->interrupt());
  d.put(kReceive + kStatus, kDly);
  CHECK(!d.device->interrupt());
  d.tail(kSend, 4); // three more
  CHECK(d.until(kReceive + kStatus, kIoc));
  CHECK(d.status(kReceiveRing, 4) != 0);
  d.put(kReceive + kStatus, kIoc);
  d.run(); // nothing is left that the delay would wait for
  CHECK((d.get(kReceive + kStatus) & (kIoc | kDly)) == 0);
  d.clean();
}

void stop_and_reset() {
  Dma d("axi-dma");
  d.start();
  d.simple(kReceive, kTarget, 64);
  d.put(kReceive + kControl, 1 << 16); // it waits for a packet that does not come
  CHECK(d.until(kReceive + kStatus, kHalted));
  d.put(kSend + kControl, kReset);
  CHECK((d.get(kSend + kControl) & kReset) != 0);
  d.run(100);
  CHECK((d.get(kSend + kControl) & kReset) == 0 && d.get(kSend + kStatus) == 0x00010001);
  d.start();
  d.fill(kSource, 64, 2);
  d.simple(kReceive, kTarget, 64);
  d.simple(kSend, kSource, 64);
  CHECK(d.until(kReceive + kStatus, kIdle) && d.same(kSource, kTarget, 64));
  d.clean();
}

void wide_addresses() {
  Dma d("axi-dma-sg,address=64");
  d.descriptor(kSendRing, 0, 1, kSource, 100 | kStart | kEnd);
  d.descriptor(kReceiveRing, 0, 1, kTarget, 128);
  d.fill(kSource, 100, 3);
  d.chains();
  d.tail(kReceive, 0);
  d.tail(kSend, 0);
  d.run();
  CHECK(d.status(kReceiveRing, 0) == 0); // the upper word starts
  d.put(kReceive + kTailMsb, 0);
  d.put(kSend + kTailMsb, 0);
  CHECK(d.until(kReceive + kStatus, kIdle) && d.same(kSource, kTarget, 100));
  d.clean();
}

// Errors that are no fault of the sequence: memory that does not answer.
void decode_errors() {
  Dma s("axi-dma");
  s.start(kErr);
  s.simple(kSend, 0x10, 64);
  CHECK(s.until(kSend + kStatus, kHalted | kErr | 1 << 6) && s.device->interrupt());
  CHECK((s.get(kSend + kControl) & kRun) == 0);
  Dma d("axi-dma-sg");
  d.descriptor(kSendRing, 0, 1, 0x10, 64 | kStart | kEnd);
  d.chains();
  d.tail(kSend, 0);
  CHECK(d.until(kSend + kStatus, kHalted | kErr | 1 << 6));
  CHECK((d.status(kSendRing, 0) & 1 << 30) != 0);
  d.clean();
}

void objections_simple() {
  {
    Dma d("axi-dma");
    d.put(kSend + kLength, 64);
    OBJECTED(d, kLengthHalted);
  }
  {
    Dma d("axi-dma");
    d.start();
    d.put(kSend + kLength, 0);
    OBJECTED(d, kLengthZero);
  }
  {
    Dma d("axi-dma,length=14");
    d.start();
    d.simple(kSend, kSource, 0x4010);
    OBJECTED(d, kLengthWide);
  }
  {
    Dma d("axi-dma");
    d.start();
    d.simple(kReceive, kTarget, 64);
    d.simple(kReceive, kTarget, 64);
    OBJECTED(d, kLengthBusy);
  }
  {
    Dma d("axi-dma,realign=0");
    d.start();
    d.simple(kReceive, kTarget + 8, 64);
    d.clean();
    d.simple(kSend, kSource + 4, 64);
    OBJECTED(d, kAddressUnaligned);
  }
  {
    Dma d("axi-dma");
    d.start();
    d.put(kSend + kAddressMsb, 1);
    OBJECTED(d, kAddressWide);
  }
  {
    Dma d("axi-dma");
    d.start();
    d.simple(kReceive, kTarget, 63);
    d.simple(kSend, kSource, 64);
    CHECK(d.until(kReceive + kStatus, kHalted | kErr | 1 << 4));
    OBJECTED(d, kReceiveSpace);
  }
  {
    Dma d("axi-dma", 50);
    d.start();
    d.simple(kSend, kSource, 65535);
    d.put(kSend + kControl, 1 << 16);
    d.put(kSend + kAddress, 0); // not halted yet
    OBJECTED(d, kRestartEarly);
  }
  {
    Dma d("axi-dma");
    d.start();
    d.simple(kSend, 0x10, 64);
    d.run();
    d.put(kSend + kControl, kRun | 1 << 16);
    OBJECTED(d, kStartAfterError);
  }
  {
    Dma d("axi-dma");
    d.put(kSend + kControl, kReset);
    d.put(kSend + kControl, kRun);
    OBJECTED(d, kDuringReset);
  }
  {
    Dma d("axi-dma");
    d.put(kSend + kControl, kRun | 1 << 5 | 1 << 16);
    OBJECTED(d, kReservedBit);
  }
  {
    Dma d("axi-dma");
    d.put(kSend + kStatus, kIoc | 1);
    OBJECTED(d, kStatusReadOnly);
  }
  {
    Dma d("axi-dma");
    d.put(kSend + kTail, static_cast<std::uint32_t>(kSendRing)); // there is no scatter-gather
    OBJECTED(d, kRegisterUnknown);
  }
}

void objections_chains() {
  const auto with = [](Rule rule, int line, auto step) {
    Dma d("axi-dma-sg,length=16");
    for (unsigned n = 0; n < 4; ++n) {
      d.descriptor(kSendRing, n, 4, kSource, 64 | kStart | kEnd);
      d.descriptor(kReceiveRing, n, 4, kTarget, 64);
    }
    step(d);
    d.run();
    d.objected(rule, line);
  };
  with(Rule::kCurrentRunning, __LINE__, [](Dma &d) {
    d.chains();
    d.put(kSend + kCurrent, static_cast<std::uint32_t>(kSendRing));
  });
  with(Rule::kPointerUnaligned, __LINE__,
       [](Dma &d) { d.put(kSend + kCurrent, static_cast<std::uint32_t>(kSendRing + 32)); });
  with(Rule::kTailHalted, __LINE__, [](Dma &d) { d.tail(kSend, 0); });
  with(Rule::kTailOutside, __LINE__, [](Dma &d) {
    d.chains();
    d.put(kSend + kTail, 0x40);
    d.put(kSend + kControl, 1 << 16);
  });
  with(Rule::kTailCompleted, __LINE__, [](Dma &d) {
    d.chains();
    d.word(kSendRing + 0x40 + 0x1C, kCompleted);
    d.tail(kSend, 1);
    d.put(kSend + kControl, 1 << 16);
  });
  with(Rule::kDescriptorStale, __LINE__, [](Dma &d) {
    d.chains();
    d.word(kSendRing + 0x1C, kCompleted);
    d.tail(kSend, 1);
    CHECK(d.until(kSend + kStatus, kHalted | kErr | 1 << 8));
  });
  with(Rule::kDescriptorEmpty, __LINE__, [](Dma &d) {
    d.descriptor(kSendRing, 0, 4, kSource, kStart | kEnd);
    d.chains();
    d.tail(kSend, 0);
    CHECK(d.until(kSend + kStatus, kHalted | kErr | 1 << 4));
  });
  with(Rule::kDescriptorWide, __LINE__, [](Dma &d) {
    d.descriptor(kSendRing, 0, 4, kSource, 0x10040 | kStart | kEnd);
    d.chains();
    d.tail(kSend, 0);
  });
  with(Rule::kDescriptorReserved, __LINE__, [](Dma &d) {
    d.descriptor(kSendRing, 0, 4, kSource, 64 | kStart | kEnd | 1 << 28);
    d.chains();
    d.tail(kSend, 0);
  });
  with(Rule::kFrameOrder, __LINE__, [](Dma &d) {
    d.descriptor(kSendRing, 0, 4, kSource, 64 | kEnd);
    d.chains();
    d.tail(kSend, 0);
  });
  with(Rule::kReceiveSpace, __LINE__, [](Dma &d) {
    d.descriptor(kSendRing, 0, 4, kSource, 200 | kStart | kEnd);
    d.chains();
    d.tail(kReceive, 1);
    d.tail(kSend, 0);
  });
  with(Rule::kCurrentMissing, __LINE__, [](Dma &d) {
    d.start();
    d.memory.map(0, 4096, -1, 0, true); // a descriptor is looked for at 0, and is not there
    d.put(kSend + kTail, static_cast<std::uint32_t>(kSendRing));
  });
  with(Rule::kThresholdZero, __LINE__, [](Dma &d) { d.put(kSend + kControl, kRun); });
  with(Rule::kNotModelled, __LINE__, [](Dma &d) { d.put(kSend + kControl, 1 << 16 | 1 << 4); });
  with(Rule::kRegisterUnknown, __LINE__, [](Dma &d) { d.put(kSend + kLength, 64); });
}

} // namespace

void axi_dma() {
  registers();
  simple_mode();
  chains();
  scattered();
  thresholds_and_delay();
  stop_and_reset();
  wide_addresses();
  decode_errors();
  objections_simple();
  objections_chains();
}

} // namespace bench
