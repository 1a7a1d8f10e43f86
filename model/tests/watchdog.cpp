// A run without progress ends, and names the waiting stream; a slow run goes on.
#include <string>
#include <vector>

#include "axiometer/model/machine/watchdog.hpp"
#include "axiometer/model/simulator.hpp"
#include "axiometer/model/sources/free_run.hpp"
#include "check.hpp"
#include "configs.hpp"

using namespace axm;

static RepeatStart at_rest(const SystemConfig &c) {
  RepeatStart s;
  s.launch.assign(c.streams.size(), 0);
  return s;
}

TEST(it_barks_after_its_patience_and_not_before) {
  const SystemConfig c = configs::good();
  Watchdog dog(c, at_rest(c));
  const Clk patience = Watchdog::patience_of(c);
  CHECK_EQ(dog.patience(), patience);
  CHECK(patience > 2 * c.dram.timing.tREFI);
  CHECK(!dog.stuck(1000, 1));
  CHECK(!dog.stuck(1000 + patience, 1));
  CHECK(dog.stuck(1001 + patience, 1));
  CHECK(!dog.stuck(1001 + patience, 2)); // progress, if only just
  CHECK(dog.stuck(1002 + 2 * patience, 2));
}

TEST(a_late_launch_is_waited_for) {
  const SystemConfig c = configs::good();
  RepeatStart s = at_rest(c);
  s.launch[1] = 1'000'000;
  CHECK(Watchdog(c, s).patience() >= Watchdog::patience_of(c) + c.clocks.clk_at(1'000'000));
}

// The slowest that the limits allow is no standstill.
TEST(a_slow_run_is_not_a_stuck_one) {
  SystemConfig c = configs::good();
  for (StreamConfig &s : c.streams) {
    s.gap_cycles = 65535;
    s.outstanding = 1;
  }
  for (int d = 0; d < 2; ++d)
    c.paths[0].request_clocks[d] = c.paths[0].release_clocks[d] = 10'000;
  c.ports[0].return_cycles = c.ports[0].response_clocks = 10'000;
  RepeatStart s = at_rest(c);
  s.launch[0] = 10'000'000;
  const RepeatResult r = make_simulator(c)->run(s, {});
  CHECK_EQ(r.streams[0].bytes, 4096);
  CHECK(r.clocks > 2'000'000);
}

TEST(a_free_run_without_beats_is_told_with_its_stream) {
  SystemConfig c = configs::good();
  c.controller.dram_clocks = 2;
  c.ports[0].name = "HP0";
  clocked::Books idle, waits;
  const std::vector<clocked::Books *> books = {&idle, &waits};
  waits.begin(5);
  Watchdog dog(c, at_rest(c));
  const auto look = [&](Clk now) {
    return check::message([&] { clocked::watch(c, dog, now, books); });
  };
  CHECK_EQ(look(0), "");
  CHECK_EQ(look(dog.patience() / 2), "");
  const std::string said = look(dog.patience());
  CHECK(said.find("stream 1, the writes of port HP0, waits: bursts in flight") !=
        std::string::npos);
}
