// Engines outside that act by the same rules as those of the model get the same run.
#include "axiometer/model/stepped_chip.hpp"

#include <deque>
#include <random>
#include <vector>

#include "axiometer/model/simulator.hpp"
#include "check.hpp"
#include "results.hpp"

using namespace axm;
using results::same;

namespace {

// Two duplex ports that share a path; every limit of the model is felt.
SystemConfig two_duplex_ports() {
  SystemConfig c;
  c.clocks = {4, 21};
  c.dram.timing = {7, 6, 7, 7, 19, 26, 6, 21, 4, 4, 4, 8, 84, 4064, 7};
  c.dram.bytes = 1u << 26;
  c.controller.policy = "zynq-ddrc";
  c.controller.number("starve_clocks") = 64;
  c.controller.number("run_length") = 8;
  c.controller.number("min_non_critical_clocks") = 32;
  PathConfig path;
  path.name = "both";
  path.inflight[kRead] = path.inflight[kWrite] = 14;
  path.release_clocks[kRead] = path.release_clocks[kWrite] = 46;
  path.column_clocks = 6;
  path.ordered[kRead] = true;
  c.paths = {path};
  for (int p = 0; p < 2; ++p) {
    PortConfig port;
    port.name = "P" + std::to_string(p);
    port.part_bytes = 64;
    port.request_cycles[kRead] = port.request_cycles[kWrite] = 4;
    port.return_cycles = 4;
    port.response_clocks = 6;
    c.ports.push_back(port);
    for (const Dir d : {kWrite, kRead}) {
      StreamConfig s;
      s.port = p;
      s.dir = d;
      s.base = static_cast<std::uint64_t>(2 * p + d) << 20;
      s.bytes = 64 * 1024;
      s.partner = 2 * p + (d == kWrite ? 1 : 0);
      s.loopback_bursts = 8;
      s.loopback_cycles = 4;
      c.streams.push_back(s);
    }
  }
  return c;
}

// An engine as docs/hardware.md describes it, "When an engine acts".
struct Engine {
  StreamConfig config;
  Cycle launch = 0;
  std::int64_t begun = 0, answered = 0; // bursts
  int beats_left = 0;                   // of the burst whose data move
  std::vector<Cycle> last_beats;        // of each burst

  int beats() const { return config.burst_bytes / 8; }
  std::int64_t total() const {
    return static_cast<std::int64_t>(config.bytes) / config.burst_bytes;
  }
  bool done() const { return answered == total(); }

  bool may_begin(Cycle now, const Engine &partner) const {
    if (now < launch || begun == total() || begun - answered >= config.outstanding)
      return false;
    const auto others = static_cast<std::int64_t>(partner.last_beats.size());
    if (config.dir == kWrite)
      return beats_left == 0 && begun < others &&
             partner.last_beats[static_cast<std::size_t>(begun)] + config.loopback_cycles <= now;
    return begun - others < config.loopback_bursts;
  }
};

RepeatResult run_outside(const SystemConfig &c, const RepeatStart &start) {
  const auto chip = make_stepped(c, start);
  std::vector<Engine> engines;
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    engines.push_back({c.streams[i], start.launch[i], 0, 0, 0, {}});
  for (int spare = 0; spare < 200;) {
    const Cycle now = chip->now();
    const std::vector<Engine> before = engines; // what registers hold in this cycle
    bool done = true;
    for (std::size_t i = 0; i < engines.size(); ++i) {
      Engine &e = engines[i];
      const bool begins =
          before[i].may_begin(now, before[static_cast<std::size_t>(e.config.partner)]);
      std::optional<BurstRequest> request;
      if (begins)
        request = BurstRequest{e.config.base +
                                   static_cast<std::uint64_t>(e.begun++ * e.config.burst_bytes),
                               e.beats(), 8};
      bool moves = false;
      bool answers = false;
      if (e.config.dir == kRead) {
        moves = chip->is_due(i);
        if (moves && ++e.beats_left == e.beats()) {
          e.beats_left = 0;
          ++e.answered;
          e.last_beats.push_back(now);
        }
      } else {
        if (begins)
          e.beats_left = e.beats();
        moves = e.beats_left > 0 && chip->takes_write_beat(i, begins ? e.beats() : 0);
        if (moves && --e.beats_left == 0)
          e.last_beats.push_back(now);
        answers = chip->is_due(i);
        e.answered += answers ? 1 : 0;
      }
      chip->drive(i, request, moves, answers);
      done = done && e.done();
    }
    chip->step();
    spare += done ? 1 : 0;
  }
  return chip->result(nullptr);
}

} // namespace

