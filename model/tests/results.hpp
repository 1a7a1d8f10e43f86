// Whether two runs of the same are the same.
#pragma once

#include "axiometer/model/accounting/stats.hpp"
#include "check.hpp"

namespace results {

// All of the DRAM, and the first so many streams.
inline void same(const axm::RepeatResult &a, const axm::RepeatResult &b, std::size_t streams) {
  using namespace axm;
  CHECK_EQ(a.cycles, b.cycles);
  CHECK_EQ(a.clocks, b.clocks);
  for (int i = 0; i < kBusClasses; ++i)
    CHECK_EQ(a.dram.classes[i], b.dram.classes[i]);
  for (int i = 0; i < kDramCounts; ++i)
    CHECK_EQ(a.dram.counts[i], b.dram.counts[i]);
  for (std::size_t s = 0; s < streams; ++s) {
    CHECK_EQ(a.streams[s].end, b.streams[s].end);
    CHECK_EQ(a.streams[s].bytes, b.streams[s].bytes);
    CHECK_EQ(a.streams[s].stats.bursts, b.streams[s].stats.bursts);
    CHECK_EQ(a.streams[s].stats.latency_sum, b.streams[s].stats.latency_sum);
    for (int i = 0; i < kStreamClasses; ++i)
      CHECK_EQ(a.streams[s].stats.classes[i], b.streams[s].stats.classes[i]);
  }
}

} // namespace results
