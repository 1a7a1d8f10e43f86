// The DRAM as the processor's side sees it: cases computed by hand. The cpu's clock is 2 units, the
// DRAM's 5: of a read's 40 units 15 are the DRAM's, 12 the way there and 13 the way back.
#include "axiometer/model/processor/dram.hpp"
#include "check.hpp"

using namespace axm::processor;

namespace {

Memory memory(int refresh_clocks = 0, int phase = 0) {
  MemoryConfig c;
  c.read_clocks = 20;
  c.device_clocks = 3;
  c.burst_clocks = 4;
  c.column_bytes = 32;
  c.refresh_clocks = refresh_clocks;
  c.refresh_interval = 100;
  c.refresh_phase = phase;
  Clocks clocks;
  clocks.cpu = 2;
  clocks.ddr = 5;
  return Memory(c, clocks);
}

} // namespace

TEST(a_read_alone) {
  CHECK_EQ(memory().read(0, 32), 40);
  CHECK_EQ(memory().read(7, 1), 47);
  CHECK_EQ(memory().read(0, 33), 60); // a second column: 4 clocks more
  CHECK_EQ(memory().read(0, 96), 80);
}

TEST(the_bus_is_taken_by_each_column) {
  Memory m = memory();
  CHECK_EQ(m.read(0, 32), 40); // the bus is free at 12 + 20
  CHECK_EQ(m.read(0, 64), 32 + 15 + 20 + 13);
  CHECK_EQ(m.read(0, 32), 72 + 15 + 13);
  CHECK_EQ(m.read(200, 32), 240);
}

TEST(a_write_is_answered_before_the_dram_has_it_but_takes_the_bus) {
  Memory m = memory();
  CHECK_EQ(m.write(0, 96), 25);
  CHECK_EQ(m.read(0, 32), 72 + 15 + 13);
}

TEST(what_is_planned_for_later_comes_after_what_is_issued_before) {
  Memory m = memory();
  Time planned = 0;
  m.later(50, [&] { planned = m.read(50, 32); });
  CHECK_EQ(m.read(45, 32), 85); // as if alone
  m.settle([&] { return planned != 0; });
  CHECK_EQ(planned, 77 + 15 + 13); // the bus is free at 45 + 12 + 20
  m.later(200, [&] { planned = m.read(200, 32); });
  CHECK_EQ(m.read(200, 32), 240 + 20); // what was planned comes first
  CHECK_EQ(planned, 240);
}

TEST(a_read_of_what_the_dma_engine_writes_comes_behind_its_writes) {
  Memory m = memory();
  m.write_later(100, 32);
  m.settle_writes();
  CHECK_EQ(m.read(0, 32), 100 + 12 + 20 + 15 + 13);
}

TEST(a_refresh_holds_up_what_arrives_in_it) {
  // From 10 to 45, and again from 510.
  CHECK_EQ(memory(7, 2).read(0, 32), 45 + 15 + 13);
  CHECK_EQ(memory(7, 2).read(33, 32), 33 + 40);   // arrives at 45
  CHECK_EQ(memory(7, 2).read(32, 32), 32 + 41);   // at 44
  CHECK_EQ(memory(7, 2).read(498, 32), 545 + 28); // at 510
  CHECK_EQ(memory(7, 2).read(497, 32), 537);
  CHECK_EQ(memory(7, 3).read(2, 32), 42); // before the first one
  CHECK_EQ(memory(7, 2).write(0, 32), 25);
}
