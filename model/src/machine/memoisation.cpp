#include "axiometer/model/machine/memoisation.hpp"

#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace axm {

namespace {

// Thousands of small blocks are gone: else most of their pages would stay with us.
void trim() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Memory of a segment besides its contents: itself, its key's block, and its place in the index.
std::size_t held(const Segment &s) { return s.key.size() + sizeof(Segment) + 72; }

} // namespace

Memoisation::~Memoisation() {
  segments_.clear();
  index_.clear();
  trim();
}

int Memoisation::find(std::uint64_t fingerprint, const Key &key) const {
  const auto [begin, end] = index_.equal_range(fingerprint);
  for (auto it = begin; it != end; ++it)
    if (segments_[static_cast<std::size_t>(it->second)].key == key)
      return it->second;
  return kNone;
}

int Memoisation::add(std::uint64_t fingerprint, const Key &key) {
  if (sealed_)
    return kNone;
  segments_.emplace_back();
  Segment &s = segments_.back();
  s.key = Key(key.begin(), key.end()); // no larger than it needs to be
  s.fingerprint = fingerprint;
  bytes_ += held(s);
  const int i = static_cast<int>(segments_.size()) - 1;
  index_.emplace(fingerprint, i);
  return i;
}

void Memoisation::passed(std::uint64_t intervals, std::uint64_t skipped) {
  passed_ += intervals;
  skipped_ += skipped;
  if (passed_ < kPatience * stride_)
    return;
  if (skipped_ < passed_ / 8 && stride_ < kMostInVain)
    stride_ *= 2;
  passed_ = skipped_ = 0;
}

void Memoisation::make_room() {
  while (bytes_ > limit_ / 4 * 3 && stride_ < kMostStride)
    thin_out();
  if (bytes_ > limit_ / 4 * 3)
    drop_unused();
  sealed_ = bytes_ > limit_ / 4 * 3;
  trim();
}

// Joins the segments between the anchors of a larger stride.
void Memoisation::thin_out() {
  stride_ *= 2;
  std::vector<std::uint8_t> kept(segments_.size(), 0);
  std::vector<int> starts;
  const auto start = [&](int i) {
    if (!std::exchange(kept[static_cast<std::size_t>(i)], 1))
      starts.push_back(i);
  };
  for (std::size_t i = 0; i < segments_.size(); ++i)
    if (segments_[i].next >= 0 && segments_[i].fingerprint % stride_ == 0)
      start(static_cast<int>(i));
  // What a segment is joined from is no start, and so as it was.
  for (std::size_t n = 0; n < starts.size(); ++n) {
    Segment &s = (*this)[starts[n]];
    while (s.next >= 0 && !kept[static_cast<std::size_t>(s.next)]) {
      const Segment &later = (*this)[s.next];
      if (later.next < 0 || s.intervals + later.intervals > longest() ||
          s.clocks + later.clocks > Segment::kMostClocks)
        start(s.next);
      else
        s.join(later, clocks_, dram_);
    }
  }
  keep(kept);
}

void Memoisation::drop_unused() {
  std::vector<std::uint8_t> kept(segments_.size(), 0);
  for (std::size_t i = 0; i < segments_.size(); ++i)
    if (segments_[i].used && segments_[i].next >= 0)
      kept[i] = kept[static_cast<std::size_t>(segments_[i].next)] = 1;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    Segment &s = segments_[i];
    if (!std::exchange(s.used, false)) { // stored at most as the end of another
      s.next = kNone;
      s.steps = {};
      s.contribution = {};
      s.traced = nullptr;
    }
  }
  keep(kept);
}

void Memoisation::keep(const std::vector<std::uint8_t> &kept) {
  std::vector<int> number(segments_.size(), kNone);
  int n = 0;
  for (std::size_t i = 0; i < segments_.size(); ++i)
    if (kept[i])
      number[i] = n++;
  index_.clear();
  bytes_ = 0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (!kept[i])
      continue;
    Segment &s = segments_[static_cast<std::size_t>(number[i])];
    if (&s != &segments_[i])
      s = std::move(segments_[i]);
    if (s.next >= 0)
      s.next = number[static_cast<std::size_t>(s.next)];
    index_.emplace(s.fingerprint, number[i]);
    bytes_ += held(s) + s.bytes();
  }
  segments_.resize(static_cast<std::size_t>(n));
}

} // namespace axm
