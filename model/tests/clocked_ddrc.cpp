// The scheduler of the UltraScale+ controller, command by command: cases worked out by hand from
// the rules of ddrc.hpp and the distances of dram.hpp. A controller clock is two DRAM clocks, so
// tRCD 8, tRP 9, tRAS 17, tRFC 138, columns 2 apart and in one group of banks 3.
#include "axiometer/model/targets/usp_ddrc.hpp"

#include <map>

#include "check.hpp"
#include "clocked_configs.hpp"

using namespace axm;
using namespace axm::clocked;

namespace {

SystemConfig chip() {
  SystemConfig c;
  c.controller.entries[kRead] = 24;
  c.controller.entries[kWrite] = 64;
  c.controller.starve_clocks = 1000;
  c.controller.run_length = 8;
  c.controller.ddrc.dram_clocks = 2;
  c.controller.ddrc.low_latency_entries = 8;
  configs::set_ddr4(c.dram);
  c.dram.row_bytes = 8192;
  c.dram.column_bytes = 64;
  return c;
}

struct Bench {
  explicit Bench(const SystemConfig &c, Clk first_refresh = 100000) : ddrc(c, first_refresh) {
    ddrc.trace = &trace;
  }
  void push(Clk at, Dir d, int bank, std::uint32_t row, Clk deadline = kNever) {
    Entry e;
    e.bank = static_cast<std::uint8_t>(bank);
    e.row = row;
    e.column = static_cast<std::uint64_t>(64 * pushed++);
    e.deadline = deadline;
    if (deadline != kNever)
      e.traffic = TrafficClass::video;
    coming.emplace(at, std::pair{d, e});
  }
  void run(Clk until) {
    for (; now <= until; ++now) {
      for (auto [k, end] = coming.equal_range(now); k != end; ++k)
        ddrc.push(k->second.first, k->second.second);
      ddrc.step(now, [](Dir, const Entry &) {});
    }
  }
  // The controller clock of the nth (from 0) such command to the bank; -1: there is none.
  Clk when(Command command, int bank, int nth = 0) const {
    for (const auto &t : trace)
      if (t.command == command && t.bank == bank && nth-- == 0)
        return t.clk / 2;
    return -1;
  }
  Trace trace;
  Ddrc ddrc;
  std::multimap<Clk, std::pair<Dir, Entry>> coming;
  Clk now = 1;
  int pushed = 0;
};

} // namespace

TEST(a_row_is_opened_read_and_closed_for_another) {
  Bench b(chip());
  b.push(10, kRead, 0, 1);
  b.push(20, kRead, 0, 2);
  b.run(60);
  CHECK_EQ(b.when(Command::activate, 0), 10);
  CHECK_EQ(b.when(Command::read, 0), 18);
  CHECK_EQ(b.when(Command::precharge, 0), 27); // tRAS
  CHECK_EQ(b.when(Command::activate, 0, 1), 36);
  CHECK_EQ(b.when(Command::read, 0, 1), 44);
  CHECK_EQ(b.trace.size(), 5U);
  CHECK_EQ(b.trace[2].clk, 2 * 27 + 1); // row commands in the second half of the clock
}

TEST(a_refresh_closes_the_rank_as_soon_as_it_may) {
  Bench b(chip(), 40); // in clock 20, while bank 0 must stay open until 27
  b.push(10, kRead, 0, 1);
  b.push(15, kRead, 1, 1);
  b.run(15);
  CHECK_EQ(b.ddrc.bus_class(15), kActivatePrecharge);
  b.run(200);
  CHECK_EQ(b.when(Command::precharge_all, 0), 32); // bank 1 was opened in 15
  CHECK_EQ(b.when(Command::refresh, 0), 41);
  CHECK_EQ(b.when(Command::activate, 1, 1), 41 + 138);
  CHECK_EQ(b.when(Command::read, 1), 41 + 138 + 8);
}

