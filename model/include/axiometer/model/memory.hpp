// Exact skipping of what recurs. Just after an all-bank refresh the state of the
// DRAM is settled, so the state of everything else, written relative to that
// moment, is a key. Some of these moments are anchors; what happened from an
// anchor to the next is kept under the anchor's key as a segment. Where a key comes
// back, the segment is added instead of simulated, and as each segment knows its
// successor, a run that recurs becomes a walk along a chain.
//
// At first every refresh is an anchor, which finds short periods. When the memory
// is full, it begins anew with fewer: those whose fingerprint, a hash of a few numbers
// of the key, is a multiple of the stride. Which moments these are depends on the state alone, so
// that runs that come to the same state by different ways meet at the next anchor.
//
// Addresses enter the key by their column and by their bank relative to the
// first stream's: a shift of all by whole rows renames banks and changes nothing
// else. That holds while no two streams touch the same row (the caller checks).
// A segment is not kept if a stream began, ended or came to its last burst in
// it, and not used if a stream would.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "axiometer/model/archive.hpp"
#include "axiometer/model/stats.hpp"
#include "axiometer/model/stream.hpp"
#include "axiometer/model/trace.hpp"

namespace axm {

// The sums that an interval adds, but for latencies.
struct Sums {
  DramStats dram;
  struct OfStream {
    std::array<std::int64_t, kStreamClasses> classes{};
    std::int64_t bursts = 0, latency_sum = 0;
    bool operator==(const OfStream &) const = default;
  };
  std::vector<OfStream> streams;

  void add(const Sums &o, std::int64_t times) {
    for (int i = 0; i < kBusClasses; ++i)
      dram.classes[i] += times * o.dram.classes[i];
    for (int i = 0; i < kDramCounts; ++i)
      dram.counts[i] += times * o.dram.counts[i];
    for (std::size_t s = 0; s < streams.size(); ++s) {
      for (int i = 0; i < kStreamClasses; ++i)
        streams[s].classes[i] += times * o.streams[s].classes[i];
      streams[s].bursts += times * o.streams[s].bursts;
      streams[s].latency_sum += times * o.streams[s].latency_sum;
    }
  }
  bool operator==(const Sums &o) const {
    return dram.classes == o.dram.classes && dram.counts == o.dram.counts && streams == o.streams;
  }
};

struct Segment {
  struct Latency {
    std::uint16_t stream, bin;
    std::uint32_t count;
    bool operator==(const Latency &) const = default;
  };
  struct Step {
    std::int64_t bursts = 0, parts = 0, bytes = 0;
    std::int64_t issued = 0; // bursts issued at its end, counted from those done at its start
    bool ends = false;       // the stream's end matters
    Cycle end = 0;           // its latest completion, cycles from the interval's start
  };

  Key key;                    // the state at its start
  int next = -1;              // the segment that follows; -1: not simulated yet
  std::int64_t intervals = 0; // refresh intervals in it
  Clk clocks = 0;
  Cycle ahead = 0;         // latest burst begin, cycles from its start
  std::vector<Step> steps; // per stream
  Sums sums;
  std::vector<Latency> latencies;
  Trace trace;                          // only if the run is traced
  std::vector<std::uint64_t> positions; // of the streams at its start, for the trace
  Clk at = 0;                           // when it was simulated, for the trace
  std::int64_t visits = 0;              // in the present run

  std::size_t bytes() const {
    return steps.size() * sizeof(Step) + sums.streams.size() * sizeof(Sums::OfStream) +
           latencies.size() * sizeof(Latency) + trace.size() * sizeof(TraceEntry) +
           positions.size() * 8;
  }
};

class Memory {
public:
  static constexpr int kNone = -1;

  ~Memory() { forget(); }

  // Whether a moment with this fingerprint is an anchor.
  bool anchor(std::uint64_t fingerprint) const { return fingerprint % stride_ == 0; }
  static std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0xff51afd7ed558ccdULL;
    return h ^ h >> 32;
  }
  // The segment that begins with this anchor's key, which is added if there is none; kNone if
  // the memory is full and worth no more.
  int find_or_add(const Key &key);
  Segment &operator[](int i) { return segments_[static_cast<std::size_t>(i)]; }

  // To be called when a segment has been filled in.
  void grown(const Segment &s) { bytes_ += s.bytes(); }
  void limit(std::size_t bytes) { limit_ = bytes; }

  // Full, with the largest stride, and nothing found for long: looking is not worth it.
  bool hopeless() const { return full() && stride_ >= kMostStride && misses_ > kPatience; }
  // Full, but it may be worth to begin anew with fewer anchors; `forget` does that.
  bool crowded() const { return full() && stride_ < kMostStride; }
  void forget();

private:
  static constexpr std::uint64_t kMostStride = 512;
  static constexpr std::int64_t kPatience = 2048;

  bool full() const { return bytes_ >= limit_; }
  static std::uint64_t hash(const Key &key);

  std::deque<Segment> segments_; // stays where it is when it grows
  std::unordered_multimap<std::uint64_t, int> index_;
  std::uint64_t stride_ = 1;
  std::size_t bytes_ = 0, limit_ = 0;
  std::int64_t misses_ = 0;
};

} // namespace axm
