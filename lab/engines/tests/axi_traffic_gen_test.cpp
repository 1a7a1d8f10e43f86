// AXI Traffic Generator as its product guide has it used, and what it forbids.
#include "bench.hpp"

namespace bench {

namespace {

constexpr std::uint32_t kControl = 0x00, kStatus = 0x08, kEnables = 0x0C, kParameters = 0x1000,
                        kCommands = 0x8000, kRam = 0xC000;
constexpr std::uint32_t kOn = 1U << 20, kDone = 1U << 31, kValid = 1U << 31, kSize = 3 << 12,
                        kIncr = 1 << 10, kReadResponse = 1U << 17, kWriteResponse = 1U << 18;
constexpr std::uint64_t kFrom = kBase + 0x100000, kTo = kBase + 0x200000;

class Generator : public Bench {
public:
  explicit Generator(const std::string &engine) : Bench(engine) {
    command(0, 0, 0, 0);
    command(1, 0, 0, 0);
  }
  // The nth command of the reads (side 0) or writes: a burst of `beats`, 0: the end of the list.
  void command(unsigned side, unsigned n, std::uint64_t address, std::uint32_t beats,
               std::uint32_t place = 0, std::uint32_t more = 0, std::uint32_t depends = 0) {
    const std::uint32_t at = kCommands + side * 0x1000 + n * 16;
    put(kParameters + side * 0x400 + n * 4, 0);
    put(at, static_cast<std::uint32_t>(address));
    put(at + 8, place | depends);
    put(at + 12, 0);
    put(at + 4, beats == 0 ? 0 : kValid | kSize | kIncr | (beats - 1) | more);
  }
  void go() { put(kControl, kOn); }
};

void moves() {
  Generator d("axi-traffic-gen");
  d.fill(kFrom, 4096, 1);
  for (std::uint32_t n = 0; n < 512; ++n)
    d.put(kRam + n * 4, 7 * n);
  for (unsigned n = 0; n < 8; ++n) {
    d.command(0, n, kFrom + n * 128ULL, 16, 0x1000 + n * 128);
    d.command(1, n, kTo + n * 128ULL, 16, n * 128);
  }
  d.command(0, 8, 0, 0);
  d.command(1, 8, 0, 0);
  d.put(kEnables, kDone);
  d.go();
  CHECK((d.get(kControl) & kOn) != 0 && !d.device->interrupt());
  CHECK(d.until(kStatus, kDone) && d.device->interrupt() && (d.get(kControl) & kOn) == 0);
  d.put(kStatus, kDone);
  CHECK(!d.device->interrupt() && d.get(kStatus) == 0);
  for (std::uint32_t n = 0; n < 256; ++n) {
    CHECK(d.word(kTo + n * 4ULL) == 7 * n);
    CHECK(d.get(kRam + 0x1000 + n * 4) == d.word(kFrom + n * 4ULL));
  }
  CHECK(d.word(kTo + 1024) == 0);
  d.clean();
}

void errors() {
  Generator d("axi-traffic-gen");
  d.command(0, 0, 0x1000, 16, 0x1000);
  d.command(1, 0, 0x1000, 16);
  d.command(0, 1, 0, 0);
  d.command(1, 1, 0, 0);
  d.put(kEnables, kReadResponse | kWriteResponse);
  d.go();
  CHECK(d.until(kStatus, kDone | kReadResponse | kWriteResponse));
  d.clean();
}

void objections() {
  const auto with = [](Rule rule, int line, auto step) {
    Generator d("axi-traffic-gen");
    step(d);
    d.command(1, 1, 0, 0);
    d.go();
    d.run(2000);
    d.objected(rule, line);
  };
  with(Rule::kRamBusy, __LINE__, [](Generator &d) {
    d.command(1, 0, kTo, 16);
    d.go();
    d.put(kRam, 1);
    d.run(2000);
  });
  with(Rule::kCommandParameters, __LINE__, [](Generator &d) {
    d.put(kCommands + 0x1000 + 8, 0);
    for (unsigned n = 2; n < 4; ++n) { // never reported
      d.put(kCommands + 0x1000 + n * 16, static_cast<std::uint32_t>(kTo));
      d.put(kCommands + 0x1000 + n * 16 + 8, 0);
    }
    d.command(1, 0, kTo, 1);
    d.command(1, 1, kTo, 1);
    d.put(kCommands + 0x1000 + 2 * 16 + 4, kValid | kSize | kIncr);
    d.go();
    d.run(2000);
  });
  with(Rule::kDescriptorReserved, __LINE__,
       [](Generator &d) { d.command(1, 0, kTo, 16, 0, 1 << 24); });
  with(Rule::kNotModelled, __LINE__, [](Generator &d) { d.command(1, 0, kTo, 16, 0, 0, 1 << 13); });
  with(Rule::kPlaceUnaligned, __LINE__, [](Generator &d) { d.command(1, 0, kTo, 16, 4); });
  with(Rule::kBurstCrosses, __LINE__, [](Generator &d) { d.command(1, 0, kTo + 4032, 16); });
  with(Rule::kReservedBit, __LINE__, [](Generator &d) { d.put(kStatus, 1 << 8); });
  with(Rule::kRegisterUnknown, __LINE__, [](Generator &d) { d.get(kParameters); });
}

} // namespace

void axi_traffic_gen() {
  moves();
  errors();
  objections();
}

} // namespace bench
