// Writes to memory that a processor looks at meanwhile, as a bus makes them: each byte once,
// aligned words of 8 and 4 bytes in one piece. std::memcpy may store a byte twice; if this program
// rests between the two, the second store undoes what the processor has written there by then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace axm::vfio {

template <class Word>
inline bool bus_write_word(std::uint8_t *&to, const std::uint8_t *&from, std::size_t &bytes) {
  if (bytes < sizeof(Word) || reinterpret_cast<std::uintptr_t>(to) % sizeof(Word) != 0)
    return false;
  Word word;
  std::memcpy(&word, from, sizeof word);
  __atomic_store_n(reinterpret_cast<Word *>(to), word, __ATOMIC_RELAXED);
  to += sizeof word;
  from += sizeof word;
  bytes -= sizeof word;
  return true;
}

inline void bus_write(std::uint8_t *to, const std::uint8_t *from, std::size_t bytes) {
  while (bytes > 0)
    if (!bus_write_word<std::uint64_t>(to, from, bytes) &&
        !bus_write_word<std::uint32_t>(to, from, bytes))
      bus_write_word<std::uint8_t>(to, from, bytes);
}

// A beat of at most 64 bytes: those whose strobe is set.
inline void bus_write(std::uint8_t *to, const std::uint8_t *from, std::size_t bytes,
                      std::uint64_t strobes) {
  const std::uint64_t all = bytes == 64 ? ~0ULL : (1ULL << bytes) - 1;
  if ((strobes & all) == all)
    bus_write(to, from, bytes);
  else
    for (std::size_t i = 0; i < bytes; ++i)
      if ((strobes >> i & 1) != 0)
        bus_write(to + i, from + i, 1);
}

} // namespace axm::vfio
