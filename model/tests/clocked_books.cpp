#include "axiometer/model/accounting/clocked_books.hpp"

#include "check.hpp"

using namespace axm;
using axm::clocked::Books;

TEST(bursts_that_cross_a_mark_count_on_neither_side_for_its_latencies) {
  Books b;
  b.mark(); // the whole
  b.begin(0);
  b.begin(4);
  b.complete(10);
  b.mark();
  b.begin(12);
  b.complete(14); // begun at 4
  b.complete(15); // begun at 12
  CHECK_EQ(b.since_mark(0).bursts, 3);
  CHECK_EQ(b.since_mark(0).latency_sum, 10 + 10 + 3);
  CHECK_EQ(b.since_mark(1).bursts, 1);
  CHECK_EQ(b.since_mark(1).latency_sum, 3);
  CHECK_EQ(b.since_mark(1).latency[Histogram::bin(3)], 1);
  CHECK_EQ(b.since_mark(1).latency[Histogram::bin(10)], 0);
}

TEST(nothing_counts_until_all_before_the_mark_is_complete) {
  Books b;
  b.begin(0);
  b.begin(1);
  b.mark();
  b.complete(50);
  CHECK_EQ(b.since_mark(0).bursts, 0);
  CHECK_EQ(b.since_mark(0).latency_sum, 0);
}

TEST(every_other_mark_goes) {
  Books b;
  for (int i = 0; i < 5; ++i) {
    b.mark();
    b.begin(10 * i);
    b.complete(10 * i + i);
    b.count(kData);
  }
  b.thin_marks();
  CHECK_EQ(b.since_mark(0).bursts, 5);
  CHECK_EQ(b.since_mark(1).bursts, 3);
  CHECK_EQ(b.since_mark(1).latency_sum, 2 + 3 + 4);
  CHECK_EQ(b.since_mark(2).bursts, 1);
  CHECK_EQ(b.since_mark(2).classes[kData], 1);
  b.mark();
  CHECK_EQ(b.since_mark(3).bursts, 0);
}

TEST(the_longest_wait_lies_between_two_beats) {
  Books b;
  const auto waits = [&](int cycles) {
    for (int i = 0; i < cycles; ++i)
      b.count(kLatency);
  };
  waits(9); // before the first beat
  b.count(kData);
  CHECK_EQ(b.stats.longest_wait, 0);
  waits(3);
  b.count(kData);
  b.count(kData);
  waits(2);
  b.count(kData);
  waits(7); // none comes after
  CHECK_EQ(b.stats.longest_wait, 3);
  CHECK_EQ(b.beats(), 4);
  CHECK_EQ(b.stats.classes[kLatency], 21);
}
