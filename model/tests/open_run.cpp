// Bursts from outside: the laws of an open run, in both models.
#include "axiometer/model/open_run.hpp"

#include <vector>

#include "check.hpp"
#include "configs.hpp"

using namespace axm;

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

void same(const RepeatResult &a, const RepeatResult &b, std::size_t streams) {
  CHECK_EQ(a.clocks, b.clocks);
  CHECK_EQ(a.intervals, b.intervals);
  for (int i = 0; i < kBusClasses; ++i)
    CHECK_EQ(a.dram.classes[i], b.dram.classes[i]);
  for (int i = 0; i < kDramCounts; ++i)
    CHECK_EQ(a.dram.counts[i], b.dram.counts[i]);
  for (std::size_t k = 0; k < streams; ++k) {
    CHECK_EQ(a.streams[k].end, b.streams[k].end);
    CHECK_EQ(a.streams[k].stats.latency_sum, b.streams[k].stats.latency_sum);
    for (int i = 0; i < kStreamClasses; ++i)
      CHECK_EQ(a.streams[k].stats.classes[i], b.streams[k].stats.classes[i]);
  }
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

// The part leaves immediately, and needs no beats; nothing else is there that it could wait for.
// Where the response waits for the data, these are a row's opening later.
TEST(a_lone_write_is_answered_by_its_port) {
  for (const bool early : {false, true}) {
    SystemConfig c = shared(kWrite, false);
    c.ports[1].early_response = early;
    const DramTiming &t = c.dram.timing;
    const Clk accepted = 500 + 5 + 11;
    const Clk last = accepted + t.tRCD + 3 * t.tCCD; // of four columns
    for (const bool plain : {false, true}) {
      const auto run = open(c, plain);
      CHECK_EQ(served(*run, {{0, 500, 0, 128}})[0], (early ? accepted : last) + 6 + 1);
      const RepeatResult r = run->finish();
      CHECK_EQ(r.dram.counts[kWrites], 4);
      CHECK_EQ(r.streams[0].stats.classes[kData], 0);
    }
  }
}

TEST(bursts_of_a_stream_are_served_in_their_order) {
  for (const Dir dir : {kRead, kWrite}) {
    std::vector<OutsideBurst> bursts;
    for (int n = 0; n < 200; ++n) // many together, then one after the other
      bursts.push_back({kOutside, n < 150 ? 40 : 40 + 13 * n, static_cast<std::uint64_t>(n) * 8192,
                        1 + n % 128});
    const auto run = open(shared(dir), false);
    const std::vector<Clk> ends = served(*run, bursts);
    for (std::size_t n = 0; n < ends.size(); ++n) {
      CHECK(ends[n] > bursts[n].at);
      CHECK(n == 0 || ends[n] >= ends[n - 1]);
    }
    const RepeatResult r = run->finish();
    CHECK_EQ(r.streams[kOutside].stats.bursts, 200);
    std::int64_t sum = 0;
    for (const std::int64_t x : r.streams[kOutside].stats.classes)
      sum += x;
    CHECK_EQ(sum, r.cycles * 21 / 4); // all of the run, in the port's cycles
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

// A long pause does not count as a halt. The fast model's time is that of a clock per refresh.
TEST(bursts_may_be_long_apart) {
  for (const bool plain : {false, true}) {
    const Clk pause = plain ? 100'000 : 1'000'000'000;
    const SystemConfig c = shared(kRead, false);
    const auto run = open(c, plain);
    const std::vector<Clk> ends = served(*run, {{0, 10, 0, 64}, {0, pause, 0, 64}});
    CHECK(ends[1] - pause < 1000);
    const RepeatResult r = run->finish();
    CHECK_EQ(r.intervals, static_cast<std::uint64_t>((pause - 100) / c.dram.timing.tREFI + 1));
    CHECK(r.dram.classes[kIdleNoRequest] > pause / 2);
    CHECK_EQ(r.dram.classes[kIdlePort], 0);
  }
}

TEST(who_is_not_asked_for_anything_changes_nothing) {
  SystemConfig without = shared(kRead);
  without.streams.pop_back();
  const RepeatResult alone = make_simulator(without)->run(start_of(without), {});
  for (const Dir dir : {kRead, kWrite})
    for (const bool plain : {false, true}) {
      const auto run = open(shared(dir), plain);
      CHECK(!run->advance(1000));
      const RepeatResult r = run->finish();
      same(r, alone, 2);
      CHECK_EQ(r.streams[kOutside].bytes, 0);
      CHECK_EQ(r.streams[kOutside].stats.classes[kDone], r.cycles * 21 / 4);
    }
}

TEST(what_is_served_before_a_limit_is_told_before_it) {
  for (const Dir dir : {kRead, kWrite})
    for (const bool plain : {false, true}) {
      const auto whole = open(shared(dir), plain);
      const Clk end = served(*whole, {{kOutside, 60, 0, 128}})[0];
      const auto run = open(shared(dir), plain);
      CHECK(!run->advance(60));
      run->ask({kOutside, 60, 0, 128});
      const auto told = run->advance(end + 1);
      CHECK(told.has_value());
      CHECK_EQ(told->at, end);
      CHECK_EQ(told->stream, kOutside);
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
