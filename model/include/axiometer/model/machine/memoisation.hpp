// Exact skipping of what recurs. Just after an all-bank refresh the state of the
// DRAM is settled, so the state of everything else, written relative to that
// moment, is a key. Some of these moments are anchors; what happened from an
// anchor to the next is stored under the anchor's key as a segment. Where a key
// returns, the segment is added instead of simulated, and as each segment knows its
// successor, a run that recurs becomes a walk along a chain.
//
// At first every refresh is an anchor, which finds short periods. When its room
// is full, half of the anchors are dropped, and the segments that end there are joined to
// those that follow: less room, and nothing is lost. The anchors that stay are those whose
// fingerprint, a hash of a few numbers of the key, is a multiple of the stride. Which moments
// these are depends on the state alone, so that runs that reach the same state by different
// paths meet at the next anchor. Once anchors are as rare as is useful, segments that were not
// used since the last time are dropped instead.
//
// Addresses enter the key by their column and by their bank relative to the
// first stream's: a shift of all by whole rows renames banks and changes nothing
// else. That holds while no two streams touch the same row (the caller checks).
// A key costs about a sixth of what simulating up to the next does. Where less than an eighth of a
// run is taken from memory, anchors become rarer, too, up to a point at which they cost nothing to
// speak of.
//
// A segment is not stored if a stream began, ended or came to its last burst in
// it, and not used if a stream would.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "axiometer/model/machine/segment.hpp"

namespace axm {

class Memoisation {
public:
  static constexpr int kNone = -1;

  Memoisation(const StreamClocks &clocks, const DramConfig &dram) : clocks_(clocks), dram_(dram) {}
  ~Memoisation();

  static std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0xff51afd7ed558ccdULL;
    return h ^ h >> 32;
  }

  // Whether a moment with this fingerprint is an anchor, `intervals` after the latest one: no
  // stretch without an anchor is long, as a period may have none by its fingerprints.
  bool anchor(std::uint64_t fingerprint, std::int64_t intervals) const {
    return fingerprint % stride_ == 0 || intervals >= longest();
  }
  // So many intervals have passed, and of these so many were taken from memory.
  void passed(std::uint64_t intervals, std::uint64_t skipped);
  // Whether some segment may begin with a key of this fingerprint.
  bool may_know(std::uint64_t fingerprint) const { return index_.count(fingerprint) != 0; }
  // The segment that begins with this key; kNone: there is none.
  int find(std::uint64_t fingerprint, const Key &key) const;
  // A new one; kNone if there is no room for good.
  int add(std::uint64_t fingerprint, const Key &key);
  Segment &operator[](int i) { return segments_[static_cast<std::size_t>(i)]; }

  // To be called when a segment has been filled in.
  void grown(const Segment &s) { bytes_ += s.bytes(); }
  void limit(std::size_t bytes) { limit_ = bytes; }
  bool full() const { return bytes_ >= limit_ && !sealed_; }
  // When it is full; numbers of segments lose their meaning, and no visits may be unsettled.
  void make_room();

private:
  static constexpr std::uint64_t kMostStride = 512;
  static constexpr std::uint64_t kMostInVain = 64; // of strides: where nothing recurs
  static constexpr std::uint64_t kPatience = 48;   // in strides

  std::int64_t longest() const { return static_cast<std::int64_t>(8 * stride_); }
  void thin_out();
  void drop_unused();
  void keep(const std::vector<std::uint8_t> &kept);

  StreamClocks clocks_;
  DramConfig dram_;
  std::deque<Segment> segments_; // stays where it is when it grows
  std::unordered_multimap<std::uint64_t, int> index_;
  std::uint64_t stride_ = 1;
  std::uint64_t passed_ = 0, skipped_ = 0; // intervals since the stride was last considered
  std::size_t bytes_ = 0, limit_ = 0;
  bool sealed_ = false; // nothing is added any more
};

} // namespace axm
