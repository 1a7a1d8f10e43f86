// When an engine of UltraScale+ begins and stops, against a slave of the test's own; and the clocks
// of ports.
#include <utility>
#include <vector>

#include "axiometer/model/ports/port_clocks.hpp"
#include "axiometer/model/sources/clocked_master.hpp"
#include "check.hpp"

using namespace axm;
using namespace axm::clocked;

namespace {

// Takes addresses from a cycle on, gives and takes a beat a cycle, and answers immediately.
struct Slave {
  bool open = true;
  int bursts = 0, beats = 0; // begun; to come of the oldest
  int responses = 0;

  bool takes_address() const { return open; }
  void address(std::uint64_t, int bytes) {
    ++bursts;
    beats += bytes / 8;
  }
  bool read_beat() const { return beats > 0; }
  bool take_beat() { return --beats % 4 == 0; }
  bool takes_write_beat() const { return true; }
  bool write_beat(Clk) {
    if (--beats % 4 != 0)
      return false;
    ++responses;
    return true;
  }
  bool response(Clk) const { return responses > 0; }
  void take_response() { --responses; }
  StreamClass waits_for() const { return kPath; }
};

SystemConfig one(Dir dir, Cycle stop) {
  SystemConfig c;
  c.ports.resize(1);
  c.streams.resize(1);
  StreamConfig &s = c.streams[0];
  s.dir = dir;
  s.region = 1 << 20;
  s.burst_bytes = 32; // four beats
  s.outstanding = 2;
  s.stop = stop;
  return c;
}

// Bursts begun, and cycles that it was done for, when addresses are taken from `open` on.
std::pair<int, std::int64_t> run(const SystemConfig &c, Cycle open, Cycle cycles = 200) {
  Master m(c, 0);
  m.start(0, 0);
  Slave slave;
  for (Cycle now = 0; now < cycles; ++now) {
    slave.open = now >= open;
    m.begin(now, slave);
    m.move(now, now, slave);
  }
  CHECK_EQ(m.books().in_flight(), 0);
  return {slave.bursts, m.books().stats.classes[kDone]};
}

} // namespace

TEST(no_burst_begins_at_a_stop_or_after_it) {
  for (const Dir d : {kRead, kWrite}) {
    CHECK_EQ(run(one(d, 0), 0).first, 0);
    CHECK_EQ(run(one(d, 0), 0).second, 200);
    CHECK_EQ(run(one(d, 1), 0).first, 1);
  }
  // A write burst takes four cycles: those of cycles 0, 4, ... 36.
  CHECK_EQ(run(one(kWrite, 37), 0).first, 10);
  CHECK_EQ(run(one(kWrite, 36), 0).first, 9);
}

TEST(an_address_that_stood_before_the_stop_is_begun_when_it_is_taken) {
  for (const Dir d : {kRead, kWrite}) {
    const auto [bursts, done] = run(one(d, 10), 50);
    CHECK_EQ(bursts, 1);
    CHECK(done >= 140 && done <= 150); // from its completion on
  }
}

TEST(clocks_of_ports_are_stepped_apart) {
  SystemConfig c;
  c.clocks = {4, 10};
  c.ports.resize(4);
  c.ports[1].period = 15;
  c.ports[2].period = 10; // the PL's own
  PortClocks clocks(c);
  CHECK_EQ(clocks.count(), 2u);
  CHECK_EQ(clocks.of(0), clocks.of(2));
  CHECK_EQ(clocks.of(0), clocks.of(3));
  std::vector<std::pair<std::size_t, Cycle>> seen;
  const auto step = [&](std::size_t clock, Cycle cycle) { seen.emplace_back(clock, cycle); };
  clocks.run_before(0, step);
  CHECK(seen.empty());
  clocks.run_before(30, step); // 0, 10, 20 and 0, 15, but not 30
  CHECK_EQ(seen.size(), 5u);
  clocks.run_before(31, step);
  CHECK_EQ(seen.size(), 7u);
  CHECK_EQ(seen[5].second, 3);
  CHECK_EQ(seen[6].second, 2);
}
