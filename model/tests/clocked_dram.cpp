#include "axiometer/model/dram/clocked_dram.hpp"

#include "check.hpp"
#include "clocked_configs.hpp"

using namespace axm;
using namespace axm::clocked;

static SystemConfig chip(int ranks) {
  SystemConfig c;
  c.controller.ddrc.dram_clocks = 2;
  configs::set_ddr4(c.dram);
  c.dram.ranks = ranks;
  c.dram.rank_gap = 14;
  return c;
}

TEST(times_are_rounded_up_to_controller_clocks) {
  const Dram d(chip(1));
  CHECK_EQ(d.tRCD, 8);
  CHECK_EQ(d.tWTR[0], 11); // (14 + 4 + 4) / 2
  CHECK_EQ(d.tWTR[1], 13);
}

TEST(columns_of_one_group_keep_more_distance) {
  Dram d(chip(1));
  d.activate(0, 1, 0);
  d.activate(1, 1, 2);
  d.activate(4, 1, 5); // the group of bank 0
  d.column(kRead, 0, 100);
  CHECK_EQ(d.column_ok(kRead, 1), 102);
  CHECK_EQ(d.column_ok(kRead, 4), 103);
  CHECK_EQ(d.column_ok(kWrite, 1), 106);
  d.column(kWrite, 1, 106);
  CHECK_EQ(d.column_ok(kRead, 0), 117);
  CHECK_EQ(d.column_ok(kRead, 1), 119);
}

TEST(activates_keep_their_distance_and_at_most_four_in_tFAW) {
  Dram d(chip(1));
  d.activate(0, 1, 0);
  CHECK_EQ(d.activate_ok(1), 2);
  CHECK_EQ(d.activate_ok(4), 3);
  d.activate(1, 1, 2);
  d.activate(2, 1, 4);
  d.activate(3, 1, 6);
  CHECK_EQ(d.activate_ok(4), 16);
}

TEST(a_bank_cycles_through_activate_and_precharge) {
  Dram d(chip(1));
  d.activate(0, 9, 0);
  CHECK(d.is_open(0, 9));
  CHECK_EQ(d.column_ok(kRead, 0), 8);
  CHECK_EQ(d.precharge_ok(0), 17);
  d.column(kWrite, 0, 8);
  CHECK_EQ(d.precharge_ok(0), 25);
  d.precharge(0, 25);
  CHECK(d.closed(0));
  CHECK_EQ(d.activate_ok(0), 34);
}

TEST(the_bus_rests_when_the_rank_changes) {
  Dram d(chip(2));
  d.column(kRead, 0, 100);
  CHECK_EQ(d.column_ok(kRead, 1), 102);
  CHECK_EQ(d.column_ok(kRead, 16), 100 + 2 + 7);
  CHECK_EQ(d.rank(16), 1);
}

TEST(a_refresh_is_of_one_rank) {
  Dram d(chip(2));
  d.refresh(1, 1000);
  CHECK_EQ(d.activate_ok(16), 1138);
  CHECK(d.activate_ok(0) < 1000);
}

TEST(a_precharge_closes_its_bank_and_no_other) {
  Dram d(chip(1));
  d.activate(3, 9, 0);
  d.activate(5, 9, 10);
  d.precharge(3, 40);
  CHECK(d.closed(3));
  CHECK(d.is_open(5, 9));
  CHECK_EQ(d.open(), std::uint64_t{1} << 5);
}
