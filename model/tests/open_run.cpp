// Bursts from outside: the laws of an open run, in both models.
#include "axiometer/model/open_run.hpp"

#include <vector>

#include "check.hpp"
#include "configs.hpp"
#include "results.hpp"

using namespace axm;
using results::same;

namespace {

constexpr int kOutside = 2; // of the streams

// The pair of `good`, if requested, and behind a port with the DRAM's clock a stream outside.
SystemConfig shared(Dir dir, bool pair = true) {
  SystemConfig c = configs::good();
  c.ports.push_back(c.ports[0]);
  c.ports[1].period = c.clocks.ddr;
  for (PortConfig &p : c.ports) {
    p.request_cycles[kRead] = p.request_cycles[kWrite] = 5;
    p.return_cycles = 3;
    p.response_clocks = 6;
  }
  c.paths[0].request_clocks[kRead] = c.paths[0].request_clocks[kWrite] = 11;
  StreamConfig s;
  s.port = 1;
  s.dir = dir;
  s.bytes = 1;
  s.outside = true;
  c.streams.push_back(s);
  if (!pair)
    c.streams.erase(c.streams.begin(), c.streams.begin() + 2);
  return c;
}

RepeatStart start_of(const SystemConfig &c) {
  RepeatStart start;
  start.launch.assign(c.streams.size(), 0);
  start.first_refresh = 100;
  return start;
}

std::unique_ptr<OpenRun> open(const SystemConfig &c, bool plain) {
  return plain ? open_plain(c, start_of(c), nullptr) : open_run(c, start_of(c), {});
}

// Advances to each limit on the way and requests there; the end of each burst, in their order. All
// are of one stream.
std::vector<Clk> served(OpenRun &run, const std::vector<OutsideBurst> &bursts,
                        Clk stride = kNever) {
  std::vector<Clk> ends;
  const auto to = [&](Clk limit) {
    while (const auto s = run.advance(limit))
      ends.push_back(s->at);
  };
  Clk reached = 0;
  for (const OutsideBurst &b : bursts) {
    while (b.at - reached > stride)
      to(reached += stride);
    to(reached = b.at);
    run.ask(b);
  }
  to(kNever);
  CHECK_EQ(ends.size(), bursts.size());
  return ends;
}

} // namespace

TEST(a_lone_read_takes_as_long_as_that_of_a_stream) {
  for (const int bytes : {1, 64, 100, 128}) {
    SystemConfig c = shared(kRead, false);
    SystemConfig own = c;
    own.streams[0].outside = false;
    own.streams[0].base = 4096 + 32;
    own.streams[0].bytes = static_cast<std::uint64_t>(bytes);
    RepeatStart start = start_of(own);
    start.launch = {777};
    const Cycle end = make_simulator(own)->run(start, {}).streams[0].end;
    for (const bool plain : {false, true}) {
      const auto run = open(c, plain);
      CHECK_EQ(served(*run, {{0, 777, 4096 + 32, bytes}})[0], end);
      const RepeatResult r = run->finish();
      CHECK_EQ(r.streams[0].end, end);
      CHECK_EQ(r.streams[0].bytes, bytes);
      CHECK_EQ(r.streams[0].stats.latency_sum, end - 1 - 777);
      CHECK_EQ(r.streams[0].stats.classes[kMaster], 777);
    }
  }
}

// However often time is stopped on the way, and however early a burst is requested, the result is
// the same.
TEST(limits_change_nothing) {
  for (const Dir dir : {kRead, kWrite})
    for (const bool plain : {false, true}) {
      std::vector<OutsideBurst> bursts;
      for (int n = 0; n < 20; ++n)
        bursts.push_back({kOutside, 9 * n * n, static_cast<std::uint64_t>(n % 3) * 65536, 96});
      const auto whole = open(shared(dir), plain), cut = open(shared(dir), plain);
      const std::vector<Clk> ends = served(*whole, bursts);
      CHECK(ends == served(*cut, bursts, 7));
      const RepeatResult r = whole->finish();
      same(r, cut->finish(), 3);
      const auto early = open(shared(dir), plain);
      for (const OutsideBurst &b : bursts)
        early->ask(b);
      for (const Clk end : ends)
        CHECK_EQ(early->advance(kNever)->at, end);
      same(r, early->finish(), 3);
    }
}

