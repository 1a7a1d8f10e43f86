// The books of one stream, a direction of a port: what its master sees in each PL cycle, and
// when its bursts begin and are complete.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "axiometer/model/stats.hpp"
#include "axiometer/model/usp/ring.hpp"

namespace axm::usp {

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
  }
  // What the data channel did in a cycle; to be called once for each.
  void count(StreamClass c) {
    ++stats.classes[c];
    if (c != kData) {
      if (beats() > 0)
        ++waiting;
      return;
    }
    stats.longest_wait = std::max(stats.longest_wait, waiting);
    waiting = 0;
  }

  std::int64_t in_flight() const { return issued - stats.bursts; }
  std::int64_t beats() const { return stats.classes[kData]; }

  std::int64_t issued = 0; // bursts
  Ring<Cycle, kMostOutstanding> begun;
  Cycle waiting = 0; // since the latest beat
  StreamStats stats;
};

} // namespace axm::usp
