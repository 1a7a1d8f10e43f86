#include "axiometer/model/interconnect/path.hpp"

#include <deque>
#include <vector>

#include "check.hpp"

using namespace axm;

// Eight column commands in flight, a place free again 10 clocks after the last command.
static PathConfig path(bool ordered) {
  PathConfig c;
  c.inflight[kRead] = c.inflight[kWrite] = 8;
  c.release_clocks[kRead] = c.release_clocks[kWrite] = 10;
  c.ordered[kRead] = c.ordered[kWrite] = ordered;
  return c;
}

static InFlight part(int stream, int columns, Clk channel_clocks = 0) {
  InFlight p;
  p.part.stream = static_cast<std::uint16_t>(stream);
  p.part.columns = static_cast<std::uint8_t>(columns);
  p.channel_clocks = channel_clocks;
  return p;
}

// The last column command of a part is at `last`.
template <Dir d, class Give> static void serve(PathDirection &p, InFlight &f, Clk last, Give &&g) {
  f.last = last;
  p.ordered() ? p.served<d, true>(f, g) : p.served<d, false>(f, g);
}

TEST(a_place_is_free_again_after_the_release) {
  PathDirection p(path(false), kRead);
  p.attach(0);
  p.start();
  std::vector<InFlight> given;
  const auto give = [&](const InFlight &f) { given.push_back(f); };
  CHECK(p.place(8) <= 0);
  InFlight a = part(0, 4), b = part(0, 4), c = part(0, 4);
  p.accept<kRead>(0, a, 0);
  p.accept<kRead>(0, b, 1);
  CHECK_EQ(p.place(1), kNever); // full, and no end is known
  serve<kRead>(p, a, 32, give);
  CHECK_EQ(given.size(), 1);
  CHECK_EQ(p.place(4), 42);
  CHECK_EQ(p.place(5), kNever); // needs both places
  serve<kRead>(p, b, 48, give);
  CHECK_EQ(p.place(5), 58);
  p.accept<kRead>(0, c, 42);
  CHECK_EQ(p.place(1), 58);
}

TEST(an_ordered_path_gives_back_in_the_order_of_acceptance) {
  PathDirection p(path(true), kRead);
  p.attach(0);
  p.start();
  std::vector<InFlight> given;
  const auto give = [&](const InFlight &f) { given.push_back(f); };
  InFlight first = part(1, 2), second = part(2, 2), third = part(3, 2);
  p.accept<kRead>(0, first, 0);
  p.accept<kRead>(0, second, 1);
  p.accept<kRead>(0, third, 2);
  serve<kRead>(p, second, 14, give);
  serve<kRead>(p, third, 22, give);
  CHECK(given.empty()); // the first waits for its row, and holds up the others
  CHECK_EQ(p.place(3), kNever);
  serve<kRead>(p, first, 44, give);
  CHECK_EQ(given.size(), 3);
  for (std::size_t i = 0; i < given.size(); ++i) {
    CHECK_EQ(given[i].part.stream, i + 1);
    CHECK(given[i].last >= 44);
  }
  CHECK_EQ(p.place(3), 54);
}

TEST(an_unordered_path_gives_back_at_once) {
  PathDirection p(path(false), kRead);
  p.attach(0);
  p.start();
  std::vector<int> given;
  const auto give = [&](const InFlight &f) { given.push_back(f.part.stream); };
  InFlight first = part(1, 2), second = part(2, 2);
  p.accept<kRead>(0, first, 0);
  p.accept<kRead>(0, second, 1);
  serve<kRead>(p, second, 14, give);
  CHECK(given == std::vector<int>{2});
  serve<kRead>(p, first, 44, give);
  CHECK(given == (std::vector<int>{2, 1}));
}

TEST(read_data_pass_the_channel_one_after_another) {
  PathDirection p(path(true), kRead);
  p.attach(0);
  p.start();
  std::vector<Clk> last;
  const auto give = [&](const InFlight &f) { last.push_back(f.last); };
  InFlight a = part(0, 4, 24), b = part(0, 4, 24);
  p.accept<kRead>(0, a, 0);
  p.accept<kRead>(0, b, 0);
  serve<kRead>(p, a, 112, give);
  serve<kRead>(p, b, 128, give); // 24 clocks of data behind those of the first
  CHECK(last == (std::vector<Clk>{112, 136}));
}

TEST(write_data_hold_the_channel_for_their_length) {
  PathDirection p(path(true), kWrite);
  p.attach(0);
  p.start();
  InFlight a = part(0, 4, 24);
  p.accept<kWrite>(0, a, 50);
  CHECK_EQ(p.place(4), 74); // there is room, but the channel is busy for 24 clocks
}