TEST(what_the_bus_does) {
  Bench b(chip(), 200);
  b.push(10, kRead, 0, 1);
  b.run(12);
  CHECK_EQ(b.ddrc.bus_class(12), kActivatePrecharge);
  b.run(18);
  CHECK_EQ(b.ddrc.bus_class(18), kReadData);
  b.run(60);
  CHECK_EQ(b.ddrc.bus_class(60), kIdleNoRequest);
  b.run(101);
  CHECK_EQ(b.ddrc.bus_class(101), kRefresh);
  b.run(200); // closed in 100, refreshed in 109
  CHECK_EQ(b.ddrc.bus_class(200), kRefresh);
  b.run(247);
  CHECK_EQ(b.ddrc.bus_class(247), kIdleNoRequest);
}

TEST(a_bank_that_must_wait_lets_others_pass) {
  Bench b(chip());
  b.push(10, kRead, 0, 1);
  b.push(11, kRead, 1, 1);
  // Both rows are open. Bank 0 again, three clocks later by its group's rule, then bank 1.
  for (const int bank : {0, 0, 1})
    b.push(100, kRead, bank, 1);
  b.run(120);
  CHECK_EQ(b.when(Command::read, 0, 1), 100);
  CHECK_EQ(b.when(Command::read, 1, 1), 102);
  CHECK_EQ(b.when(Command::read, 0, 2), 104);
}

TEST(of_two_banks_the_older_command_opens_its_row_first) {
  Bench b(chip());
  b.push(10, kRead, 5, 1);
  b.push(10, kRead, 2, 1);
  b.run(30);
  CHECK_EQ(b.when(Command::activate, 5), 10);
  CHECK_EQ(b.when(Command::activate, 2), 12); // tRRD, of another group
}

TEST(of_two_banks_the_expired_command_opens_its_row_first) {
  Bench b(chip());
  b.push(10, kRead, 2, 1);
  b.push(10, kRead, 5, 1, 10);
  b.run(30);
  CHECK_EQ(b.when(Command::activate, 5), 10);
  CHECK_EQ(b.when(Command::activate, 2), 12);
}

TEST(of_two_banks_the_older_command_closes_its_row_first) {
  Bench b(chip());
  b.push(10, kRead, 5, 1);
  b.push(10, kRead, 2, 1);
  b.push(100, kRead, 5, 2);
  b.push(100, kRead, 2, 2);
  b.run(120);
  CHECK_EQ(b.when(Command::precharge, 5), 100);
  CHECK_EQ(b.when(Command::precharge, 2), 101);
}

TEST(hits_are_served_before_an_expired_read_closes_their_row) {
  for (const bool expired : {false, true}) {
    Bench b(chip());
    b.push(10, kRead, 0, 1);
    b.push(100, kRead, 0, 2, expired ? 100 : kNever);
    b.push(100, kRead, 0, 1);
    b.run(160);
    CHECK_EQ(b.when(Command::read, 0, 1), 100);
    CHECK(b.when(Command::activate, 0, 1) > 100);
  }
}

TEST(writes_wait_for_the_gap_of_reads) {
  SystemConfig c = chip();
  c.controller.ddrc.idle_gap_clocks = 10;
  Bench b(c);
  b.push(1, kRead, 0, 1);
  b.push(50, kWrite, 1, 1);
  b.push(100, kRead, 0, 1);
  b.push(101, kWrite, 1, 1);
  b.run(130);
  CHECK_EQ(b.when(Command::activate, 1), 50);
  CHECK_EQ(b.when(Command::write, 1), 58);
  CHECK_EQ(b.when(Command::read, 0, 1), 100);  // no write waits: immediately
  CHECK_EQ(b.when(Command::write, 1, 1), 111); // the first clock without reads is 101
}

TEST(an_expired_write_waits_for_an_expired_read) {
  SystemConfig c = chip();
  c.controller.run_length = 1;
  for (const bool expired : {false, true}) {
    Bench b(c);
    b.push(10, kRead, 0, 1);
    b.push(100, kRead, 0, 2, expired ? 100 : kNever);
    b.push(100, kWrite, 1, 1, 100);
    b.run(200);
    CHECK_EQ(b.when(Command::activate, 1) < b.when(Command::read, 0, 1), !expired);
  }
}
