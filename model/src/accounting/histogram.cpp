#include <algorithm>
#include <bit>

#include "axiometer/model/accounting/stats.hpp"

namespace axm {

int Histogram::wide_bin(Cycle latency) {
  if (latency < 0)
    return 0;
  const auto l = static_cast<std::uint64_t>(latency);
  const int octave =
      static_cast<int>(std::bit_width(l) - std::bit_width(static_cast<std::uint64_t>(kExact)));
  constexpr int steps = kExact / kPerOctave; // cycles of a bin just above kExact
  const int part = static_cast<int>((l >> octave) / steps) - kPerOctave;
  return std::min(kBins - 1, kExact + kPerOctave * octave + part);
}

Cycle Histogram::value(int bin) {
  if (bin < kExact)
    return bin;
  const int octave = (bin - kExact) / kPerOctave;
  return static_cast<Cycle>(kExact) / kPerOctave * (kPerOctave + (bin - kExact) % kPerOctave)
         << octave;
}

} // namespace axm
