// Laws that hold for every transfer, on configurations drawn at random, and limits that follow from
// the configuration alone.
#include "axiometer/model/transfer_run.hpp"

#include <random>

#include "check.hpp"

using namespace axm::processor;

static Config base() {
  Config c;
  c.clocks = {3, 9, 18, 4, 20, 0};
  c.memory = {70, 18, 4, 32, 86, 4128, 0};
  c.gp.read_clocks = c.gp.write_clocks = 12;
  c.slave = {4, 3, 8, 5, false};
  c.cpu.call_instructions = 35;
  c.cpu.loop_clocks = 20;
  c.dmac.loop_clocks = 24;
  c.dmac.start_instructions = 400;
  c.dmac.start_accesses = 11;
  c.fabric = {3, 19, 1, 1, 4};
  c.port.beat_period = 9;
  c.gpio_clocks = 3;
  return c;
}

static Time sum(const Outcome &o) {
  Time total = 0;
  for (const Time t : o.spent)
    total += t;
  return total;
}

TEST(time_is_in_one_class_and_bytes_are_conserved) {
  std::mt19937 draw(7);
  const auto upto = [&](int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); };
  for (int i = 0; i < 400; ++i) {
    Config c = base();
    c.master = static_cast<Master>(upto(5));
    c.target = c.master == Master::loop && upto(3) == 0 ? Target::gpio : Target::slave;
    c.attribute = static_cast<Attribute>(upto(2));
    c.to_fabric = upto(2);
    c.cpu.caches = upto(3) > 0;
    c.cpu.access_bytes = 4 << upto(4);
    c.cache.prefetch_lines = upto(4);
    c.gp.outstanding_read = 1 + upto(3);
    c.slave.single = upto(4) == 0;
    c.clocks.pl = 10 + upto(30);
    c.clocks.pl_phase = upto(10);
    c.fabric.burst_beats = 1 + upto(16);
    c.fabric.outstanding = 1 + upto(8);
    c.fabric.taken_cycles = upto(2);
    c.fabric.hold_cycles = upto(3);
    c.port.central = upto(2);
    c.port.serial_time = upto(2) * 75;
    c.dmac.bursts_in_flight = 1 + upto(3);
    c.dmac.copies = upto(2);
    c.slave.read_beat_cycles = 1 + upto(2);
    c.ring.buffer_bytes = 1 + upto(9000);
    c.ring.depth = 1 + upto(4);
    c.ring.copy = upto(2);
    c.ring.maintain = upto(2);
    c.system.present = upto(2);
    c.system.system_call = 1000;
    c.bytes = 4 * (1 + upto(2000));
    const Outcome o = run(c);
    CHECK_EQ(sum(o), o.elapsed);
    CHECK(o.elapsed > 0);
    for (const Time t : o.spent)
      CHECK(t >= 0);
    const bool carried = c.master == Master::copy || c.master == Master::loop;
    const bool in_lines = carried && c.attribute == Attribute::cached && c.cpu.caches &&
                          !c.to_fabric && c.target == Target::slave;
    if (c.master != Master::ring)
      CHECK_EQ(o.beats, in_lines ? (c.bytes + 31) / 32 * 8 : c.bytes / 4);
    const Outcome again = run(c);
    CHECK_EQ(again.elapsed, o.elapsed);
  }
}

TEST(faster_clocks_never_cost) {
  for (const Master master : {Master::copy, Master::loop, Master::dmac}) {
    Time last = 0;
    for (const Time pl : {10, 15, 20, 40, 80}) {
      Config c = base();
      c.master = master;
      c.clocks.pl = pl;
      c.bytes = 8192;
      const Time elapsed = run(c).elapsed;
      CHECK(elapsed >= last);
      last = elapsed;
    }
  }
}

// ---- by hand ----

static Config by_hand() {
  Config c;
  c.clocks = {1, 3, 6, 2, 10, 0};
  c.memory.read_clocks = 40;
  c.memory.device_clocks = 5;
  c.memory.refresh_interval = 1000000;
  c.memory.refresh_phase = 900000;
  c.gp.read_clocks = 4;
  c.gp.write_clocks = 6;
  c.slave.read_latency = 4;
  c.slave.write_latency = 3;
  c.port.beat_period = 4;
  return c;
}

TEST(a_register_in_the_fabric_is_one_word) {
  Config c = by_hand();
  c.master = Master::loop; // the memory's side is in the first level
  // Out 6, edge 10, two more: 30; latency 40, a beat: 80; edge 81, back 6.
  c.to_fabric = false;
  CHECK_EQ(run(c).elapsed, 87);
  // Out 9, a beat stored 3; edge 20, two more: 40; the beat 50, the response 80; edge 81, back 9.
  c.to_fabric = true;
  CHECK_EQ(run(c).elapsed, 90);
}

TEST(a_burst_of_a_master_in_the_fabric) {
  Config c = by_hand();
  c.master = Master::fabric;
  c.to_fabric = false;
  c.bytes = 64;
  c.fabric.interconnect_cycles = 5;
  c.fabric.burst_beats = 16;
  c.fabric.hold_cycles = 2;
  c.fabric.taken_cycles = 1;
  const Outcome o = run(c);
  CHECK_EQ(o.frame_begins, 0);
  CHECK_EQ(o.first_beat, 0);
  CHECK_EQ(o.last_beat, 170); // the second beat waits two cycles, and no other does
  // All sent: 180. There 200, two registers 208, eight beats 236, the DRAM 266; edge 270, two
  // registers 290, back 320. The response is valid for a cycle, and is taken in the next.
  CHECK_EQ(o.frame_ends, 340);
}

TEST(a_slave_elsewhere_gets_each_burst_when_the_last_one_is_over) {
  Config c = by_hand();
  c.master = Master::copy;
  c.bytes = 64;
  c.cpu.device_stores = 4;
  Time free = 0;
  int bursts = 0;
  const Outcome o = run(c, [&](Time start, int beats, bool read) {
    CHECK(!read);
    CHECK(start >= free);
    CHECK_EQ(start % 10, 0);
    ++bursts;
    Served s;
    for (int i = 0; i < beats; ++i)
      s.beats.push_back(start + 20 + 30 * i);
    free = s.end = s.beats.back() + 40;
    return s;
  });
  CHECK_EQ(bursts, 16);
  CHECK_EQ(o.beats, 16);
  CHECK_EQ(o.last_beat, free - 40);
}
