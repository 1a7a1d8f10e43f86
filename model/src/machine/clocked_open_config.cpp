#include "axiometer/model/machine/clocked_open_config.hpp"

#include <algorithm>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/need.hpp"

namespace axm::clocked {

SystemConfig open_config(const SystemConfig &c, const RepeatStart &start) {
  check_start(c, start);
  need(c.convolution.lanes == 0, "convolution.lanes", "must be 0: an open run has engines only");
  SystemConfig open = c;
  open.measure = {};
  for (StreamConfig &s : open.streams) {
    need(s.outside || s.stop >= 0 || start.stop < kNever ||
             s.bytes < static_cast<std::uint64_t>(kEndlessBytes),
         "stop", "an open run needs an end");
    if (!s.outside && start.stop < kNever)
      s.stop = c.stop_of(s, start.stop);
  }
  return open;
}

std::int64_t longest_cycle(const SystemConfig &c) {
  std::int64_t longest = 1;
  for (const StreamConfig &s : c.streams)
    longest = std::max(longest, c.clocks_of(s).pl);
  return longest;
}

void check_beats(const SystemConfig &c, const OutsideBurst &b) {
  const StreamConfig &s = c.streams[static_cast<std::size_t>(b.stream)];
  const int beat = c.ports[static_cast<std::size_t>(s.port)].width_bytes;
  need(b.bytes % beat == 0, "bytes", "must be whole beats of the stream's port");
  need(b.address % static_cast<std::uint64_t>(beat) == 0, "address", "must be that of a beat");
}

} // namespace axm::clocked
