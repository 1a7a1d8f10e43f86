// Times from the rules that config.hpp and gp_port.hpp state, computed by hand.
#include "axiometer/model/processor/gp_port.hpp"

#include "check.hpp"

using namespace axm::processor;

static Config config() {
  Config c;
  c.clocks.interconnect = 3;
  c.clocks.apb = 6;
  c.clocks.pl = 10;
  c.gp.read_clocks = 4;
  c.gp.write_clocks = 6;
  c.gp.sync_cycles = 2;
  c.slave.read_latency = 4;
  c.slave.write_latency = 3;
  c.slave.read_recovery = 8;
  c.slave.write_recovery = 5;
  c.gpio_clocks = 3;
  return c;
}

TEST(a_read_goes_there_and_back) {
  GpPort port(config());
  // Out 2 x 3 = 6; edge 10 and two more: 30; latency 40: 70; one beat: 80; edge 81; back 6.
  CHECK_EQ(port.read(0, 4), 87);
  CHECK_EQ(port.beats().count(), 1);
  CHECK_EQ(port.beats().first(), 70);
}

TEST(a_write_goes_there_and_back) {
  GpPort port(config());
  // Out 9, two beats stored 6; edge 20, two more: 40; two beats: 60; response 90; edge 90; back 9.
  CHECK_EQ(port.write(0, 8), 99);
}

TEST(a_burst_of_a_write_goes_on_when_all_of_it_is_stored) {
  GpPort port(config());
  port.write(0, 128); // two bursts of 16 beats
  // Out 9, sixteen beats stored 48; edge 60, two more. The second burst is stored at 105.
  CHECK_EQ(port.beats().first(), 80);
  // It waits for the slave: beats, response and recovery of the first.
  CHECK_EQ(port.beats().last(), 80 + (16 + 3 + 5 + 15) * 10);
}

TEST(the_slave_serves_one_burst_after_the_other) {
  GpPort port(config());
  for (int i = 0; i < 4; ++i)
    port.write(0, 32);
  // Eight beats, response and recovery: 16 cycles from burst to burst.
  CHECK_EQ(port.beats().last() - port.beats().first(), 3 * 160 + 70);
  CHECK_EQ(port.beats().between().at(1), 28);
  CHECK_EQ(port.beats().between().at(9), 3);
}

TEST(bursts_are_cut_at_the_longest) {
  GpPort port(config());
  port.read(0, 128, nullptr, false); // two of 16 beats: 12 + 16 cycles each
  CHECK_EQ(port.beats().count(), 32);
  CHECK_EQ(port.beats().last() - port.beats().first(), 280 + 150);
}

TEST(a_slave_without_bursts_gets_single_beats) {
  Config c = config();
  c.slave.single = true;
  GpPort port(c);
  port.read(0, 16, nullptr, false);
  CHECK_EQ(port.beats().between().at(13), 3); // latency, beat and recovery
}

TEST(reads_of_the_processor_wait_for_a_place) {
  GpPort one(config());
  const Time first = one.read(0, 32);
  CHECK(one.read(0, 32) >= first + (first - 10));
  Config c = config();
  c.gp.outstanding_read = 2;
  GpPort two(c);
  two.read(0, 32);
  CHECK_EQ(two.read(0, 32), first + 200 + 1); // 20 cycles later, to an edge of the other clock
}

TEST(a_trail_adds_up_to_the_access) {
  GpPort port(config());
  for (const Time at : {0, 7, 500, 501}) {
    Trail trail;
    const Time end = port.read(at, 24, &trail);
    CHECK_EQ(trail.legs().back().until, end);
    Time last = at;
    for (const Leg &leg : trail.legs()) {
      CHECK(leg.until >= last);
      last = leg.until;
    }
  }
}

TEST(a_register_is_behind_the_bridge) {
  GpPort port(config());
  // Out 6; edge 6, three clocks of 6: 24; back 6.
  CHECK_EQ(port.reg(0, true, true), 30);
  CHECK_EQ(port.beats().count(), 1);
}
