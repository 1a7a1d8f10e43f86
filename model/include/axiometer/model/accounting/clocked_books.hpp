// Time accounting of one stream, a direction of a port: the class of each PL cycle as its master
// sees it, and when its bursts begin and are complete.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/sources/ring.hpp"

namespace axm::clocked {

struct Books {
  // Bursts in flight at most.
  static constexpr unsigned kMostOutstanding = 64;

  void begin(Cycle cycle) {
    begun.push(cycle);
    ++issued;
  }
  // The oldest burst's last beat (read) or response (write) is in this cycle.
  void complete(Cycle cycle) {
    const Cycle latency = cycle - begun.front();
    begun.pop();
    ++stats.bursts;
    stats.latency_sum += latency;
    ++stats.latency[Histogram::bin(latency)];
    if (reached_ < marks_.size())
      reach();
  }
  // What the data channel did in a cycle; to be called once for each.
  void count(StreamClass c) {
    if (c != kData)
      return count(c, 1);
    latest = c;
    ++stats.classes[c];
    stats.longest_wait = std::max(stats.longest_wait, waiting);
    waiting = 0;
  }

  // The same of cycles without a beat.
  void count(StreamClass c, Cycle cycles) {
    latest = c;
    stats.classes[c] += cycles;
    if (beats() > 0)
      waiting += cycles;
  }

  std::int64_t in_flight() const { return issued - stats.bursts; }
  std::int64_t beats() const { return stats.classes[kData]; }
  Cycle cycles() const { // so far
    return std::accumulate(stats.classes.begin(), stats.classes.end(), Cycle{0});
  }

  std::int64_t issued = 0; // bursts
  Ring<Cycle, kMostOutstanding> begun;
  Cycle waiting = 0; // since the latest beat
  StreamClass latest = kLaunch;
  StreamStats stats;

  // ---- moments from which a part of the run may be counted: `since_mark` ---------------------
  void mark() {
    marks_.push_back({issued, stats.classes, {}});
    reach();
  }
  // Every other mark goes, the first stays.
  void thin_marks() {
    for (std::size_t i = 0; 2 * i < marks_.size(); ++i)
      marks_[i] = marks_[2 * i];
    marks_.resize((marks_.size() + 1) / 2);
    reached_ = (reached_ + 1) / 2;
  }
  // Classes since then; of bursts those that have begun since then, and are complete.
  StreamStats since_mark(std::size_t number) const {
    const Mark &m = marks_[number];
    StreamStats d = stats;
    for (std::size_t i = 0; i < kStreamClasses; ++i)
      d.classes[i] -= m.classes[i];
    const StreamStats &before = number < reached_ ? m.done : stats;
    d.bursts -= before.bursts;
    d.latency_sum -= before.latency_sum;
    for (int b = 0; b < Histogram::kBins; ++b)
      d.latency[b] -= before.latency[b];
    return d;
  }

private:
  struct Mark {
    std::int64_t issued = 0; // bursts until then
    std::array<std::int64_t, kStreamClasses> classes{};
    StreamStats done; // when all of them were complete
  };
  // Bursts are complete in the order in which they began.
  void reach() {
    while (reached_ < marks_.size() && marks_[reached_].issued <= stats.bursts)
      marks_[reached_++].done = stats;
  }

  std::vector<Mark> marks_;
  std::size_t reached_ = 0; // marks whose bursts are all complete
};

} // namespace axm::clocked
