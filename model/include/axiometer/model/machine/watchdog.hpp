// Ends a run that makes no progress. The run defines progress and how often it is checked; the
// configuration gives the longest wait without progress.
#pragma once

#include <cstddef>
#include <cstdint>

#include "axiometer/model/config.hpp"

namespace axm {

class Watchdog {
public:
  // `start`: streams begin no later than this, which counts as progress.
  Watchdog(const SystemConfig &c, const RepeatStart &start);

  // `progress` is a number that grows with every beat, column command or acceptance. True if it
  // has not grown for longer than the figures explain.
  bool stuck(Clk now, std::int64_t progress) {
    if (progress != progress_) {
      progress_ = progress;
      since_ = now;
    }
    return now - since_ > patience_;
  }
  Clk patience() const { return patience_; }

  // Clocks without any progress that a run of `c` can have, once all of its streams have begun.
  static Clk patience_of(const SystemConfig &c);

private:
  Clk patience_;
  Clk since_ = 0;
  std::int64_t progress_ = -1;
};

// Throws std::runtime_error that names the stream and what it waits for.
[[noreturn]] void halted(const SystemConfig &c, std::size_t stream, Clk clocks, const char *what);

} // namespace axm
