// Times from the rules that slave_port.hpp and config.hpp state, computed by hand.
#include "axiometer/model/processor/slave_port.hpp"

#include "check.hpp"

using namespace axm::processor;

static Config config() {
  Config c;
  c.clocks = {1, 3, 6, 2, 10, 0};
  c.memory.read_clocks = 40;  // 40
  c.memory.device_clocks = 5; // of these 10, the rest half there and half back
  c.memory.burst_clocks = 4;
  c.memory.refresh_interval = 1000000;
  c.memory.refresh_phase = 900000;
  c.gp.sync_cycles = 2;
  c.fabric.interconnect_cycles = 5;
  c.port.acceptance_write = 2;
  c.port.beat_period = 4;
  c.to_fabric = false;
  return c;
}

struct Bench {
  explicit Bench(const Config &c) : memory(c.memory, c.clocks), port(c, memory) {}
  Memory memory;
  SlavePort port;
  Trail trail;
  Time serve(Time t, int bytes) { return port.serve(t, bytes, trail); }
};

TEST(a_write_goes_there_and_back) {
  Bench b(config());
  // Two cycles of interconnect: 120. Edge 120 and two more: 128; 8 beats of 8 bytes: 156. To the
  // controller 15, back 15: 186; edge 190 and two more: 210. Three cycles back.
  CHECK_EQ(b.serve(100, 64), 240);
  CHECK_EQ(b.trail.legs().back().until, 240);
}

TEST(a_read_waits_for_the_dram) {
  Config c = config();
  c.to_fabric = true;
  Bench b(c);
  // As the write, and 5 DRAM clocks, and another column of 4: 204; edge 210, two more, three back.
  CHECK_EQ(b.serve(100, 64), 260);
}

TEST(what_is_accepted_is_limited) {
  Bench b(config());
  const Time first = b.serve(0, 64);
  b.serve(0, 64);
  // The third is accepted when the first has left the port, 3 cycles before it is at the master.
  CHECK(b.serve(0, 64) >= first - 30 + 4 * 7);
}

TEST(a_shorter_burst_does_not_overtake) {
  Config c = config();
  c.to_fabric = true;
  Bench b(c);
  b.serve(0, 64); // in the DRAM's queue at 20, 28 and 7 more clocks: 56
  Trail trail;
  b.port.serve(0, 4, trail);
  CHECK_EQ(trail.legs()[3].until, 28); // available immediately,
  CHECK_EQ(trail.legs()[4].until, 56); // but behind the other one
}

TEST(responses_are_in_order_one_a_clock) {
  Bench b(config());
  const Time whole = b.serve(0, 64);
  CHECK_EQ(b.serve(0, 4), whole + 10); // ready before
}

TEST(parts_of_a_line_are_served_one_after_another) {
  Config c = config();
  c.port.serial_time = 100;
  c.port.acceptance_write = 8;
  Bench b(c);
  Time last = b.serve(0, 4);
  for (int i = 0; i < 5; ++i) {
    const Time next = b.serve(0, 4);
    CHECK_EQ(next - last, 100);
    last = next;
  }
  Bench whole(c);
  last = whole.serve(0, 32);
  CHECK(whole.serve(0, 32) - last < 100);
}

TEST(beats_of_a_burst_wait_for_its_address) {
  Config c = config();
  c.port.address_cycles = 1;
  c.fabric.hold_cycles = 2;
  const Bench b(c);
  CHECK_EQ(b.port.first_beat_cycles(1), 0);
  CHECK_EQ(b.port.first_beat_cycles(16), 1);
  CHECK_EQ(b.port.second_beat_cycles(), 3);
}

TEST(each_leg_of_a_write_through_the_central_interconnect) {
  Config c = config();
  c.port.central = true;
  c.gp.read_clocks = 6;
  c.gp.write_clocks = 8;
  Bench b(c);
  b.serve(100, 64);
  const auto &legs = b.trail.legs();
  CHECK_EQ(legs[0].until, 120); // two of the five cycles are the way there
  CHECK_EQ(legs[1].until, 120); // a place is free
  CHECK_EQ(legs[2].until, 128); // two registers of 4
  // Eight beats of 8 bytes, 4 each: 156; then 6 clocks and 15 of the 16 beats of 4 bytes, 3 each.
  CHECK_EQ(legs[3].until, 219);
}

TEST(eight_reads_have_a_place_unless_it_is_said_otherwise) {
  Config c = config();
  c.to_fabric = true;
  Bench b(c);
  for (int i = 0; i < 8; ++i) {
    b.trail.clear();
    b.serve(0, 64);
    CHECK_EQ(b.trail.legs()[1].until, 20); // accepted when it arrives
  }
  b.trail.clear();
  b.serve(0, 64);
  CHECK(b.trail.legs()[1].until > 20);
}

TEST(parts_of_a_line_wait_for_none_unless_it_is_said) {
  Bench part(config()), whole(config());
  part.serve(0, 4);
  whole.serve(0, 32);
  CHECK_EQ(part.trail.legs().size(), whole.trail.legs().size());
}
