// Laws of bursts from outside in an UltraScale+ run: they are ordinary ones except for their
// origin, and when the run is looked at changes nothing.
#include <algorithm>
#include <utility>
#include <vector>

#include "axiometer/model/open_run.hpp"
#include "axiometer/model/simulator.hpp"
#include "check.hpp"
#include "clocked_configs.hpp"
#include "results.hpp"

using namespace axm;
using configs::three_ports;
using results::same;

namespace {

RepeatStart start_of(const SystemConfig &c, Cycle stop) {
  RepeatStart start;
  start.launch.assign(c.streams.size(), 0);
  start.first_refresh = 777;
  start.stop = stop;
  return start;
}

struct Outcome {
  std::vector<OutsideServed> served;
  RepeatResult result;
  Trace trace;
};

// Requests all together, or each at its clock, with polls at this distance.
Outcome run(const SystemConfig &c, const RepeatStart &start,
            const std::vector<OutsideBurst> &bursts, Clk look = 0, bool plain = false) {
  Outcome out;
  RunOptions options;
  options.trace = &out.trace;
  const auto open = plain ? open_plain(c, start, &out.trace) : open_run(c, start, options);
  const auto tell = [&](Clk limit) {
    while (const auto served = open->advance(limit))
      out.served.push_back(*served);
  };
  Clk limit = 0;
  for (const OutsideBurst &b : bursts) {
    for (; look > 0 && limit < b.at; limit = std::min(limit + look, b.at))
      tell(limit);
    if (look > 0)
      tell(b.at);
    open->ask(b);
  }
  if (!bursts.empty()) // else it would go on beyond its stop
    tell(kNever);
  out.result = open->finish();
  return out;
}

// Two ordinary streams, and one of the video port, that read and write, from outside.
SystemConfig shared() {
  SystemConfig c = three_ports(256, 3);
  c.streams = {c.streams[2], c.streams[3], c.streams[0], c.streams[1]};
  c.streams[2].outside = c.streams[3].outside = true;
  c.streams[2].gap_cycles = c.streams[3].gap_cycles = 0;
  return c;
}

std::vector<OutsideBurst> some_bursts() {
  std::vector<OutsideBurst> bursts;
  for (int k = 0; k < 60; ++k)
    bursts.push_back(
        {2 + k % 2, k * 97 + k % 7, static_cast<std::uint64_t>(k) * 4096, 16 * (1 + k * 5 % 16)});
  return bursts;
}

} // namespace

TEST(a_lone_burst_takes_as_long_as_one_of_an_engine) {
  for (const std::size_t stream : {0u, 1u, 2u, 3u})
    for (const int bytes : {16, 80, 256})
      for (const std::int64_t period : {0, 20, 50})
        for (const Cycle cycle : {0, 1, 40, 113}) { // 113: as a refresh is due
          SystemConfig c = three_ports(bytes, 0);
          c.streams = {c.streams[stream]};
          c.ports[static_cast<std::size_t>(c.streams[0].port)].period = period;
          c.streams[0].stop = cycle + 1;
          RepeatStart start = start_of(c, 2000);
          start.launch[0] = cycle;
          c.measure = {};
          const StreamStats engine = make_simulator(c)->run(start, {}).streams[0].stats;
          CHECK_EQ(engine.bursts, 1);
          c.streams[0].stop = -1;
          c.streams[0].outside = true;
          // As late as it can be for that cycle.
          const Clk at = cycle * c.clocks_of(c.streams[0]).pl / c.clocks.ddr;
          const auto served = run(c, start_of(c, kNever), {{0, at, 0, bytes}}).served;
          const Cycle first = c.clocks_of(c.streams[0]).cycle_at(at);
          CHECK_EQ(first, cycle);
          CHECK_EQ(served[0].at, c.clocks_of(c.streams[0]).clk_at(cycle + engine.latency_sum + 1));
        }
}

TEST(when_a_run_is_looked_at_changes_nothing) {
  for (const Cycle stop : {Cycle{1000}, Cycle{4000}, kNever}) {
    SystemConfig c = shared();
    if (stop >= kNever)
      c.streams[0].stop = c.streams[1].stop = 1500;
    const Outcome once = run(c, start_of(c, stop), some_bursts());
    for (const auto &[look, plain] : std::vector<std::pair<Clk, bool>>{{1, false},
                                                                       {2, false},
                                                                       {5, false},
                                                                       {31, false},
                                                                       {1000, false},
                                                                       {0, true},
                                                                       {3, true}}) {
      const Outcome often = run(c, start_of(c, stop), some_bursts(), look, plain);
      for (std::size_t i = 0; i < once.served.size(); ++i) {
        CHECK_EQ(often.served[i].stream, once.served[i].stream);
        CHECK_EQ(often.served[i].at, once.served[i].at);
      }
      same(often.result, once.result, 4);
      CHECK(often.trace == once.trace);
    }
  }
}

TEST(streams_end_with_their_bytes) {
  SystemConfig c = shared();
  c.streams[0].bytes = 1000; // the last burst, and its last beat, are in part
  c.streams[1].bytes = 4096;
  const Outcome fast = run(c, start_of(c, kNever), some_bursts(), 1);
  const Outcome plain = run(c, start_of(c, kNever), some_bursts(), 1, true);
  same(fast.result, plain.result, 4);
  CHECK(fast.trace == plain.trace);
  CHECK_EQ(fast.result.streams[0].bytes, 1000);
  CHECK_EQ(fast.result.streams[1].bytes, 4096);
}

TEST(what_cannot_be_run_open_is_refused) {
  const auto refused = [](const SystemConfig &c, Cycle stop, const OutsideBurst &b) {
    try {
      open_run(c, start_of(c, stop), {})->ask(b);
      return false;
    } catch (const std::invalid_argument &) {
      return true;
    }
  };
  CHECK(!refused(shared(), 4000, {2, 0, 64, 16}));
  SystemConfig endless = shared();
  for (StreamConfig &s : endless.streams)
    s.bytes = static_cast<std::uint64_t>(kEndlessBytes);
  CHECK(refused(endless, kNever, {2, 0, 64, 16}));
  CHECK(refused(shared(), 4000, {2, 0, 64, 20})); // not whole beats
  CHECK(refused(shared(), 4000, {2, 0, 68, 16}));
}
