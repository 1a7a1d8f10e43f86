#include <algorithm>

#include "axiometer/model/accounting/stats.hpp"
#include "check.hpp"

using namespace axm;

TEST(bins_are_monotone_and_a_value_is_the_least_of_its_bin) {
  int previous = 0;
  for (Cycle latency = 0; latency < 1 << 20; ++latency) {
    const int bin = Histogram::bin(latency);
    CHECK(bin == previous || bin == previous + 1);
    CHECK(Histogram::value(bin) <= latency);
    if (bin == previous + 1)
      CHECK_EQ(Histogram::value(bin), latency);
    previous = bin;
  }
}

TEST(short_latencies_are_exact) {
  for (Cycle latency = 0; latency < Histogram::kExact; ++latency)
    CHECK_EQ(Histogram::value(Histogram::bin(latency)), latency);
}

TEST(long_latencies_are_within_a_sixty_fourth) {
  for (Cycle latency = Histogram::kExact; latency < Cycle{1} << 26; latency += latency / 97 + 1) {
    const Cycle value = Histogram::value(Histogram::bin(latency));
    CHECK(value <= latency && 64 * (latency - value) < value);
  }
}

TEST(every_bin_is_its_own_inverse) {
  for (int bin = 0; bin < Histogram::kBins; ++bin)
    CHECK_EQ(Histogram::bin(Histogram::value(bin)), bin);
}

TEST(what_is_out_of_range_is_in_the_last_or_first_bin) {
  CHECK_EQ(Histogram::bin(-1), 0);
  CHECK_EQ(Histogram::bin(kNever), Histogram::kBins - 1);
}
