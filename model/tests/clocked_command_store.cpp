#include "axiometer/model/targets/command_store.hpp"

#include "check.hpp"

using namespace axm;
using namespace axm::clocked;

static Entry entry(int bank, std::uint32_t row, Clk deadline = kNever) {
  Entry e;
  e.bank = static_cast<std::uint8_t>(bank);
  e.row = row;
  e.deadline = deadline;
  e.column = row * 4096ULL + static_cast<std::uint64_t>(bank) * 64;
  return e;
}

TEST(slots_count_from_the_lowest_across_words) {
  Slots s = Slots::one(3) | Slots::one(70) | Slots::one(64);
  CHECK_EQ(s.first(), 3);
  s.drop_first();
  CHECK_EQ(s.first(), 64);
  s.drop_first();
  CHECK_EQ(s.first(), 70);
  s.drop_first();
  CHECK(!s);
  CHECK(Slots::below(65).has(64));
  CHECK(!Slots::below(65).has(65));
  CHECK(Slots::below(128).has(127));
}

TEST(hits_follow_the_open_row) {
  CommandStore q;
  q.push(entry(2, 7), false);
  q.push(entry(2, 8), false);
  q.push(entry(5, 7), false);
  CHECK(!q.hits());
  q.row_opened(2, 8);
  CHECK_EQ(q.hits().first(), 1);
  q.row_closed(2);
  CHECK(!q.hits());
  CHECK(q.holds(8 * 4096ULL + 2 * 64, 2));
  CHECK(!q.holds(8 * 4096ULL + 2 * 64, 5));
}

TEST(banks_are_those_with_an_entry) {
  CommandStore q;
  q.push(entry(2, 7), false);
  q.push(entry(2, 8), false);
  q.remove(0);
  CHECK_EQ(q.banks(), 1ULL << 2);
  q.remove(1);
  CHECK_EQ(q.banks(), 0ULL);
  CHECK(q.empty());
}

TEST(age_survives_many_pushes) {
  CommandStore q;
  std::uint32_t next = 0, oldest = 0;
  for (; next < 20; ++next)
    q.push(entry(0, next), false);
  for (int i = 0; i < 1000; ++i) {
    const int slot = q.valid().first();
    CHECK_EQ(q[slot].row, oldest++);
    q.remove(slot);
    q.push(entry(0, next++), false);
    CHECK_EQ(q.size(), 20);
  }
}

TEST(what_waits_too_long_expires_once_its_time_has_come) {
  CommandStore q;
  q.push(entry(0, 1, 100), false);
  q.push(entry(1, 2, 50), false);
  q.push(entry(2, 3), false);
  q.expire(49);
  CHECK(!q.expired());
  q.expire(50);
  CHECK_EQ(q.expired().first(), 1);
  q.remove(1);
  CHECK(!q.expired());
  q.expire(100);
  CHECK_EQ(q.expired().first(), 0);
  q.expire(1'000'000);
  CHECK(!q.expired().has(2));
}
