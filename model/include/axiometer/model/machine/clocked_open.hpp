// A run of Zynq UltraScale+ that masters outside it share (open_run.hpp): the same chip and engines
// as in `System`, from one event to the next, so that it can pause before any DRAM clock. Where
// nothing is under way all clocks to the next refresh are one.
//
// A burst from outside is like an engine's: its address is valid in the first cycle of its port
// that begins at or after `at`, a write's beats follow a cycle each, and it is served at the first
// DRAM clock that begins when the cycle of its last beat or response is over. Bursts without a
// place in the interface wait.
//
// It is measured from 0 to the start's `stop`, or else to the first PL cycle after the end of all
// streams that end by themselves, of the bursts from outside, and of waiting writes. Bursts after
// `stop` are served, and not measured.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "axiometer/model/accounting/measurement.hpp"
#include "axiometer/model/machine/clocked_chip.hpp"
#include "axiometer/model/machine/watchdog.hpp"
#include "axiometer/model/open_run.hpp"
#include "axiometer/model/ports/port_clocks.hpp"
#include "axiometer/model/sources/clocked_engines.hpp"

namespace axm::clocked {

class OpenSystem final : public OpenRun {
public:
  OpenSystem(const SystemConfig &c, const RepeatStart &start, const RunOptions &options);

  void ask(const OutsideBurst &burst) override;
  std::optional<OutsideServed> advance(Clk limit) override;
  RepeatResult finish() override;

private:
  std::int64_t mark() const; // when something is to be measured next (base units)
  std::int64_t wakes() const;
  bool through() const { return chip_.idle() && wakes() >= kNever; }
  void measure() { measured_.cycle(measured_.next(), now_, chip_.counts()); }
  bool step(std::int64_t until);
  void sleep(std::int64_t until);
  void cycles(std::int64_t time);
  void controller_clock();
  bool waits() const;

  SystemConfig config_;
  Cycle stop_;
  std::int64_t core_;    // base units of a controller clock
  std::int64_t stopped_; // when no stream begins a burst by itself any more
  Chip chip_;
  Engines engines_;
  PortClocks clocks_;
  std::vector<Books *> books_;
  Measurement measured_;
  Watchdog dog_;
  Clk now_ = 0;            // the controller clock that is to come
  std::int64_t last_ = -1; // when something happened last (base units)
  struct Source {          // a stream with bursts from outside
    std::size_t stream = 0;
    std::int64_t told = 0; // bursts
  };
  std::vector<Source> sources_;
  std::deque<OutsideServed> served_; // and not reported
};

// std::invalid_argument if the configuration cannot be simulated.
std::unique_ptr<OpenRun> open_run(const SystemConfig &c, const RepeatStart &start,
                                  const RunOptions &options);

} // namespace axm::clocked
