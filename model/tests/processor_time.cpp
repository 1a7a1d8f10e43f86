#include "axiometer/model/processor/time.hpp"

#include "axiometer/model/processor/cache.hpp"
#include "axiometer/model/processor/dram.hpp"
#include "check.hpp"

using namespace axm::processor;

TEST(edges_lie_at_the_phase) {
  const Clock clock{10, 3};
  CHECK_EQ(clock.edge(3), 3);
  CHECK_EQ(clock.edge(4), 13);
  CHECK_EQ(clock.edge(13), 13);
  CHECK_EQ(clock.edge(0), 3);
  CHECK_EQ(clock.after(4, 2), 33);
}

TEST(a_wait_is_booked_as_its_trail_says) {
  Ledger ledger;
  ledger.spend(5, Class::software);
  Trail trail; // began before now: what is past is not booked again
  trail.add(3, Class::interconnect);
  trail.add(8, Class::fabric);
  trail.add(20, Class::data);
  ledger.wait(12, trail);
  CHECK_EQ(ledger.now(), 12);
  CHECK_EQ(ledger.in(Class::interconnect), 0);
  CHECK_EQ(ledger.in(Class::fabric), 3);
  CHECK_EQ(ledger.in(Class::data), 4);
  ledger.wait(14, {});
  CHECK_EQ(ledger.in(Class::queue), 2);
}

TEST(what_runs_beside_an_engine_costs_nothing) {
  Ledger ledger;
  ledger.moves_data(10, 20);
  ledger.moves_data(15, 25); // overlaps: 20 to 25 is left of it
  ledger.spend(12, Class::system);
  ledger.spend(10, Class::cache_control);
  ledger.spend(10, Class::setup);
  CHECK_EQ(ledger.in(Class::system), 10);
  CHECK_EQ(ledger.in(Class::cache_control), 0);
  CHECK_EQ(ledger.in(Class::setup), 7);
  CHECK_EQ(ledger.in(Class::data), 15);
  CHECK_EQ(ledger.elapsed(), 32);
}

TEST(the_least_recently_used_line_leaves) {
  Cache cache(4 * 32, 2, 32); // two sets of two ways
  CHECK(!cache.touch(0, false));
  CHECK(!cache.fill(0, true));
  CHECK(!cache.fill(2, false));
  CHECK(cache.touch(0, false));
  CHECK(!cache.fill(4, false)); // line 2 leaves, and is clean
  CHECK(!cache.touch(2, false));
  CHECK(cache.touch(4, true));
  const auto left = cache.fill(6, false); // line 0 leaves, and is dirty
  CHECK(left.has_value());
  CHECK_EQ(left.value_or(99), 0);
  CHECK(!cache.fill(1, true)); // the other set
  CHECK(cache.touch(4, false));
  cache.drop(4);
  CHECK(!cache.touch(4, false));
}

static MemoryConfig memory_config() {
  MemoryConfig m;
  m.read_clocks = 100;
  m.device_clocks = 20;
  m.burst_clocks = 4;
  m.refresh_clocks = 50;
  m.refresh_interval = 1000;
  m.refresh_phase = 500;
  return m;
}

TEST(a_read_takes_what_it_is_told_and_waits_for_a_refresh) {
  Clocks clocks;
  Memory memory(memory_config(), clocks);
  CHECK_EQ(memory.read(0, 8), 100);
  CHECK_EQ(memory.read(200, 64), 304);   // two column commands
  CHECK_EQ(memory.read(470, 8), 610);    // at the DRAM at 510, in a refresh until 550
  CHECK_EQ(memory.write(1480, 8), 1560); // answered early: neither the DRAM nor its refresh
}
