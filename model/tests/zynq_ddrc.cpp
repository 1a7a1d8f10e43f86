// The state machine of UG585 (pages 303-306). States are recognised by their effects: `next_change`
// and `decide` are the only windows that there are.
#include "axiometer/model/targets/switching/zynq_ddrc.hpp"

#include "check.hpp"

using namespace axm;

static ZynqDdrc machine() {
  ControllerConfig c;
  c.starve_clocks = 64;
  c.run_length = 8;
  c.min_non_critical_clocks = 32;
  return ZynqDdrc(c);
}

TEST(it_follows_the_only_store_that_waits) {
  ZynqDdrc m = machine();
  CHECK_EQ(m.mode(), kRead);
  m.filled(kWrite, 5);
  CHECK_EQ(m.decide(false, true, 5), kWrite);
  m.filled(kRead, 6);
  CHECK_EQ(m.decide(true, true, 6), kWrite); // reads are not critical yet
  CHECK_EQ(m.decide(true, false, 7), kRead);
  CHECK_EQ(m.decide(false, false, 8), kRead); // nothing to do is no reason to switch
}

TEST(a_store_becomes_critical_when_it_has_starved) {
  ZynqDdrc m = machine();
  m.filled(kRead, 0);
  m.filled(kWrite, 10);
  for (Clk t = 0; t < 74; t += 4) {
    CHECK_EQ(m.decide(true, true, t), kRead);
    CHECK_EQ(m.next_change(t), 74);
    m.served(kRead, 1, false, t, t + 4);
  }
  CHECK_EQ(m.decide(true, true, 73), kRead);
  CHECK_EQ(m.decide(true, true, 74), kWrite);
}

TEST(being_served_puts_starvation_off) {
  ZynqDdrc m = machine();
  m.filled(kWrite, 0);
  CHECK_EQ(m.decide(false, true, 0), kWrite);
  m.filled(kRead, 0);
  m.served(kWrite, 1, false, 0, 4);
  CHECK_EQ(m.decide(true, true, 63), kWrite);
  CHECK_EQ(m.decide(true, true, 64), kRead); // reads have starved, writes wait since 4
  CHECK_EQ(m.decide(true, true, 67), kRead);
  m.served(kRead, 1, false, 64, 68);
  CHECK_EQ(m.decide(true, true, 68), kRead); // both critical now
}

TEST(it_stays_while_both_are_critical) {
  ZynqDdrc m = machine();
  m.filled(kRead, 0);
  m.filled(kWrite, 0);
  CHECK_EQ(m.decide(true, true, 64), kRead);
  m.served(kRead, 7, false, 64, 92);
  CHECK_EQ(m.decide(true, true, 92), kRead); // seven of eight: reads are critical still
  m.served(kRead, 1, false, 92, 96);
  CHECK_EQ(m.decide(true, true, 96), kWrite); // reads rest
}

TEST(after_its_run_a_critical_store_rests) {
  ZynqDdrc m = machine();
  m.filled(kRead, 0);
  m.filled(kWrite, 0);
  CHECK_EQ(m.decide(true, true, 64), kRead); // both critical
  m.served(kRead, 8, false, 64, 96);         // reads rest until 128
  CHECK_EQ(m.decide(true, true, 96), kWrite);
  m.served(kWrite, 4, false, 96, 112); // writes are critical, four to go
  // Reads wait since 96: critical again at 160, when the rest is over and they have starved.
  CHECK_EQ(m.next_change(112), 160);
  m.served(kWrite, 4, false, 112, 128); // writes rest until 160
  CHECK_EQ(m.decide(true, true, 159), kWrite);
  CHECK_EQ(m.decide(true, true, 160), kRead);
}

TEST(a_rest_that_outlasts_starvation_counts) {
  ControllerConfig c;
  c.starve_clocks = 16;
  c.run_length = 4;
  c.min_non_critical_clocks = 100;
  ZynqDdrc m(c);
  m.filled(kRead, 0);
  m.filled(kWrite, 0);
  CHECK_EQ(m.decide(true, true, 16), kRead);
  m.served(kRead, 4, false, 16, 32); // reads rest until 132
  CHECK_EQ(m.decide(true, true, 32), kWrite);
  m.served(kWrite, 4, false, 32, 48); // writes rest until 148
  CHECK_EQ(m.next_change(48), 132);
  CHECK_EQ(m.decide(true, true, 131), kWrite);
  CHECK_EQ(m.decide(true, true, 132), kRead);
}

TEST(a_store_that_runs_empty_is_normal_again) {
  ZynqDdrc m = machine();
  m.filled(kRead, 0);
  m.filled(kWrite, 0);
  CHECK_EQ(m.decide(true, true, 64), kRead); // both critical
  m.served(kRead, 1, true, 64, 68);
  CHECK_EQ(m.decide(false, true, 68), kWrite);
  m.filled(kRead, 70); // normal, neither critical nor at rest
  CHECK_EQ(m.next_change(70), 134);
  CHECK_EQ(m.decide(true, true, 133), kWrite);
}

// `next_change` is what the controller sleeps by: at no earlier clock may the answer differ.
TEST(nothing_changes_before_next_change) {
  std::uint32_t random = 7;
  ZynqDdrc m = machine();
  m.filled(kRead, 0);
  m.filled(kWrite, 0);
  Clk t = 0;
  for (int step = 0; step < 20'000; ++step) {
    random = random * 1664525U + 1013904223U;
    const Dir mode = m.decide(true, true, t);
    const Clk next = m.next_change(t);
    const Clk wait = random >> 24 & 127; // the store's rows may not be ready
    for (Clk x = t; x <= t + wait && x < next; ++x) {
      ZynqDdrc later = m;
      CHECK_EQ(later.decide(true, true, x), mode);
    }
    if (next <= t + wait) {
      t = next;
      continue;
    }
    t += wait;
    const int columns = 1 + static_cast<int>(random >> 10 & 3);
    m.served(mode, columns, false, t, t + 4 * columns);
    t += 4 * columns;
  }
}

static ZynqDdrc with_high_reads() {
  ControllerConfig c;
  c.starve_clocks = 64;
  c.run_length = 8;
  c.min_non_critical_clocks = 32;
  c.high_priority = {.entries = 8, .starve_clocks = 16, .run_length = 2};
  return ZynqDdrc(c);
}

TEST(high_priority_reads_come_first_unless_the_others_alone_are_critical) {
  ZynqDdrc m = with_high_reads();
  m.filled(kRead, 0);
  m.filled(kHighReads, 60);
  CHECK_EQ(m.decide(true, false, 60, true), kRead);
  CHECK(m.high_first());
  m.decide(true, false, 64, true); // the others have starved
  CHECK(!m.high_first());
  m.decide(true, false, 76, true); // both have
  CHECK(m.high_first());
  m.served(kHighReads, 2, false, 76, 84);
  m.decide(true, false, 84, true); // the run is over
  CHECK(!m.high_first());
  m.decide(true, false, 84, false);
  CHECK(!m.high_first());
}

TEST(critical_high_priority_reads_turn_the_bus) {
  ZynqDdrc m = with_high_reads();
  m.filled(kWrite, 0);
  CHECK_EQ(m.decide(false, true, 0, false), kWrite);
  m.filled(kHighReads, 10);
  m.filled(kRead, 10);
  CHECK_EQ(m.next_change_of_three(10), 26);
  CHECK_EQ(m.decide(true, true, 25, true), kWrite);
  CHECK_EQ(m.decide(true, true, 26, true), kRead);
}
