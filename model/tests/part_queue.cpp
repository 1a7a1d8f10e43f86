#include "axiometer/model/targets/part_queue.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"

using namespace axm;

static Part part(int bank, std::uint32_t row, std::uint32_t index, int columns = 1) {
  Part p;
  p.bank = static_cast<std::uint8_t>(bank);
  p.row = row;
  p.index = index;
  p.columns = static_cast<std::uint8_t>(columns);
  return p;
}

// The numbers of the parts in the slots of `mask`, low slots first.
static std::vector<std::uint32_t> order(const PartQueue &q, std::uint64_t mask) {
  std::vector<std::uint32_t> out;
  for (; mask != 0; mask &= mask - 1)
    out.push_back(q[std::countr_zero(mask)].index);
  return out;
}

TEST(the_oldest_is_in_the_lowest_slot) {
  PartQueue q;
  CHECK(q.empty());
  for (std::uint32_t i = 0; i < 5; ++i)
    q.push(part(static_cast<int>(i) % 2, i, i, 2), static_cast<int>(i) + 1, i == 0);
  q.remove(std::countr_zero(q.valid));
  CHECK(order(q, q.valid) == (std::vector<std::uint32_t>{1, 2, 3, 4}));
  CHECK(order(q, q.window(2)) == (std::vector<std::uint32_t>{1, 2}));
  CHECK(order(q, q.window(64)) == (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST(hits_follow_the_open_rows) {
  PartQueue q;
  q.push(part(3, 7, 0), 1, false);
  q.push(part(3, 8, 1), 2, false);
  q.push(part(5, 7, 2), 3, true); // its row is open when it comes
  CHECK(order(q, q.hits) == (std::vector<std::uint32_t>{2}));
  CHECK_EQ(q.unopen, 1U << 3);
  q.row_opened(3, 2);
  CHECK(order(q, q.hits) == (std::vector<std::uint32_t>{1, 2}));
  CHECK_EQ(q.unopen, 0U);
  q.row_closed(5, 3);
  CHECK_EQ(q.unopen, 1U << 5);
  q.remove(std::countr_zero(q.hits));
  CHECK_EQ(q.unopen, 1U << 5 | 1U << 3);
  q.clear();
  CHECK(q.empty() && q.unopen == 0 && q.of_bank(3) == 0 && q.of_row(1) == 0);
}

// Long random use, so that the slots are compacted many times, beside a list that is
// searched from end to end.
TEST(random_use_agrees_with_a_plain_list) {
  struct Plain {
    Part p;
    bool hit;
  };
  constexpr int kBanks = 8, kRows = 3;
  std::mt19937 random(1);
  std::vector<Plain> list; // oldest first
  std::int64_t open[kBanks];
  std::fill(std::begin(open), std::end(open), -1);
  PartQueue q;
  RowNumbers rows;
  int numbers[kBanks] = {}; // of the rows that are open
  const auto number = [&](int bank, std::int64_t row) {
    return rows.of(bank, static_cast<std::uint32_t>(row), static_cast<int>(random() % 100),
                   [&](int b, int n) { return q.of_row(n) == 0 && numbers[b] != n; });
  };
  const auto close = [&](int bank) {
    if (open[bank] < 0)
      return;
    open[bank] = -1;
    q.row_closed(bank, std::exchange(numbers[bank], RowNumbers::kNone));
    for (Plain &e : list)
      if (e.p.bank == bank)
        e.hit = false;
  };
  std::uint32_t index = 0;
  for (int step = 0; step < 200'000; ++step) {
    const int bank = static_cast<int>(random() % kBanks);
    const auto row = static_cast<std::uint32_t>(random() % kRows);
    switch (random() % 8) {
    case 0: // the row of a part is opened
      if (open[bank] >= 0 || q.of_bank(bank) == 0)
        break;
      open[bank] = q[std::countr_zero(q.of_bank(bank))].row;
      numbers[bank] = number(bank, open[bank]);
      q.row_opened(bank, numbers[bank]);
      for (Plain &e : list)
        if (e.p.bank == bank)
          e.hit = e.p.row == open[bank];
      break;
    case 1: // or closed
      if (random() % 4 == 0)
        close(bank);
      break;
    case 2:
      if (random() % 16 == 0)
        for (int b = 0; b < kBanks; ++b)
          close(b);
      break;
    case 3:
    case 4:
      if (list.size() < 48) { // the largest store that a configuration may have
        const Part p = part(bank, row, index++, 1 + static_cast<int>(random() % 4));
        const bool hit = open[bank] == row;
        q.push(p, number(bank, row), hit);
        list.push_back({p, hit});
      }
      break;
    default:
      if (q.hits != 0) {
        std::uint64_t hits = q.hits;
        for (int n = static_cast<int>(random() % 4); n > 0 && (hits & (hits - 1)) != 0; --n)
          hits &= hits - 1;
        const std::uint32_t gone = q[std::countr_zero(hits)].index;
        q.remove(std::countr_zero(hits));
        std::erase_if(list, [&](const Plain &e) { return e.p.index == gone; });
      }
    }
    std::vector<std::uint32_t> all, hits;
    std::uint32_t banks = 0, hit_banks = 0;
    for (const Plain &e : list) {
      all.push_back(e.p.index);
      banks |= 1U << e.p.bank;
      if (!e.hit)
        continue;
      hits.push_back(e.p.index);
      hit_banks |= 1U << e.p.bank;
    }
    CHECK(order(q, q.valid) == all);
    CHECK(order(q, q.hits) == hits);
    CHECK_EQ(q.unopen, banks & ~hit_banks);
    std::uint64_t together = 0;
    for (int b = 0; b < kBanks; ++b) {
      CHECK((together & q.of_bank(b)) == 0);
      together |= q.of_bank(b);
    }
    CHECK_EQ(together, q.valid);
  }
  CHECK(index > 10'000); // so that there was something to compact
}

// As many rows as there can be: each has its own number, and a row that is asked for again keeps
// it. Those that are idle give theirs to others, also to those of other banks, but not streams'
// latest.
TEST(rows_have_numbers_of_their_own) {
  RowNumbers rows;
  const auto never = [](int, int) { return false; };
  std::vector<int> of;
  for (int i = 1; i < RowNumbers::kMost; ++i)
    of.push_back(rows.of(i % 32, static_cast<std::uint32_t>(i / 32), i, never));
  std::vector<int> sorted = of;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 1; i < RowNumbers::kMost; ++i)
    CHECK_EQ(sorted[static_cast<std::size_t>(i - 1)], i);
  CHECK_EQ(rows.of(1, 0, 1000, never), of[0]);
  const auto two = [&](int bank, int n) {
    return (bank == 2 && n == of[1]) || n == of[192]; // which is a latest
  };
  CHECK_EQ(rows.of(3, 1000, 7, two), of[1]);
  CHECK_EQ(rows.of(3, 0, 8, never), of[2]);
  CHECK_EQ(rows.of(3, 1000, 9, never), of[1]);
}
