// When the ports of a design are at work, and for how long.
//
// A period of work begins with a handshake and ends with the last one before the ports rest, which
// they do when nothing is in flight and no handshake came for kRest clocks. Rest is not counted: it
// lasts as long as the emulated processor, whose time is not the chip's, leaves the design alone.
#pragma once

#include <cstdint>

namespace axm::vfio {

// The work since the last call.
struct Work {
  std::uint64_t clocks = 0, periods = 0;
  std::uint64_t read_bytes = 0, written_bytes = 0; // of beats, by the bytes that they carried
};

class WorkClock {
public:
  // Longer than an engine takes from a register or a descriptor to the bus.
  static constexpr unsigned kRest = 64;

  // A clock ends. moved: there was a handshake; quiet: nothing is in flight.
  void clock(bool moved, bool quiet) {
    still_ = moved || !quiet ? 0 : still_ < kRest ? still_ + 1 : kRest;
    if (moved) {
      if (!open_)
        ++done_.periods;
      done_.clocks += open_ ? passed_ + 1 : 1;
      passed_ = 0;
      open_ = true;
    } else if (open_) {
      ++passed_;
      open_ = still_ < kRest;
    }
  }
  void read(unsigned bytes) { done_.read_bytes += bytes; }
  void written(unsigned bytes) { done_.written_bytes += bytes; }
  // A register was written: something may begin.
  void touch() { still_ = 0; }

  // Whether a period is under way, in which the chip's time passes.
  bool open() const { return open_; }
  bool resting() const { return still_ == kRest; }
  Work take() {
    const Work done = done_;
    done_ = {};
    return done;
  }

private:
  Work done_;
  bool open_ = false;
  unsigned still_ = kRest;   // clocks without a movement, at most kRest
  std::uint64_t passed_ = 0; // clocks since the last handshake of an open period
};

} // namespace axm::vfio