// A stream's part and one that is requested at that very clock reach the controller together.
TEST(who_asks_at_the_limit_competes_in_that_clock) {
  SystemConfig c = shared(kRead, false); // it has the first turn
  c.streams.push_back(c.streams[0]);
  c.streams[1].outside = false;
  c.streams[1].bytes = 128;
  RepeatStart start = start_of(c);
  start.launch[1] = 300;
  for (const bool plain : {false, true}) {
    const auto make = [&] {
      return plain ? open_plain(c, start, nullptr) : open_run(c, start, {});
    };
    const Clk unhurt = make()->finish().streams[1].end;
    const auto run = make();
    CHECK_EQ(served(*run, {{0, 300, 65536, 128}})[0], unhurt);
    CHECK(run->finish().streams[1].end > unhurt);
  }
}

TEST(what_must_not_be_asked_is_refused) {
  const auto said = [](OpenRun &run, const OutsideBurst &b) {
    return check::message([&] { run.ask(b); }).substr(0, 4);
  };
  for (const bool plain : {false, true}) {
    const auto run = open(shared(kRead), plain);
    CHECK_EQ(said(*run, {0, 0, 0, 64}), "stre"); // not outside
    CHECK_EQ(said(*run, {3, 0, 0, 64}), "stre");
    CHECK_EQ(said(*run, {-1, 0, 0, 64}), "stre");
    CHECK_EQ(said(*run, {kOutside, 0, 0, 0}), "byte");
    CHECK_EQ(said(*run, {kOutside, 0, 0, 129}), "byte");
    CHECK_EQ(said(*run, {kOutside, 0, (1U << 29) - 63, 64}), "addr");
    CHECK_EQ(said(*run, {kOutside, 0, ~0ULL, 64}), "addr");
    CHECK(!run->advance(50));
    CHECK_EQ(said(*run, {kOutside, 49, 0, 64}), "at: ");
    CHECK_EQ(said(*run, {kOutside, 50, 0, 64}), "");
    CHECK(check::message([&] { run->finish(); }).find("served") != std::string::npos);
  }
}

TEST(what_does_not_go_with_outside_is_named) {
  using Change = void (*)(SystemConfig &);
  const std::pair<const char *, Change> faults[] = {
      {"streams[2].outside", [](SystemConfig &c) { c.ports[1].period = 0; }},
      {"streams[2].pattern",
       [](SystemConfig &c) {
         c.streams[2].pattern = Pattern::random;
         c.streams[2].region = 4096;
       }},
      {"streams[2].gap_cycles", [](SystemConfig &c) { c.streams[2].gap_cycles = 1; }},
      {"streams[2].pace_cycles", [](SystemConfig &c) { c.streams[2].pace_cycles = 1; }},
      {"streams[2].between_cycles", [](SystemConfig &c) { c.streams[2].between_cycles = 1; }},
      {"streams[2].address_cycles", [](SystemConfig &c) { c.streams[2].address_cycles = 1; }},
      {"streams[2].stop", [](SystemConfig &c) { c.streams[2].stop = 5; }},
      {"streams[2].partner", [](SystemConfig &c) { c.streams[2].partner = 0; }},
      // Bursts begin anywhere: a FIFO of two parts may not hold one that crosses a boundary.
      {"streams[2].burst_bytes",
       [](SystemConfig &c) {
         c.ports[1].fifo_bytes[kWrite] = 256;
         c.streams[2].burst_bytes = 256;
       }},
  };
  for (const auto &[key, change] : faults) {
    SystemConfig c = shared(kWrite);
    change(c);
    const std::string said = check::message([&] { open_run(c, start_of(c), {}); });
    CHECK_EQ(said.substr(0, said.find(':')), key);
  }
  const SystemConfig good = shared(kWrite);
  CHECK_EQ(check::message([&] { make_simulator(good); }).substr(0, 18), "streams[2].outside");
  CHECK_EQ(check::message([&] { run_plain(good, start_of(good), nullptr); }).substr(0, 18),
           "streams[2].outside");
  RepeatStart late = start_of(good);
  late.launch[2] = 1;
  CHECK_EQ(check::message([&] { open_run(good, late, {}); }).substr(0, 6), "launch");
}