TEST(what_was_not_asked_for_does_not_pass_the_channel) {
  CHECK_EQ(channel_clocks(32, 6, 32), 6);
  CHECK_EQ(channel_clocks(8, 6, 32), 2); // 6 / 4 clocks
  CHECK_EQ(channel_clocks(96, 6, 32), 18);
  CHECK_EQ(channel_clocks(96, 0, 32), 0);
}

TEST(the_earliest_head_that_has_a_place_and_room) {
  PathDirection p(path(false), kRead);
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
  PathDirection p(path(false), kRead);
  p.attach(0);
  p.start();
  bool short_of_room = false;
  p.head(0, 5, 8);
  InFlight whole = part(0, 8);
  p.accept<kRead>(0, whole, 5);
  CHECK_EQ(p.earliest(32, short_of_room), kNever);
  CHECK(p.short_of_places());
  serve<kRead>(p, whole, 48, [](const InFlight &) {});
  CHECK_EQ(p.earliest(32, short_of_room), 58);
  CHECK(!p.short_of_places());
  CHECK_EQ(p.pick(57, 32), -1);
  CHECK_EQ(p.pick(58, 32), 0);
}

TEST(a_release_that_a_large_part_needs_is_not_counted_for_a_small_one) {
  PathDirection p(path(false), kRead);
  p.attach(0);
  p.attach(1);
  p.start();
  bool short_of_room = false;
  const auto nothing = [](const InFlight &) {};
  InFlight a = part(0, 3), b = part(0, 4), c = part(1, 1);
  p.accept<kRead>(0, a, 0);
  p.accept<kRead>(0, b, 1);
  serve<kRead>(p, a, 20, nothing);
  serve<kRead>(p, b, 30, nothing);
  p.head(0, 5, 8);
  p.head(1, kNever, 8);
  CHECK_EQ(p.earliest(32, short_of_room), 40); // after both
  p.head(1, 6, 1);
  CHECK_EQ(p.earliest(32, short_of_room), 6); // there is one place left
  CHECK_EQ(p.pick(6, 32), 1);
  p.accept<kRead>(1, c, 6);
  p.head(1, kNever, 8);
  CHECK_EQ(p.earliest(32, short_of_room), kNever); // until that is served
  serve<kRead>(p, c, 50, nothing);
  CHECK_EQ(p.earliest(32, short_of_room), 60);
}

TEST(streams_take_turns) {
  PathDirection p(path(true), kRead);
  for (int stream : {4, 6, 9})
    p.attach(stream);
  p.start();
  CHECK_EQ(p.turn(), 0);
  InFlight a = part(4, 1), b = part(9, 1);
  p.accept<kRead>(0, a, 0);
  CHECK_EQ(p.turn(), 1);
  p.accept<kRead>(2, b, 1); // the second had nothing
  CHECK_EQ(p.turn(), 0);
  p.start();
  CHECK_EQ(p.turn(), 0);
  CHECK(p.place(8) <= 0); // a new run begins with all places free
}

// Whatever is served in whatever order, no more is in flight than the path holds.
TEST(never_more_in_flight_than_the_limit) {
  PathDirection p(path(true), kRead);
  p.attach(0);
  p.start();
  struct Taken {
    InFlight part;
    Clk at, released;
  };
  std::deque<Taken> taken;       // stay where they are
  std::vector<std::size_t> open; // taken, not yet served
  std::size_t given = 0;
  Clk t = 0;
  std::uint32_t random = 1;
  for (int step = 0; step < 5000; ++step) {
    random = random * 1664525U + 1013904223U;
    const Clk place = p.place(2);
    if (place != kNever && (open.empty() || random >> 31)) {
      t = std::max(t, place);
      open.push_back(taken.size());
      p.accept<kRead>(0, taken.emplace_back(Taken{part(0, 2), t, kNever}).part, t);
    } else if (!open.empty()) {
      const auto n = static_cast<std::ptrdiff_t>((random >> 8) % open.size());
      const Clk first = t + 1 + (random >> 20 & 31);
      const std::size_t which = open[static_cast<std::size_t>(n)];
      open.erase(open.begin() + n);
      serve<kRead>(p, taken[which].part, first + 4,
                   [&](const InFlight &f) { taken[given++].released = f.last + 10; });
    }
    int in_flight = 0;
    for (const Taken &x : taken)
      in_flight += x.at <= t && t < x.released ? 2 : 0;
    CHECK(in_flight <= 8);
  }
  CHECK(given > 1000);
}
