#include "axiometer/model/memory.hpp"

namespace axm {

std::uint64_t Memory::hash(const Key& key) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ key.size();
  for (const std::int32_t k : key) {
    h = (h ^ static_cast<std::uint32_t>(k)) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return h;
}

int Memory::find_or_add(const Key& key) {
  const std::uint64_t h = hash(key);
  const auto [begin, end] = index_.equal_range(h);
  for (auto it = begin; it != end; ++it)
    if (intervals_[static_cast<std::size_t>(it->second)].key == key) {
      misses_ = 0;
      return it->second;
    }
  ++misses_;
  if (full()) return -1;
  intervals_.emplace_back();
  intervals_.back().key = key;
  bytes_ += key.size() * sizeof(key[0]) + sizeof(Interval) + 48;
  const int i = static_cast<int>(intervals_.size()) - 1;
  index_.emplace(h, i);
  return i;
}

}  // namespace axm
