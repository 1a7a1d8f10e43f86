// Engines outside that act as docs/hardware.md describes the traffic generator get the run of
// the UltraScale+ model; and what free runs of that model measure, by laws.
#include <vector>

#include "axiometer/model/simulator.hpp"
#include "axiometer/model/stepped_chip.hpp"
#include "check.hpp"
#include "clocked_configs.hpp"
#include "results.hpp"

using namespace axm;
using configs::three_ports;
using results::same;

namespace {

struct Engine {
  StreamConfig config;
  Cycle launch = 0, may_begin_at = 0;
  std::int64_t begun = 0, done = 0; // bursts
  int beats_left = 0;               // of the burst whose data move

  int beats() const { return config.burst_bytes / 16; }
  bool may_begin(Cycle now, Cycle stop) const {
    return now >= launch && now < stop && now >= may_begin_at &&
           begun - done < config.outstanding && (config.dir == kRead || beats_left == 0);
  }
};

RepeatResult run_outside(const SystemConfig &c, const RepeatStart &start, Trace *trace) {
  const auto chip = make_stepped(c, start);
  std::vector<Engine> engines;
  for (std::size_t i = 0; i < c.streams.size(); ++i)
    engines.push_back({c.streams[i], start.launch[i]});
  for (bool done = false; !done || chip->now() < start.stop;) {
    const Cycle now = chip->now();
    done = true;
    for (std::size_t i = 0; i < engines.size(); ++i) {
      Engine &e = engines[i];
      const StreamConfig &s = e.config;
      std::optional<BurstRequest> request;
      if (e.may_begin(now, start.stop)) {
        CHECK(chip->takes_address(i));
        const auto lap = static_cast<std::int64_t>(s.region) / s.burst_bytes;
        request = BurstRequest{s.base + static_cast<std::uint64_t>(e.begun++ % lap * s.burst_bytes),
                               e.beats(), 16};
        if (s.dir == kRead)
          e.may_begin_at = s.gap_cycles > 0 ? now + e.beats() + s.gap_cycles : now + 1;
      }
      bool moves = false, answers = false;
      if (s.dir == kRead) {
        moves = chip->is_due(i);
        if (moves && ++e.beats_left == e.beats()) {
          e.beats_left = 0;
          ++e.done;
        }
      } else {
        if (request)
          e.beats_left = e.beats();
        moves = e.beats_left > 0 && chip->takes_write_beat(i, request ? e.beats() : 0);
        if (moves && --e.beats_left == 0)
          e.may_begin_at = now + 1 + s.gap_cycles;
        answers = chip->is_due(i);
        e.done += answers ? 1 : 0;
      }
      chip->drive(i, request, moves, answers);
      done = done && e.done == e.begun && e.begun > 0;
    }
    chip->step();
  }
  for (int i = 0; i < 100; ++i)
    chip->step();
  return chip->result(trace);
}

} // namespace

TEST(engines_outside_get_the_run_of_the_model) {
  for (const int burst : {16, 80, 256, 1152})
    for (const int gap : {0, 3})
      for (const Cycle stop : {900, 4000, 30000}) {
        const SystemConfig c = three_ports(burst, gap);
        RepeatStart start;
        start.launch = {0, 20, 63, 63, 151, 151};
        start.first_refresh = 777;
        start.stop = stop;
        Trace ours, theirs;
        RunOptions options;
        options.trace = &theirs;
        const RepeatResult a = make_simulator(c)->run(start, options);
        const RepeatResult b = run_outside(c, start, &ours);
        same(a, b, a.streams.size());
        CHECK(ours.size() >= theirs.size());
        for (std::size_t s = 0; s < a.streams.size(); ++s) {
          // All bursts that began are complete, and in the whole run's accounting.
          CHECK_EQ(b.whole[s].bytes % static_cast<std::uint64_t>(burst), 0u);
          CHECK_EQ(static_cast<std::int64_t>(b.whole[s].bytes) / burst, b.whole[s].stats.bursts);
          CHECK(b.whole[s].bytes > b.streams[s].bytes);
        }
      }
}

