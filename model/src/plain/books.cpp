#include "books.hpp"

#include <algorithm>

namespace axm::plain {

namespace {

constexpr int kUnknown = -1;

// Gives `cls` to the clocks from `begin` to before `end` that have no class yet.
void mark(std::vector<int> &clocks, Clk begin, Clk end, int cls) {
  const Clk most = static_cast<Clk>(clocks.size());
  for (Clk t = std::max<Clk>(begin, 0); t < std::min(end, most); ++t)
    if (clocks[static_cast<std::size_t>(t)] == kUnknown)
      clocks[static_cast<std::size_t>(t)] = cls;
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
  std::vector<int> clocks(static_cast<std::size_t>(end), kUnknown);
  for (const ColumnRun &r : c.runs())
    mark(clocks, r.first, r.last + t.tCCD, r.dir == kRead ? kReadData : kWriteData);
  for (const RefreshTime &r : c.refreshes())
    mark(clocks, r.due, r.at + t.tRFC, kRefresh);

  // Empty stores: from the last part's data to the next arrival.
  Clk data_end = 0;
  auto run = c.runs().begin();
  for (const Arrival &a : c.arrivals()) {
    for (; run != c.runs().end() && run->first < a.accepted; ++run)
      data_end = run->last + t.tCCD;
    // Idle time before a refresh has no other cause than that of the time after it.
    Clk before_refresh = 0;
    for (const RefreshTime &r : c.refreshes())
      if (run == c.runs().end() || r.at < run->first)
        before_refresh = std::max(before_refresh, r.due);
    mark(clocks, data_end, std::min(before_refresh, a.accepted), a.cause);
    mark(clocks, data_end, std::min(a.requested, a.accepted), a.cause);
    mark(clocks, data_end, a.accepted, kIdlePath);
  }

  // Parts wait: for the direction, or for a row.
  Dir direction = kRead;
  Clk begin = 0;
  for (const ColumnRun &r : c.runs()) {
    Clk from = begin;
    for (const RefreshTime &f : c.refreshes())
      if (f.at >= begin && f.at < r.first) {
        mark(clocks, from, f.due, kActivatePrecharge);
        from = f.at + t.tRFC;
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
  for (const int cls : clocks)
    ++sum[static_cast<std::size_t>(cls)];
  return sum;
}

// A cycle without a beat is booked by what the next beat waits for.
std::array<std::int64_t, kStreamClasses> stream_time(const Master &m, const ClockRatio &clocks,
                                                     Cycle end) {
  std::array<std::int64_t, kStreamClasses> sum{};
  const auto &parts = m.parts();
  const Cycle complete = m.end();
  const auto places = static_cast<std::size_t>(m.places());
  std::size_t next = 0, left = 0; // parts that have left the FIFO before that one can come
  Clk left_at = 0;
  for (Cycle now = 0; now < end; ++now) {
    while (next < parts.size() && parts[next].last_beat < now)
      ++next;
    if (m.config().dir == kWrite)
      for (; left + places <= next && left < parts.size(); ++left)
        left_at = std::max(left_at, parts[left].passed);
    if (now < m.launch()) {
      ++sum[kLaunch];
    } else if (now >= complete) {
      ++sum[kDone];
    } else if (next == parts.size()) {
      ++sum[kLatency]; // of the response
    } else if (now >= parts[next].first_beat) {
      ++sum[kData];
    } else if (const Burst &b = m.bursts()[parts[next].burst]; now < b.begin) {
      ++sum[static_cast<std::size_t>(b.cause)];
    } else if (m.config().dir == kRead) {
      // Whether this whole cycle is before the moment.
      const auto before = [&](Clk c) { return (now + 1) * clocks.pl <= c * clocks.ddr; };
      const Part &p = parts[next];
      if (before(p.ready))
        ++sum[kLatency];
      else if (before(p.accepted))
        ++sum[kPath];
      else if (before(p.first))
        ++sum[kController];
      else
        ++sum[kLatency];
    } else if (next < places || (left_at < kNever && now > clocks.cycle_at(left_at))) {
      ++sum[kMaster]; // there is a place, and no beat
    } else {
      // For a place: who has it, has not been accepted yet or not been served yet.
      const Part &p = parts[next - places];
      ++sum[now * clocks.pl < p.accepted * clocks.ddr ? kPath : kController];
    }
  }
  return sum;
}

} // namespace axm::plain
