// The executable specification's state of a run: every burst and every part
// that there ever was, each with the moments at which something happened to it.
// Nothing is dropped, so that the time accounting can be done at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/dram/address.hpp"

namespace axm::plain {

inline constexpr Clk kLongAgo = -1'000'000'000;

// The earliest of some clocks that is later than `now`.
class Next {
public:
  explicit Next(Clk now) : now_(now) {}
  void may_be(Clk c) {
    if (c > now_ && c < at_)
      at_ = c;
  }
  Clk at() const { return at_; }

private:
  Clk now_, at_ = kNever;
};

struct Burst {
  Cycle begin = kNever; // its address (read); from when on its beats may move (write)
  Cycle last_beat = kNever;
  Cycle done = kNever; // its last beat (read), its response (write)
  std::uint64_t bytes = 0;
  int beats = 0;
  int cause = kLaunch;    // StreamClass of the wait before `begin`
  bool port_busy = false; // that wait was for the port, not for the master
};

// A piece of a burst within one multiple of the port's part_bytes.
struct Part {
  std::size_t burst = 0;
  bool ends_burst = false;
  Location where{};
  int columns = 0;
  std::uint64_t bytes = 0;
  int beats = 0;
  int cause = kIdleNoRequest; // BusClass of the time before `requested`
  Clk requested = kNever;     // time of the master's request
  Clk ready = kNever;         // arrived at the path
  Clk accepted = kNever;      // entered the controller's store
  Clk first = kNever;         // its column commands
  Clk last = kNever;
  Clk passed = kNever; // the path has given it back
  Cycle due = kNever;  // from when on its beats may move (read), its place is free (write)
  Cycle first_beat = kNever;
  Cycle last_beat = kNever;
};

// From one column command to the next of one part nothing intervenes.
struct ColumnRun {
  Dir dir = kRead;
  Clk first = 0;
  Clk last = 0;
  Clk direction_free = 0; // first clock at which this direction was possible
};

struct RefreshTime {
  Clk due = 0;
  Clk at = 0;
};

// A part that came when both stores were empty.
struct Arrival {
  Clk accepted = 0;
  Clk requested = 0;
  int cause = kIdleNoRequest;
};

} // namespace axm::plain