TEST(a_response_that_is_not_taken_waits) {
  SystemConfig c = three_ports(64, 0);
  c.streams = {c.streams[1]};
  RepeatStart start;
  start.launch = {0};
  start.stop = 200;
  const auto chip = make_stepped(c, start);
  int left = 4;
  for (; chip->now() < 200; chip->step()) {
    const auto burst = chip->now() == 0 ? std::optional(BurstRequest{0, 4, 16}) : std::nullopt;
    const bool moves = left > 0 && chip->takes_write_beat(0, chip->now() == 0 ? 4 : 0);
    left -= moves ? 1 : 0;
    chip->drive(0, burst, moves, chip->now() == 150);
    if (chip->now() == 149)
      CHECK(chip->is_due(0));
  }
  CHECK_EQ(chip->result(nullptr).whole[0].stats.latency_sum, 150);
}

TEST(beats_that_the_master_does_not_take_are_its_doing) {
  SystemConfig c = three_ports(64, 0);
  c.streams = {c.streams[0], c.streams[1]};
  RepeatStart start;
  start.launch = {0, 0};
  start.stop = 400;
  const auto chip = make_stepped(c, start);
  std::optional<Cycle> offered;
  for (; chip->now() < 400; chip->step()) {
    const bool first = chip->now() == 0;
    const auto burst = first ? std::optional(BurstRequest{0, 4, 16}) : std::nullopt;
    chip->drive(0, burst, false, false);
    chip->drive(1, burst, false, false);
    if (!offered && chip->is_due(0))
      offered = chip->now();
    CHECK(chip->takes_write_beat(1, first ? 4 : 0));
  }
  const auto read = chip->result(nullptr).whole[0].stats.classes;
  CHECK(offered.has_value());
  CHECK_EQ(read[kMaster], 400 - *offered);
  CHECK_EQ(read[kPath] + read[kController] + read[kLatency], *offered);
}

TEST(a_fifo_of_one_part_has_one_part_under_way) {
  SystemConfig c = three_ports(256, 0);
  c.streams = {c.streams[0]};
  c.ports[0].fifo_bytes[kRead] = 256;
  RepeatStart start;
  start.launch = {0};
  start.stop = 20000;
  const RepeatResult r = make_simulator(c)->run(start, {});
  // The request travels 100 clocks.
  CHECK(r.streams[0].bytes > 0);
  CHECK(static_cast<std::int64_t>(r.streams[0].bytes) <= (r.clocks / 100 + 1) * 256);
}

TEST(a_run_without_blocks_is_measured_from_settle_to_stop) {
  SystemConfig c = three_ports(256, 0);
  c.measure = {500, 0, 0};
  RepeatStart start;
  start.launch.assign(6, 0);
  start.stop = 3000;
  const RepeatResult r = make_simulator(c)->run(start, {});
  CHECK_EQ(r.begins, 500);
  CHECK_EQ(r.cycles, 2500);
  for (const StreamResult &s : r.streams)
    CHECK_EQ(s.launch, 0); // times are those of the measured part, in which all run
}

TEST(a_block_may_be_a_cycle) {
  SystemConfig c = three_ports(256, 0);
  c.measure = {500, 1, 0};
  RepeatStart start;
  start.launch.assign(6, 0);
  start.stop = 3000;
  CHECK(make_simulator(c)->run(start, {}).half_width >= 0); // enough batches to judge
}

TEST(the_two_inputs_of_an_accelerator_lie_in_the_halves_of_its_region) {
  SystemConfig c = three_ports(64, 0);
  c.ports.resize(1);
  c.streams.resize(2);
  c.convolution.lanes = 1;
  for (StreamConfig &s : c.streams)
    s.region = 1u << 20; // eight rows
  RepeatStart start;
  start.launch.assign(2, 0);
  start.stop = 5000;
  Trace trace;
  RunOptions options;
  options.trace = &trace;
  make_simulator(c)->run(start, options);
  bool lower = false, upper = false;
  for (const TraceEntry &t : trace)
    if (t.command == Command::read) {
      lower = lower || t.row == 0;
      upper = upper || t.row == 4;
      CHECK(t.row < 8);
    }
  CHECK(lower && upper);
}
