#include "axiometer/model/interconnect/path.hpp"

#include <vector>

#include "check.hpp"

using namespace axm;

static constexpr int kColumn = 32; // bytes

// Eight column commands in flight, a place free again 10 clocks after the last command.
static PathConfig path(bool ordered, int column_clocks = 0) {
  PathConfig c;
  c.inflight[kRead] = c.inflight[kWrite] = 8;
  c.release_clocks[kRead] = c.release_clocks[kWrite] = 10;
  c.ordered[kRead] = c.ordered[kWrite] = ordered;
  c.column_clocks = column_clocks;
  return c;
}

static InFlight part(int stream, int columns, Clk last = kNever) {
  return {static_cast<std::uint32_t>(kColumn * columns), static_cast<std::uint16_t>(stream),
          static_cast<std::uint8_t>(columns), 0, last};
}

TEST(a_place_is_free_again_after_the_release) {
  PathDirection p(path(false), kColumn, kRead);
  p.attach(0);
  p.start();
  std::vector<InFlight> given;
  const auto give = [&](const InFlight &f) { given.push_back(f); };
  CHECK(p.place(8) <= 0);
  const auto a = p.accept(0, part(0, 4), 0);
  const auto b = p.accept(0, part(0, 4), 1);
  CHECK_EQ(p.place(1), kNever); // full, and no end is known
  p.served(part(0, 4, 32), a, give);
  CHECK_EQ(given.size(), 1);
  CHECK_EQ(p.place(4), 42);
  CHECK_EQ(p.place(5), kNever); // needs both places
  p.served(part(0, 4, 48), b, give);
  CHECK_EQ(p.place(5), 58);
  p.accept(0, part(0, 4), 42);
  CHECK_EQ(p.place(1), 58);
}

TEST(an_ordered_path_gives_back_in_the_order_of_acceptance) {
  PathDirection p(path(true), kColumn, kRead);
  p.attach(0);
  p.start();
  std::vector<InFlight> given;
  const auto give = [&](const InFlight &f) { given.push_back(f); };
  const auto first = p.accept(0, part(1, 2), 0);
  const auto second = p.accept(0, part(2, 2), 1);
  const auto third = p.accept(0, part(3, 2), 2);
  p.served(part(2, 2, 14), second, give);
  p.served(part(3, 2, 22), third, give);
  CHECK(given.empty()); // the first waits for its row, and holds up the others
  CHECK_EQ(p.place(3), kNever);
  p.served(part(1, 2, 44), first, give);
  CHECK_EQ(given.size(), 3);
  for (std::size_t i = 0; i < given.size(); ++i) {
    CHECK_EQ(given[i].stream, i + 1);
    CHECK(given[i].last >= 44);
  }
  CHECK_EQ(p.place(3), 54);
}

TEST(an_unordered_path_gives_back_at_once) {
  PathDirection p(path(false), kColumn, kRead);
  p.attach(0);
  p.start();
  std::vector<int> given;
  const auto give = [&](const InFlight &f) { given.push_back(f.stream); };
  const auto first = p.accept(0, part(1, 2), 0);
  const auto second = p.accept(0, part(2, 2), 1);
  p.served(part(2, 2, 14), second, give);
  CHECK(given == std::vector<int>{2});
  p.served(part(1, 2, 44), first, give);
  CHECK(given == (std::vector<int>{2, 1}));
}

TEST(read_data_pass_the_channel_one_after_another) {
  PathDirection p(path(true, 6), kColumn, kRead);
  p.attach(0);
  p.start();
  std::vector<Clk> last;
  const auto give = [&](const InFlight &f) { last.push_back(f.last); };
  const auto a = p.accept(0, part(0, 4), 0);
  const auto b = p.accept(0, part(0, 4), 0);
  p.served(part(0, 4, 112), a, give);
  p.served(part(0, 4, 128), b, give); // 24 clocks of data behind those of the first
  CHECK(last == (std::vector<Clk>{112, 136}));
}

TEST(write_data_hold_the_channel_for_their_length) {
  PathDirection p(path(true, 6), kColumn, kWrite);
  p.attach(0);
  p.start();
  p.accept(0, part(0, 4), 50);
  CHECK_EQ(p.place(4), 74); // there is room, but the channel is busy for 4 x 6 clocks
}