// The same run with engines outside as inside: the same results. The event-driven machine, which
// shares no rule of time with either, has them, too.
void compare(const SystemConfig &c, Clk first_refresh) {
  RepeatStart start;
  start.launch = {50, 93, 151, 198};
  start.first_refresh = first_refresh;
  const RepeatResult plain = run_plain(c, start, nullptr);
  same(plain, run_outside(c, start), c.streams.size());
  same(plain, make_simulator(c)->run(start, {}), c.streams.size());
}

TEST(engines_outside_get_the_run_of_the_plain_model) { compare(two_duplex_ports(), 777); }

// The stepped chip leaves out clocks that decide nothing, the plain model none: every limit is the
// one that ends a wait in some of these.
TEST(clocks_that_are_left_out_decide_nothing) {
  std::mt19937 random(1);
  const auto some = [&](int most) { return static_cast<int>(random() % (most + 1U)); };
  for (int trial = 0; trial < 40; ++trial) {
    SystemConfig c = two_duplex_ports();
    DramTiming &t = c.dram.timing;
    t.tRC += some(40);
    t.tFAW += some(60);
    t.tRTP += some(30);
    t.tRRD += some(4);
    t.tWR += some(10);
    t.tREFI = 1000 + some(2000);
    c.controller.number("starve_clocks") = 8 + some(100);
    c.controller.number("min_non_critical_clocks") = some(150);
    c.controller.number("prepare_window") = 1 + some(15);
    const int burst = 64 << some(1);
    for (StreamConfig &s : c.streams) {
      s.base = static_cast<std::uint64_t>(some(1 << 10)) << 14;
      s.bytes = 8 * 1024;
      s.burst_bytes = burst;
    }
    compare(c, 100 + some(1000));
  }
}

TEST(a_response_that_is_not_taken_waits) {
  SystemConfig c = two_duplex_ports();
  c.streams = {c.streams[0]};
  c.streams[0].partner = -1;
  RepeatStart start;
  start.launch = {0};
  const auto chip = make_stepped(c, start);
  int left = 16;
  for (; chip->now() < 200; chip->step()) {
    const bool moves = left > 0 && chip->takes_write_beat(0, chip->now() == 0 ? 16 : 0);
    left -= moves ? 1 : 0;
    const auto burst = chip->now() == 0 ? std::optional(BurstRequest{0, 16, 8}) : std::nullopt;
    chip->drive(0, burst, moves, chip->now() == 150);
    if (chip->now() == 149)
      CHECK(chip->is_due(0));
  }
  CHECK_EQ(chip->result(nullptr).streams[0].stats.latency_sum, 150);
}

TEST(unaligned_bursts_touch_the_parts_that_they_lie_in) {
  SystemConfig c = two_duplex_ports();
  c.streams = {c.streams[1]};
  c.streams[0].partner = -1;
  RepeatStart start;
  start.launch = {0};
  const auto chip = make_stepped(c, start);
  int beats = 0;
  for (; chip->now() < 300; chip->step()) {
    const auto burst = chip->now() == 0 ? std::optional(BurstRequest{60, 9, 8}) : std::nullopt;
    const bool moves = chip->is_due(0);
    beats += moves ? 1 : 0;
    chip->drive(0, burst, moves, false);
  }
  CHECK_EQ(beats, 9);
  const RepeatResult r = chip->result(nullptr);
  CHECK_EQ(r.streams[0].bytes, 68u);  // 60 to 127
  CHECK_EQ(r.dram.counts[kReads], 3); // 32-byte columns 1 to 3
}
