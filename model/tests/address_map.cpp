#include "axiometer/model/dram/address.hpp"

#include <set>
#include <tuple>

#include "check.hpp"

using namespace axm;

static DramConfig small(Mapping mapping) {
  DramConfig d;
  d.banks = 4;
  d.row_bytes = 1024;
  d.column_bytes = 32;
  d.bytes = 64 * 1024; // 16 rows a bank
  d.mapping = mapping;
  return d;
}

static bool operator==(const Location &a, const Location &b) {
  return a.row == b.row && a.bank == b.bank && a.column == b.column;
}

// Every column has one place, and every place is used.
static void is_one_to_one(Mapping mapping) {
  const DramConfig d = small(mapping);
  const AddressMap map(d);
  std::set<std::tuple<std::uint32_t, int, int>> places;
  for (std::uint64_t a = 0; a < d.bytes; a += 32) {
    const Location l = map.locate(a);
    CHECK(l.row < 16 && l.bank < 4 && l.column < 32);
    CHECK(map.locate(a + 31) == l);
    places.emplace(l.row, l.bank, l.column);
  }
  CHECK_EQ(places.size(), d.bytes / 32);
}

TEST(row_bank_column) {
  is_one_to_one(Mapping::row_bank_column);
  const AddressMap map(small(Mapping::row_bank_column));
  CHECK(map.locate(0) == (Location{0, 0, 0}));
  CHECK(map.locate(992) == (Location{0, 0, 31}));
  CHECK(map.locate(1024) == (Location{0, 1, 0})); // the next row's worth is in the next bank
  CHECK(map.locate(4096) == (Location{1, 0, 0}));
  CHECK(map.locate(65535) == (Location{15, 3, 31}));
  CHECK(map.rotates());
}

TEST(bank_row_column) {
  is_one_to_one(Mapping::bank_row_column);
  const AddressMap map(small(Mapping::bank_row_column));
  CHECK(map.locate(992) == (Location{0, 0, 31}));
  CHECK(map.locate(1024) == (Location{1, 0, 0})); // the next row's worth is in the same bank
  CHECK(map.locate(16 * 1024) == (Location{0, 1, 0}));
  CHECK(map.locate(65535) == (Location{15, 3, 31}));
  CHECK(!map.rotates());
}

TEST(a_shift_by_rows_only_renames_banks) {
  const AddressMap map(small(Mapping::row_bank_column));
  for (std::uint64_t a = 0; a < 32 * 1024; a += 32)
    for (std::uint64_t rows = 1; rows < 8; ++rows) {
      const Location from = map.locate(a), to = map.locate(a + rows * 1024);
      CHECK_EQ(to.column, from.column);
      CHECK_EQ(to.bank, (from.bank + rows) % 4);
    }
}

TEST(a_place_is_that_of_its_page_and_its_column) {
  for (const Mapping mapping : {Mapping::row_bank_column, Mapping::bank_row_column}) {
    const AddressMap map(small(mapping));
    CHECK_EQ(map.row_columns(), 32);
    for (std::uint64_t a = 0; a < 64 * 1024; a += 7) {
      const Location l = map.locate(a), first = map.locate(map.page(a) * 1024);
      CHECK(l.row == first.row && l.bank == first.bank);
      CHECK_EQ(l.column, map.column(a));
    }
    CHECK_EQ(map.columns(32, 32), 1);
    CHECK_EQ(map.columns(40, 24), 1);
    CHECK_EQ(map.columns(40, 25), 2);
    CHECK_EQ(map.columns(63, 34), 3);
  }
}
