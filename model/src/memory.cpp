#include "axiometer/model/memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace axm {

std::uint64_t Memory::hash(const Key &key) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ key.size();
  for (const std::int32_t k : key)
    h = mix(h, static_cast<std::uint32_t>(k));
  return h;
}

int Memory::find_or_add(const Key &key) {
  const std::uint64_t h = hash(key);
  const auto [begin, end] = index_.equal_range(h);
  for (auto it = begin; it != end; ++it)
    if (segments_[static_cast<std::size_t>(it->second)].key == key) {
      misses_ = 0;
      return it->second;
    }
  ++misses_;
  if (full())
    return kNone;
  segments_.emplace_back();
  segments_.back().key = key;
  // What an entry takes besides its contents: the node and the bucket of the index.
  bytes_ += key.size() * sizeof(key[0]) + sizeof(Segment) + 56;
  const int i = static_cast<int>(segments_.size()) - 1;
  index_.emplace(h, i);
  return i;
}

void Memory::forget() {
  segments_ = {};
  index_ = {};
  bytes_ = 0;
  stride_ *= 8;
#ifdef __GLIBC__
  malloc_trim(0); // thousands of small blocks: else most of their pages would stay with us
#endif
}

} // namespace axm
