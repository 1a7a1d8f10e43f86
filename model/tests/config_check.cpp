// What cannot be simulated is refused, and the message begins with the name of the value.
#include <functional>
#include <string>
#include <vector>

#include "axiometer/model/config.hpp"
#include "axiometer/model/simulator.hpp"
#include "check.hpp"
#include "configs.hpp"

using namespace axm;

using configs::good;

struct Fault {
  const char *name;
  std::function<void(SystemConfig &)> make;
};

TEST(a_good_configuration_runs) {
  CHECK_EQ(check::message([] { good().check(); }), "");
  RepeatStart start;
  start.launch = {0, 0};
  start.first_refresh = 100;
  const RepeatResult r = make_simulator(good())->run(start, {});
  CHECK_EQ(r.streams[0].bytes, 4096);
  CHECK_EQ(r.streams[1].bytes, 4096);
  CHECK_EQ(r.dram.counts[kReads], 128); // of 32 bytes each
  CHECK_EQ(r.dram.counts[kWrites], 128);
}

TEST(each_fault_is_named) {
  const std::vector<Fault> faults = {
      {"clocks.pl", [](SystemConfig &c) { c.clocks.pl = 0; }},
      {"dram.banks", [](SystemConfig &c) { c.dram.banks = 6; }},
      {"dram.banks", [](SystemConfig &c) { c.dram.banks = 64; }},
      {"dram.row_bytes", [](SystemConfig &c) { c.dram.row_bytes = 3000; }},
      {"dram.column_bytes", [](SystemConfig &c) { c.dram.column_bytes = 8192; }},
      {"dram.bytes", [](SystemConfig &c) { c.dram.bytes = 100'000; }},
      {"dram.timing.CL", [](SystemConfig &c) { c.dram.timing.CL = 0; }},
      {"dram.timing.read_to_write", [](SystemConfig &c) { c.dram.timing.read_to_write = -1; }},
      {"dram.timing.tCCD", [](SystemConfig &c) { c.dram.timing.tCCD = 3; }},
      {"dram.timing.tCCD", [](SystemConfig &c) { c.dram.burst_clocks = 8; }},
      {"dram.timing.tREFI", [](SystemConfig &c) { c.dram.timing.tREFI = 200; }},
      {"dram.timing.tRFC", [](SystemConfig &c) { c.dram.timing.tRFC = 10; }},
      {"controller.write_entries", [](SystemConfig &c) { c.controller.entries[1] = 0; }},
      {"controller.read_entries", [](SystemConfig &c) { c.controller.entries[0] = 49; }},
      {"controller.pick_window", [](SystemConfig &c) { c.controller.pick_window = 0; }},
      {"controller.starve_clocks", [](SystemConfig &c) { c.controller.starve_clocks = 0; }},
      {"controller.run_length", [](SystemConfig &c) { c.controller.run_length = 0; }},
      {"controller.min_non_critical_clocks",
       [](SystemConfig &c) { c.controller.min_non_critical_clocks = -1; }},
      {"controller.batch", [](SystemConfig &c) { c.controller.policy = "in-order-batch"; }},
      {"paths", [](SystemConfig &c) { c.paths.clear(); }},
      {"paths[0].inflight_read", [](SystemConfig &c) { c.paths[0].inflight[kRead] = 65; }},
      {"paths[0].release_clocks_write",
       [](SystemConfig &c) { c.paths[0].release_clocks[kWrite] = -1; }},
      {"ports[0].path", [](SystemConfig &c) { c.ports[0].path = 1; }},
      {"ports[0].width_bytes", [](SystemConfig &c) { c.ports[0].width_bytes = 12; }},
      {"ports[0].part_bytes", [](SystemConfig &c) { c.ports[0].part_bytes = 4; }},
      {"ports[0].part_bytes", [](SystemConfig &c) { c.paths[0].inflight[kRead] = 3; }},
      {"ports[0].fifo_bytes", [](SystemConfig &c) { c.ports[0].fifo_bytes[kRead] = 4; }},
      {"ports[0].request_cycles_read",
       [](SystemConfig &c) { c.ports[0].request_cycles[kRead] = -1; }},
      {"streams", [](SystemConfig &c) { c.streams.clear(); }},
      {"streams[0].port", [](SystemConfig &c) { c.streams[0].port = -1; }},
      {"streams[0].bytes", [](SystemConfig &c) { c.streams[0].bytes = 0; }},
      {"streams[0].burst_bytes", [](SystemConfig &c) { c.streams[0].burst_bytes = 0; }},
      {"streams[0].outstanding", [](SystemConfig &c) { c.streams[0].outstanding = 64; }},
      {"streams[0].gap_cycles", [](SystemConfig &c) { c.streams[0].gap_cycles = -1; }},
      {"streams[0].pace_cycles", [](SystemConfig &c) { c.streams[0].pace_cycles = kMostDelay; }},
      {"streams[0].address_cycles", [](SystemConfig &c) { c.streams[0].address_cycles = -1; }},
      {"streams[0].address_cycles",
       [](SystemConfig &c) {
         c.streams[0].dir = kRead;
         c.streams[0].address_cycles = 1;
       }},
      {"streams[1].burst_bytes",
       [](SystemConfig &c) { // twice what the write FIFO holds
         c.streams[0].burst_bytes = c.streams[1].burst_bytes = 2048;
       }},
      {"streams[1].base", [](SystemConfig &c) { c.streams[1].base = (1U << 29) - 64; }},
      {"streams[0].region",
       [](SystemConfig &c) {
         c.streams[0].pattern = Pattern::random;
         c.streams[0].region = 64;
       }},
      {"streams[0].partner", [](SystemConfig &c) { c.streams[0].partner = 0; }},
      {"streams[0].partner", [](SystemConfig &c) { c.streams[0].partner = 7; }},
      {"streams[0].partner", [](SystemConfig &c) { c.streams[1].dir = kRead; }},
      {"streams[0].partner", [](SystemConfig &c) { c.streams[1].bytes = 2048; }},
      {"streams[0].partner", [](SystemConfig &c) { c.streams[1].loopback_bursts = 5; }},
      {"streams[0].loopback_bursts",
       [](SystemConfig &c) { c.streams[0].loopback_bursts = c.streams[1].loopback_bursts = 0; }},
      {"streams[0].loopback_cycles",
       [](SystemConfig &c) { c.streams[0].loopback_cycles = c.streams[1].loopback_cycles = -1; }},
  };
  for (const Fault &fault : faults) {
    SystemConfig c = good();
    fault.make(c);
    const std::string said = check::message([&] { c.check(); });
    const std::string wanted = std::string(fault.name) + ": ";
    if (said.compare(0, wanted.size(), wanted) != 0)
      check::failed(__FILE__, __LINE__, wanted + "expected, but said is \"" + said + "\"");
    // The constructor of a simulator reports the same.
    CHECK_EQ(check::message([&] { make_simulator(c); }), said);
  }
}

TEST(an_unknown_policy_is_told_with_the_known_ones) {
  SystemConfig c = good();
  c.controller.policy = "first-come";
  const std::string said = check::message([&] { make_simulator(c); });
  CHECK(said.find("controller.policy") == 0);
  CHECK(said.find("zynq-ddrc") != std::string::npos);
  CHECK(said.find("in-order-batch") != std::string::npos);
}
