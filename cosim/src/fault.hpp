// Bus faults that a test injects: port, channel, kind, and time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace axm::cosim {

enum class Channel { aw, w, b, ar, r };
enum class FaultKind {
  slave_error,  // b, r: SLVERR
  decode_error, // b, r: DECERR
  early_last,   // r: the burst ends one beat too soon
  late_last,    // r: the burst has one beat too many
  missing_last, // r: the burst's last beat is not marked
  wrong_id,     // b, r: an ID that no request has
  hang,         // any: the channel stalls for `clocks`
};

struct Fault {
  std::size_t port = 0;
  Channel channel = Channel::r;
  FaultKind kind = FaultKind::slave_error;
  std::uint64_t burst = 0;  // the channel's n-th burst, from 0
  std::uint64_t clocks = 0; // hang: length; 0 until the faults are cleared
};

class Faults {
public:
  // "port=0 channel=r kind=hang burst=3 clocks=1000"; std::invalid_argument
  // names the fault.
  void add(const std::string &text);
  void clear() { faults_.clear(); }

  bool none() const { return faults_.empty(); }
  bool has(std::size_t port, Channel c, FaultKind kind, std::uint64_t burst) const {
    return !none() && is_planned(port, c, kind, burst);
  }
  // Whether the channel stalls in this clock; counts the clock if so.
  bool hangs(std::size_t port, Channel c, std::uint64_t burst) {
    return !none() && stalls(port, c, burst);
  }

private:
  bool is_planned(std::size_t port, Channel c, FaultKind kind, std::uint64_t burst) const;
  bool stalls(std::size_t port, Channel c, std::uint64_t burst);

  struct Planned {
    Fault fault;
    std::uint64_t hung = 0;
  };
  std::vector<Planned> faults_;
};

} // namespace axm::cosim