TEST(what_was_not_asked_for_does_not_pass_the_channel) {
  InFlight beat = part(0, 1, 100); // 8 of a column command's 32 bytes: 6 / 4 clocks
  beat.bytes = 8;
  PathDirection writes(path(false, 6), kColumn, kWrite), reads(path(true, 6), kColumn, kRead);
  for (PathDirection *p : {&writes, &reads}) {
    p->attach(0);
    p->start();
  }
  writes.accept(0, beat, 50);
  CHECK_EQ(writes.place(1), 52);
  std::vector<Clk> last;
  const auto give = [&](const InFlight &f) { last.push_back(f.last); };
  for (int i = 0; i < 2; ++i)
    reads.served(beat, reads.accept(0, beat, 0), give);
  CHECK(last == (std::vector<Clk>{100, 102}));
}

TEST(the_earliest_head_that_has_a_place_and_room) {
  PathDirection p(path(false), kColumn, kRead);
  p.attach(0);
  p.attach(1);
  p.start();
  bool short_of_room = false;
  CHECK_EQ(p.earliest(32, short_of_room), kNever); // no stream has a part
  p.head(0, 30, 4);
  p.head(1, 20, 4);
  CHECK_EQ(p.earliest(32, short_of_room), 20);
  CHECK_EQ(p.pick(19, 32), -1);
  CHECK_EQ(p.pick(20, 32), 1);
  CHECK_EQ(p.pick(30, 32), 0); // both can, and it is the turn of the first
  CHECK(!short_of_room && !p.short_of_places());
  CHECK_EQ(p.earliest(3, short_of_room), kNever); // neither fits into the store
  CHECK(short_of_room);
  p.head(1, 20, 2);
  CHECK_EQ(p.earliest(3, short_of_room), 20); // the smaller one does
  CHECK_EQ(p.pick(40, 3), 1);
}

TEST(full_until_a_release_that_is_not_yet_known) {
  PathDirection p(path(false), kColumn, kRead);
  p.attach(0);
  p.start();
  bool short_of_room = false;
  p.head(0, 5, 8);
  const auto ticket = p.accept(0, part(0, 8), 5);
  CHECK_EQ(p.earliest(32, short_of_room), kNever);
  CHECK(p.short_of_places());
  p.served(part(0, 8, 48), ticket, [](const InFlight &) {});
  CHECK_EQ(p.earliest(32, short_of_room), 58);
  CHECK(!p.short_of_places());
  CHECK_EQ(p.pick(57, 32), -1);
  CHECK_EQ(p.pick(58, 32), 0);
}

TEST(streams_take_turns) {
  PathDirection p(path(true), kColumn, kRead);
  for (int stream : {4, 6, 9})
    p.attach(stream);
  p.start();
  CHECK_EQ(p.turn(), 0);
  p.accept(0, part(4, 1), 0);
  CHECK_EQ(p.turn(), 1);
  p.accept(2, part(9, 1), 1); // the second had nothing
  CHECK_EQ(p.turn(), 0);
  p.start();
  CHECK_EQ(p.turn(), 0);
  CHECK(p.place(8) <= 0); // a new run begins with all places free
}

// Whatever is served in whatever order, no more is in flight than the path holds.
TEST(never_more_in_flight_than_the_limit) {
  PathDirection p(path(true), kColumn, kRead);
  p.attach(0);
  p.start();
  struct Taken {
    std::uint32_t ticket;
    Clk at, released;
  };
  std::vector<Taken> taken;
  std::vector<std::size_t> open; // taken, not yet served
  std::size_t given = 0;
  Clk t = 0;
  std::uint32_t random = 1;
  for (int step = 0; step < 5000; ++step) {
    random = random * 1664525U + 1013904223U;
    const Clk place = p.place(2);
    if (place != kNever && (open.empty() || random >> 31)) {
      t = std::max(t, place);
      const std::uint32_t ticket = p.accept(0, part(0, 2), t);
      open.push_back(taken.size());
      taken.push_back({ticket, t, kNever});
    } else if (!open.empty()) {
      const auto n = static_cast<std::ptrdiff_t>((random >> 8) % open.size());
      const Clk first = t + 1 + (random >> 20 & 31);
      const std::size_t which = open[static_cast<std::size_t>(n)];
      open.erase(open.begin() + n);
      p.served(part(0, 2, first + 4), taken[which].ticket,
               [&](const InFlight &f) { taken[given++].released = f.last + 10; });
    }
    int in_flight = 0;
    for (const Taken &x : taken)
      in_flight += x.at <= t && t < x.released ? 2 : 0;
    CHECK(in_flight <= 8);
  }
  CHECK(given > 1000);
}
