#include "axiometer/model/targets/part_queue.hpp"

#include <algorithm>
#include <random>
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
    q.push(part(static_cast<int>(i) % 2, i, i, 2), false);
  q.remove(std::countr_zero(q.valid));
  CHECK(order(q, q.valid) == (std::vector<std::uint32_t>{1, 2, 3, 4}));
  CHECK(order(q, q.window(2)) == (std::vector<std::uint32_t>{1, 2}));
  CHECK(order(q, q.window(64)) == (std::vector<std::uint32_t>{1, 2, 3, 4}));
  CHECK_EQ(q.columns[0], 8);
}

TEST(hits_follow_the_open_rows) {
  PartQueue q;
  q.push(part(3, 7, 0), false);
  q.push(part(3, 8, 1), false);
  q.push(part(5, 7, 2), true); // its row is open when it comes
  CHECK(order(q, q.hits) == (std::vector<std::uint32_t>{2}));
  CHECK_EQ(q.hit_banks, 1U << 5);
  q.row_opened(3, 8);
  CHECK(order(q, q.hits) == (std::vector<std::uint32_t>{1, 2}));
  CHECK_EQ(q.hit_banks, 1U << 5 | 1U << 3);
  q.row_closed(5);
  CHECK_EQ(q.hit_banks, 1U << 3);
  q.all_rows_closed();
  CHECK(q.hits == 0 && q.hit_banks == 0);
  CHECK_EQ(q.banks, 1U << 5 | 1U << 3);
  q.clear();
  CHECK(q.empty() && q.banks == 0 && q.columns[0] == 0 && q.of_bank(3) == 0);
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
  std::uint32_t index = 0;
  for (int step = 0; step < 200'000; ++step) {
    const int bank = static_cast<int>(random() % kBanks);
    const auto row = static_cast<std::uint32_t>(random() % kRows);
    switch (random() % 8) {
    case 0: // a row is opened
      if (open[bank] >= 0)
        break;
      open[bank] = row;
      q.row_opened(bank, row);
      for (Plain &e : list)
        if (e.p.bank == bank)
          e.hit = e.p.row == row;
      break;
    case 1: // or closed
      open[bank] = -1;
      q.row_closed(bank);
      for (Plain &e : list)
        if (e.p.bank == bank)
          e.hit = false;
      break;
    case 2:
      if (random() % 16 != 0)
        break;
      std::fill(std::begin(open), std::end(open), -1);
      q.all_rows_closed();
      for (Plain &e : list)
        e.hit = false;
      break;
    case 3:
    case 4:
    case 5:
      if (list.size() < 48) { // the largest store that a configuration may have
        const Part p = part(bank, row, index++, 1 + static_cast<int>(random() % 4));
        const bool hit = open[bank] == row;
        q.push(p, hit);
        list.push_back({p, hit});
      }
      break;
    default:
      if (!list.empty()) {
        const std::size_t n = random() % list.size();
        std::uint64_t slots = q.valid;
        for (std::size_t i = 0; i < n; ++i)
          slots &= slots - 1;
        q.remove(std::countr_zero(slots));
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(n));
      }
    }
    std::vector<std::uint32_t> all, hits;
    std::uint32_t banks = 0, hit_banks = 0;
    int columns = 0;
    for (const Plain &e : list) {
      all.push_back(e.p.index);
      columns += e.p.columns;
      banks |= 1U << e.p.bank;
      if (!e.hit)
        continue;
      hits.push_back(e.p.index);
      hit_banks |= 1U << e.p.bank;
    }
    CHECK(order(q, q.valid) == all);
    CHECK(order(q, q.hits) == hits);
    CHECK_EQ(q.banks, banks);
    CHECK_EQ(q.hit_banks, hit_banks);
    CHECK_EQ(q.columns[0], columns);
    std::uint64_t together = 0;
    for (int b = 0; b < kBanks; ++b) {
      CHECK((together & q.of_bank(b)) == 0);
      together |= q.of_bank(b);
    }
    CHECK_EQ(together, q.valid);
  }
  CHECK(index > 1000); // so that there was something to compact
}
