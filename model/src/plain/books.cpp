#include "books.hpp"

#include <algorithm>
#include <cstdint>

namespace axm::plain {

namespace {

using Classes = std::vector<std::uint8_t>; // of each clock
constexpr std::uint8_t kUnknown = 0xff;

// Gives `cls` to the clocks from `begin` to before `end` that have no class yet.
void mark(Classes &clocks, Clk begin, Clk end, int cls) {
  const Clk most = static_cast<Clk>(clocks.size());
  for (Clk t = std::max<Clk>(begin, 0); t < std::min(end, most); ++t)
    if (clocks[static_cast<std::size_t>(t)] == kUnknown)
      clocks[static_cast<std::size_t>(t)] = static_cast<std::uint8_t>(cls);
}

} // namespace

// Data: from a column command to when the next may follow. Refresh: from the clock at
// which it was due, or the end of the data before it, until tRFC has passed. What is
// left between two such times: first the stores were empty, if they were; then the
// direction of the next part was not yet possible, if it differs from the last; then
// rows had to be opened.
std::array<std::int64_t, kBusClasses> bus_time(const Controller &c, const SystemConfig &config,
                                               Clk end) {
  const DramTiming &t = config.dram.timing;
  Classes clocks(static_cast<std::size_t>(end), kUnknown);
  for (const ColumnRun &r : c.runs())
    mark(clocks, r.first, r.last + t.tCCD, r.dir == kRead ? kReadData : kWriteData);
  for (const RefreshTime &r : c.refreshes())
    mark(clocks, r.due, r.at + t.tRFC, kRefresh);

  // Empty stores: from the last part's data to the next arrival.
  Clk data_end = 0;
  // Idle time before a refresh has no other cause than that of the time after it.
  Clk before_refresh = 0;
  auto run = c.runs().begin();
  auto refresh = c.refreshes().begin();
  for (const Arrival &a : c.arrivals()) {
    for (; run != c.runs().end() && run->first < a.accepted; ++run)
      data_end = run->last + t.tCCD;
    for (; refresh != c.refreshes().end() && (run == c.runs().end() || refresh->at < run->first);
         ++refresh)
      before_refresh = refresh->due;
    mark(clocks, data_end, std::min(before_refresh, a.accepted), a.cause);
    mark(clocks, data_end, std::min(a.requested, a.accepted), a.cause);
    mark(clocks, data_end, a.accepted, kIdlePath);
  }

  // Parts wait: for the direction, or for a row.
  Dir direction = kRead;
  Clk begin = 0;
  refresh = c.refreshes().begin();
  for (const ColumnRun &r : c.runs()) {
    Clk from = begin;
    for (; refresh != c.refreshes().end() && refresh->at < r.first; ++refresh)
      if (refresh->at >= begin) {
        mark(clocks, from, refresh->due, kActivatePrecharge);
        from = refresh->at + t.tRFC;
      }
    if (r.dir != direction)
      mark(clocks, from, std::min(r.first, r.direction_free),
           r.dir == kWrite ? kReadToWrite : kWriteToRead);
    mark(clocks, from, r.first, kActivatePrecharge);
    direction = r.dir;
    begin = r.last + t.tCCD;
  }
  mark(clocks, 0, end, kIdleNoRequest);

  std::array<std::int64_t, kBusClasses> sum{};
  for (const std::uint8_t cls : clocks)
    ++sum[cls];
  return sum;
}

// A cycle without a beat is booked by what the next beat waits for. Cycles of one class in a row
// are taken at once.
std::array<std::int64_t, kStreamClasses> stream_time(const Master &m, const ClockRatio &clocks,
                                                     Cycle end) {
  std::array<std::int64_t, kStreamClasses> sum{};
  const auto &parts = m.parts();
  const Cycle complete = m.end();
  const auto places = static_cast<std::size_t>(m.places());
  std::size_t next = 0, left = 0; // parts that have left the FIFO before that one can come
  Clk left_at = 0;
  for (Cycle now = 0, until = 0; now < end; now = until) {
    while (next < parts.size() && parts[next].last_beat < now)
      ++next;
    if (m.config().dir == kWrite)
      for (; left + places <= next && left < parts.size(); ++left)
        left_at = std::max(left_at, parts[left].passed);
    const auto book = [&](int cls, Cycle to) {
      until = std::min(to, end);
      sum[static_cast<std::size_t>(cls)] += until - now;
    };
    if (now < m.launch()) {
      book(kLaunch, m.launch());
    } else if (now >= complete) {
      book(kDone, end);
    } else if (next == parts.size()) {
      book(kLatency, complete); // of the response
    } else if (const Part &p = parts[next]; now >= p.first_beat) {
      book(kData, std::min(p.last_beat + 1, complete));
    } else if (const Burst &b = m.bursts()[p.burst]; now < b.begin) {
      book(b.cause, std::min({b.begin, p.first_beat, complete}));
    } else {
      const Cycle beat = std::min(p.first_beat, complete);
      if (m.config().dir == kRead) {
        // Whole cycles before the moment.
        const auto before = [&](Clk c) { return std::min(clocks.clk_to_cycle(c), beat); };
        if (now < before(p.ready))
          book(kLatency, before(p.ready));
        else if (now < before(p.accepted))
          book(kPath, before(p.accepted));
        else if (now < before(p.first))
          book(kController, before(p.first));
        else
          book(kLatency, beat);
        continue;
      }
      const Cycle place = left_at < kNever ? clocks.cycle_at(left_at) + 1 : beat;
      if (next < places || now >= place) {
        book(kMaster, beat); // there is a place, and no beat
        continue;
      }
      // For a place: who has it, has not been accepted yet or not been served yet.
      const Cycle accepted = clocks.cycle_at(parts[next - places].accepted);
      if (now < accepted)
        book(kPath, std::min({accepted, place, beat}));
      else
        book(kController, std::min(place, beat));
    }
  }
  return sum;
}

} // namespace axm::plain
