// Unit tests of the ports between a design and the chip, and of what watches them.
#include <array>
#include <optional>
#include <random>
#include <utility>

#include "axi_port.hpp"
#include "memory.hpp"
#include "unit.hpp"
#include "watchdog.hpp"
#include "work.hpp"

using namespace axm;
using namespace axm::cosim;
using namespace axm::cosim::unit;

namespace {

// What a master did, clock by clock, until the port has nothing left to do.
template <class Behind> struct BenchOf {
  std::unique_ptr<SteppedChip> chip = make_stepped(one_port(), RepeatStart{{0, 0}, 1000});
  Behind memory{1 << 20};
  Faults faults;
  AxiPort port{0, {{0}, {1}, 4}, 8, true, false};

  BenchOf() { port.connect(chip.get()); }
  ToMaster clock(const FromMaster &m) {
    const ToMaster t = port.offer(m, memory, faults);
    port.commit(m, memory, faults);
    chip->step();
    return t;
  }
  std::string violation_of(const FromMaster &m) {
    clock(m);
    return port.violation();
  }
};

using Bench = BenchOf<Memory>;

FromMaster read_of(std::uint64_t address, int beats, int beat_bytes) {
  FromMaster m;
  m.ar = {true, address, 3, beats, beat_bytes, 1};
  m.r_ready = true;
  return m;
}

void the_port_sees_what_is_not_axi() {
  CHECK(Bench().violation_of(read_of(0, 16, 8)).empty());
  CHECK(Bench().violation_of(read_of(0, 17, 8)).find("AXI3") != std::string::npos);
  CHECK(Bench().violation_of(read_of(4096 - 64, 9, 8)).find("4 KiB") != std::string::npos);
  CHECK(Bench().violation_of(read_of(0, 1, 16)).find("wider") != std::string::npos);
  FromMaster m;
  m.aw = {true, 0, 3, 2, 8, 1};
  m.w_valid = m.w_last = true;
  m.w_id = 3;
  CHECK(Bench().violation_of(m).find("WLAST") != std::string::npos);
  m.w_last = false;
  m.w_id = 2;
  CHECK(Bench().violation_of(m).find("ID") != std::string::npos);
}

// As an emulated machine has it: elsewhere on the bus, and it may change or go at any time.
class Elsewhere final : public PortMemory {
public:
  static constexpr std::uint64_t kBase = 0x40000000;
  explicit Elsewhere(std::uint64_t size) : memory_(size), size_(size) {}
  bool holds(std::uint64_t address, std::uint64_t bytes) const override {
    return address >= kBase && memory_.holds(address - kBase, bytes);
  }
  bool read(std::uint64_t address, std::size_t bytes, std::uint8_t *out) const override {
    return there && memory_.read(address - kBase, bytes, out);
  }
  bool write(std::uint64_t address, std::size_t bytes, const std::uint8_t *in,
             std::uint64_t strobes) override {
    return there && memory_.write(address - kBase, bytes, in, strobes);
  }
  std::uint64_t in_chip(std::uint64_t address) const override { return address % size_; }
  bool there = true;

private:
  Memory memory_;
  std::uint64_t size_;
};

// A master that reads and writes at random, and takes what comes at random.
class Draws {
public:
  FromMaster next(std::uint64_t base) {
    const auto any = [&](unsigned n) { return draw_() % n; };
    FromMaster m;
    const auto address = [&] {
      return FromMaster::Address{true, base + any(4096) * 128, 3, 1 + static_cast<int>(any(16)), 8};
    };
    if (!reads_ && any(4) == 0)
      ar_ = address(), reads_ = true;
    if (!writes_ && any(4) == 0)
      aw_ = address(), writes_ = true, sent_ = 0, given_ = false;
    m.ar = ar_;
    m.ar.valid = reads_;
    m.aw = aw_;
    m.aw.valid = writes_ && !given_;
    m.w_valid = writes_ && sent_ < aw_.beats;
    m.w_last = sent_ + 1 == aw_.beats;
    m.w_id = 3;
    m.w_strobes = 0xff;
    m.r_ready = any(3) != 0;
    m.b_ready = any(3) != 0;
    return m;
  }
  void took(const FromMaster &m, const ToMaster &t) {
    if (m.ar.valid && t.ar_ready)
      reads_ = false;
    given_ = given_ || (m.aw.valid && t.aw_ready);
    sent_ += m.w_valid && t.w_ready ? 1 : 0;
    writes_ = writes_ && !(given_ && sent_ == aw_.beats);
  }

private:
  std::mt19937 draw_{7};
  FromMaster::Address ar_, aw_;
  bool reads_ = false, writes_ = false, given_ = false;
  int sent_ = 0;
};

// Whose memory it is makes no difference to when anything happens.
void times_are_the_chips_wherever_the_memory_is() {
  BenchOf<Memory> here;
  BenchOf<Elsewhere> there;
  Draws one, other;
  int beats = 0, answers = 0;
  for (int clock = 0; clock < 20000; ++clock) {
    const FromMaster a = one.next(0), b = other.next(Elsewhere::kBase);
    const ToMaster x = here.clock(a), y = there.clock(b);
    CHECK(x.ar_ready == y.ar_ready && x.aw_ready == y.aw_ready && x.w_ready == y.w_ready);
    CHECK(x.r_valid == y.r_valid && x.r_last == y.r_last && x.b_valid == y.b_valid);
    CHECK(x.r_response == kOkay && y.r_response == kOkay && y.b_response == kOkay);
    beats += x.r_valid && a.r_ready ? 1 : 0;
    answers += x.b_valid && a.b_ready ? 1 : 0;
    one.took(a, x);
    other.took(b, y);
  }
  CHECK(beats > 1000 && answers > 100);
}

void a_beat_that_is_offered_does_not_change() {
  BenchOf<Elsewhere> b;
  const std::array<std::uint8_t, 8> before{1, 2, 3, 4, 5, 6, 7, 8}, after{};
  b.memory.write(Elsewhere::kBase, 8, before.data(), 0xff);
  FromMaster m = read_of(Elsewhere::kBase, 1, 8);
  m.r_ready = false;
  int offered = 0;
  for (int clock = 0; clock < 300; ++clock) {
    const ToMaster t = b.clock(m);
    m.ar.valid = false;
    if (!t.r_valid)
      continue;
    CHECK(std::equal(before.begin(), before.end(), t.r_data.begin()));
    b.memory.write(Elsewhere::kBase, 8, after.data(), 0xff);
    m.r_ready = ++offered == 10;
  }
  CHECK(offered == 11 && b.port.quiet());
}

void memory_that_has_gone_is_answered_with_an_error() {
  BenchOf<Elsewhere> b;
  b.memory.there = false;
  FromMaster m = read_of(Elsewhere::kBase, 1, 8);
  m.aw = {true, Elsewhere::kBase + 64, 3, 1, 8, 1};
  m.w_valid = m.w_last = m.b_ready = true;
  m.w_id = 3;
  m.w_strobes = 0xff;
  int wrong = 0;
  for (int clock = 0; clock < 300; ++clock) {
    const ToMaster t = b.clock(m);
    m.ar.valid = false;
    m.aw.valid = m.aw.valid && !t.aw_ready;
    m.w_valid = m.w_valid && !t.w_ready;
    wrong += t.r_valid && t.r_response == kDecodeError ? 1 : 0;
    wrong += t.b_valid && t.b_response == kDecodeError ? 1 : 0;
  }
  CHECK(wrong == 2 && b.port.quiet());
}

// Each clock from a first handshake to the last one before a rest is work, and no other.
void work_is_from_handshake_to_handshake() {
  using axm::vfio::WorkClock;
  WorkClock work;
  const auto clocks = [&](bool moved, bool quiet, unsigned count) {
    while (count-- > 0)
      work.clock(moved, quiet);
  };
  clocks(false, true, 500);
  CHECK(work.resting() && !work.open() && work.take().clocks == 0);
  clocks(true, false, 1);
  clocks(false, false, 400); // in flight: no rest, however long
  CHECK(work.open() && !work.resting());
  clocks(true, true, 1);
  clocks(false, true, WorkClock::kRest - 1);
  CHECK(work.open());
  clocks(true, true, 1); // the same period
  clocks(false, true, WorkClock::kRest);
  CHECK(!work.open() && work.resting());
  work.touch();
  CHECK(!work.resting() && !work.open());
  clocks(false, true, 1000);
  clocks(true, true, 2);
  const axm::vfio::Work done = work.take();
  CHECK(done.periods == 2);
  CHECK(done.clocks == 402 + WorkClock::kRest + 2);
  CHECK(work.take().clocks == 0);
}

// A design whose read waits for a channel that hangs, and the watchdog's message.
std::string bark(const std::string &fault, Watchdog::Limits limits, int clocks, bool waiting) {
  Bench b;
  Watchdog dog({"HP3"}, limits);
  if (!fault.empty())
    b.faults.add(fault);
  FromMaster m = read_of(0, 4, 8);
  return message([&] {
    for (int clock = 0; clock < clocks; ++clock) {
      const ToMaster t = b.port.offer(m, b.memory, b.faults);
      dog.look(lines_of(m), lines_of(t), lines(0, b.port.reading(), 0, 0, b.port.answering()));
      b.port.commit(m, b.memory, b.faults);
      b.chip->step();
      m.ar.valid = m.ar.valid && !t.ar_ready;
      dog.clock(waiting);
    }
  });
}

void what_hangs_is_named() {
  const Watchdog::Limits limits{1000, 3000, 1e9};
  const std::string data = bark("channel=r kind=hang", limits, 5000, true);
  CHECK(data.find("reading engine at port HP3 waits at channel R") != std::string::npos);
  CHECK(data.find("AR 1, the last 1") != std::string::npos);
  CHECK(data.find("R none") != std::string::npos);
  CHECK(bark("channel=ar kind=hang", limits, 5000, true).find("channel AR") != std::string::npos);
  // An owed answer is also reported when no caller waits.
  CHECK(bark("channel=r kind=hang", limits, 5000, false) == data);
  CHECK(bark("channel=r kind=hang", limits, 900, true).empty());
  CHECK(bark("channel=r kind=hang clocks=900", limits, 2000, true).empty());
  // Nothing is owed, and nothing moves.
  CHECK(bark("", limits, 2900, true).empty());
  CHECK(bark("", limits, 5000, true).find("no port has had a handshake for 3000") !=
        std::string::npos);
  CHECK(bark("", limits, 5000, false).empty());
  // The same by real time: this many clocks take longer than nothing.
  CHECK(bark("channel=r kind=hang", {1u << 30, 1u << 30, 1e-9}, 5000, true).find("HP3") !=
        std::string::npos);
}

} // namespace

void axm::cosim::unit::ports() {
  what_hangs_is_named();
  the_port_sees_what_is_not_axi();
  times_are_the_chips_wherever_the_memory_is();
  a_beat_that_is_offered_does_not_change();
  memory_that_has_gone_is_answered_with_an_error();
  work_is_from_handshake_to_handshake();
}
