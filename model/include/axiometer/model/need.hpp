// How a configuration that cannot be simulated is refused: std::invalid_argument with the key and
// what would be right. Who reads the configuration turns that into a message with a remedy.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace axm {

inline void need(bool ok, std::string_view key, std::string_view right) {
  if (!ok)
    throw std::invalid_argument(std::string(key) + ": " + std::string(right));
}

// `x` is in `least` to `most`.
inline void need_within(std::int64_t x, std::int64_t least, std::int64_t most,
                        const std::string &key) {
  need(x >= least && x <= most, key,
       "must be " + std::to_string(least) + " to " + std::to_string(most));
}

// paths[2]
inline std::string key_of(const char *list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

// paths[2].inflight
inline std::string key_of(const char *list, std::size_t i, const char *key) {
  return key_of(list, i) + "." + key;
}

} // namespace axm
