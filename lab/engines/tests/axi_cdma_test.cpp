// AXI CDMA as PG034's programming sequences use it, and what they forbid.
#include "bench.hpp"

namespace bench {

namespace {

constexpr std::uint32_t kControl = 0x00, kStatus = 0x04, kCurrent = 0x08, kTail = 0x10,
                        kSource = 0x18, kDestination = 0x20, kBytesReg = 0x28;
constexpr std::uint32_t kReset = 4, kSg = 8, kIdle = 2, kIoc = 1U << 12, kErr = 1U << 14,
                        kCompleted = 1U << 31;
constexpr std::uint64_t kFrom = kBase + 0x100000, kTo = kBase + 0x200000, kRing = kBase + 0x1000;
constexpr std::uint32_t kFabric = 0xC0000000;

class Cdma : public Bench {
public:
  using Bench::Bench;
  void copy(std::uint64_t from, std::uint64_t to, std::uint32_t bytes) {
    put(kSource, static_cast<std::uint32_t>(from));
    put(kDestination, static_cast<std::uint32_t>(to));
    put(kBytesReg, bytes);
  }
  void descriptor(unsigned n, std::uint32_t bytes) {
    const std::uint64_t d = kRing + n * 0x40ULL;
    std::memset(at(d), 0, 0x40);
    word(d, static_cast<std::uint32_t>(d + 0x40));
    word(d + 8, static_cast<std::uint32_t>(kFrom + n * 4096ULL));
    word(d + 16, static_cast<std::uint32_t>(kTo + n * 4096ULL));
    word(d + 24, bytes);
  }
  void tail(unsigned n) { put(kTail, static_cast<std::uint32_t>(kRing + n * 0x40ULL)); }
  void chain(std::uint32_t threshold = 1) {
    put(kControl, kSg | kIoc | kErr | threshold << 16);
    put(kCurrent, static_cast<std::uint32_t>(kRing));
  }
};

// "Simple CDMA": to the fabric's memory, and back to another place.
void simple() {
  Cdma d("axi-cdma");
  CHECK(d.get(kStatus) == 0x0001000A && d.get(kControl) == 0x00010002);
  d.put(kControl, kIoc | 1 << 16);
  for (const std::uint32_t bytes : {1U, 9U, 4096U, 65536U}) {
    d.fill(kFrom + 5, bytes, bytes);
    d.copy(kFrom + 5, kFabric, bytes);
    CHECK(d.until(kStatus, kIdle | kIoc) && d.device->interrupt());
    d.put(kStatus, kIoc);
    std::uint32_t first = 0; // the processor sees it in the upper half of the window
    std::memcpy(&first, d.at(kFrom + 5), std::min<std::size_t>(bytes, sizeof first));
    CHECK(bytes < 4 || d.get(0x40000) == first);
    d.copy(kFabric, kTo + 3, bytes);
    CHECK(d.until(kStatus, kIdle | kIoc));
    d.put(kStatus, kIoc);
    CHECK(d.same(kFrom + 5, kTo + 3, bytes));
  }
  d.clean();
}

// Chains that go on where the tail was, and the threshold.
void chain() {
  Cdma d("axi-cdma");
  for (unsigned n = 0; n < 8; ++n) {
    d.fill(kFrom + n * 4096ULL, 1000 + n, n);
    d.descriptor(n, 1000 + n);
  }
  d.chain(4);
  d.tail(2);
  CHECK(d.until(kStatus, kIdle) && (d.get(kStatus) & kIoc) == 0);
  CHECK((d.get(kStatus) >> 16 & 0xFF) == 1);
  d.tail(7);
  CHECK(d.until(kStatus, kIdle | kIoc) && d.device->interrupt());
  for (unsigned n = 0; n < 8; ++n) {
    CHECK(d.word(kRing + n * 0x40ULL + 0x1C) == kCompleted);
    CHECK(d.same(kFrom + n * 4096ULL, kTo + n * 4096ULL, 1000 + n));
  }
  CHECK(d.get(kCurrent) == kRing + 7 * 0x40);
  d.clean();
}

void errors() {
  Cdma d("axi-cdma");
  d.put(kControl, kErr | 1 << 16);
  d.copy(kFrom, 0x10, 64);
  CHECK(d.until(kStatus, kIdle | kErr | 1 << 6) && d.device->interrupt());
  d.put(kControl, kReset);
  d.run(100);
  CHECK(d.get(kStatus) == 0x0001000A);
  d.copy(kFrom, kTo, 64);
  CHECK(d.until(kStatus, kIdle | kIoc));
  d.clean();
}

void objections() {
  const auto with = [](Rule rule, int line, auto step) {
    Cdma d("axi-cdma,length=16,realign=0");
    for (unsigned n = 0; n < 4; ++n)
      d.descriptor(n, 64);
    step(d);
    d.run();
    d.objected(rule, line);
  };
  with(Rule::kBusyWrite, __LINE__, [](Cdma &d) {
    d.copy(kFrom, kTo, 65528);
    d.put(kSource, 0);
  });
  with(Rule::kLengthZero, __LINE__, [](Cdma &d) {
    d.copy(kFrom, kTo, 0);
    CHECK((d.get(kStatus) & 1 << 4) != 0);
  });
  with(Rule::kLengthWide, __LINE__, [](Cdma &d) { d.copy(kFrom, kTo, 0x10008); });
  with(Rule::kAddressUnaligned, __LINE__, [](Cdma &d) { d.copy(kFrom, kTo + 4, 64); });
  with(Rule::kOtherMode, __LINE__, [](Cdma &d) { d.tail(0); });
  with(Rule::kOtherMode, __LINE__, [](Cdma &d) {
    d.chain();
    d.put(kBytesReg, 8);
  });
  with(Rule::kCurrentMissing, __LINE__, [](Cdma &d) {
    d.put(kControl, kSg | 1 << 16);
    d.tail(0);
  });
  with(Rule::kCurrentRunning, __LINE__, [](Cdma &d) {
    d.chain();
    d.tail(3);
    d.put(kCurrent, static_cast<std::uint32_t>(kRing));
  });
  with(Rule::kTailCompleted, __LINE__, [](Cdma &d) {
    d.chain();
    d.word(kRing + 0x40 + 0x1C, kCompleted);
    d.word(kRing + 24, 0x8000); // long enough for the reset to come before it is fetched
    d.tail(1);
    d.put(kControl, kReset);
  });
  with(Rule::kDescriptorStale, __LINE__, [](Cdma &d) {
    d.chain();
    d.word(kRing + 0x1C, kCompleted);
    d.tail(1);
    CHECK(d.until(kStatus, kIdle | kErr | 1 << 8));
  });
  with(Rule::kStartAfterError, __LINE__, [](Cdma &d) {
    d.copy(kFrom, 0x10, 64);
    CHECK(d.until(kStatus, kIdle | kErr));
    d.copy(kFrom, kTo, 64);
  });
  with(Rule::kThresholdZero, __LINE__, [](Cdma &d) { d.put(kControl, kSg); });
  with(Rule::kStatusReadOnly, __LINE__, [](Cdma &d) { d.put(kStatus, kIdle); });
  with(Rule::kReservedBit, __LINE__, [](Cdma &d) { d.put(kControl, 1 | 1 << 16); });
}

} // namespace

void axi_cdma() {
  simple();
  chain();
  errors();
  objections();
}

} // namespace bench
