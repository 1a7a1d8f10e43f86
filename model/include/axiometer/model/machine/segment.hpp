// A stored run from one anchor to the next: see memoisation.hpp. Values that are added with each
// use of a segment are plain; sums, read once a run, are packed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/accounting/trace.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/machine/archive.hpp"
#include "axiometer/model/sources/stream_clocks.hpp"

namespace axm {

// The sums that a stretch of time adds, but for latencies.
struct Sums {
  DramStats dram;
  struct OfStream {
    std::array<std::int64_t, kStreamClasses> classes{};
    std::int64_t bursts = 0, latency_sum = 0;
    bool operator==(const OfStream &) const = default;
  };
  std::vector<OfStream> streams;

  void add(const Sums &o, std::int64_t times);
  bool operator==(const Sums &o) const {
    return dram.classes == o.dram.classes && dram.counts == o.dram.counts && streams == o.streams;
  }
};

// How many bursts of a stream had a latency of a bin.
struct Latency {
  std::uint16_t stream, bin;
  std::int64_t count;
  bool operator==(const Latency &) const = default;
};

struct Contribution {
  Sums sums;
  std::vector<Latency> latencies; // by stream, then by bin
  bool operator==(const Contribution &) const = default;

  void add(const Contribution &o);
  Bytes packed() const;
  void unpack(const Bytes &bytes, std::size_t streams);
};

struct Segment {
  // A step's numbers fit for as many clocks, at up to `kMostBytes` a clock.
  static constexpr Clk kMostClocks = 1 << 24;
  static constexpr std::int64_t kMostBytes = 64;

  // Of a stream, from the segment's start.
  struct Step {
    std::int32_t bursts = 0, parts = 0, bytes = 0;
    std::int32_t issued = 0; // bursts issued at its end, counted from those done at its start
    std::int32_t end = 0;    // its latest completion, cycles
    bool ends = false;       // the stream's end matters
    bool operator==(const Step &) const = default;
  };
  // What happened in detail, where and when it was simulated.
  struct Traced {
    Trace trace;
    std::vector<std::uint64_t> positions; // of the streams at its start
    Clk at = 0;                           // its start
  };

  Key key;                       // the state at its start; begins with the phases of the clocks
  std::uint64_t fingerprint = 0; // of the key
  int next = -1;                 // the segment that follows; -1: not simulated yet
  bool used = false;             // taken since segments were last dropped
  std::int64_t intervals = 0;    // refresh intervals in it
  Clk clocks = 0;
  // Latest burst begin, in base units from the start of the cycle that its start is in.
  std::int64_t ahead = 0;
  std::vector<Step> steps;
  Bytes contribution;             // packed
  std::unique_ptr<Traced> traced; // only if the run was traced
  std::int64_t visits = 0;        // in the present run

  std::size_t bytes() const;
  // Appends the segment that follows this one.
  void join(const Segment &later, const StreamClocks &clocks, const DramConfig &dram);
};

// Appends the commands for streams at `positions` at `at`: later, and
// every stream's rows shifted.
void replay(const Segment::Traced &from, Clk at, const std::vector<std::uint64_t> &positions,
            const DramConfig &dram, Trace &out);

} // namespace axm
