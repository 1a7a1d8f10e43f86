// The executable specification: what the model means, written to be read. It
// steps the base unit of time; at an edge of its clock every engine moves at most one beat,
// at a DRAM edge at most one part in each direction enters the controller, and
// then the controller issues at most one command. The fast model must agree with
// it to the clock; it shares no code with it but configuration and results.
#include <algorithm>
#include <stdexcept>

#include "axiometer/model/config_limits.hpp"
#include "plain/machine.hpp"
#include "plain/run.hpp"

namespace axm::plain {

namespace {

// Longer than anything that was configured can take.
std::int64_t patience(const SystemConfig &c, const RepeatStart &start) {
  std::int64_t clks = 20 * c.dram.timing.tREFI, units = 0;
  for (const PathConfig &p : c.paths)
    clks += p.request_clocks[0] + p.request_clocks[1] + p.release_clocks[0] + p.release_clocks[1] +
            64 * p.column_clocks;
  for (const PortConfig &p : c.ports) {
    units += (p.request_cycles[0] + p.request_cycles[1] + p.return_cycles) * c.clocks_of(p).pl;
    clks += p.response_clocks;
  }
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    units +=
        (Cycle{s.job.setup_cycles} + s.job.place_cycles + s.job.compute_cycles) * c.clocks_of(s).pl;
    units += (start.launch[i] + s.gap_cycles + s.pace_cycles / s.pace_bursts + s.address_cycles +
              s.between_cycles + s.loopback_cycles + s.burst_bytes) *
             c.clocks_of(s).pl;
  }
  return clks * c.clocks.ddr + units;
}

class Run final : public OpenRun {
public:
  Run(const SystemConfig &c, const RepeatStart &start, Trace *trace)
      : clocks_(c.clocks), machine_(c, start), patient_(patience(c, start)), trace_(trace) {}

  void ask(const OutsideBurst &burst) override {
    if (burst.at * clocks_.ddr < now_)
      throw std::logic_error("a burst is requested at a past clock");
    machine_.masters()[static_cast<std::size_t>(burst.stream)].ask(burst);
  }

  std::optional<OutsideServed> advance(Clk limit) override {
    for (;;) {
      for (std::size_t i = 0; i < machine_.masters().size(); ++i)
        if (const auto done = machine_.masters()[i].tell())
          return OutsideServed{static_cast<int>(i), *done + 1};
      if (now_ / clocks_.ddr >= limit || over())
        return std::nullopt;
      step();
    }
  }

  RepeatResult finish() override {
    while (!over())
      step();
    return machine_.result(trace_);
  }

private:
  bool over() const {
    const auto complete = [](const Master &m) { return m.complete(); };
    return std::ranges::all_of(machine_.masters(), complete) && machine_.controller_idle();
  }

  void step() {
    machine_.pl_edges(now_);
    if (now_ % clocks_.ddr == 0)
      machine_.dram_edge(now_ / clocks_.ddr);
    const auto rests = [](const Master &m) { return m.has_nothing(); };
    if (const std::int64_t p = machine_.progress();
        p != progress_ || std::ranges::all_of(machine_.masters(), rests)) {
      progress_ = p;
      progress_at_ = now_;
    } else if (now_ - progress_at_ > patient_) {
      throw std::logic_error("the plain model has stalled");
    }
    now_ = std::min(machine_.next_pl_edge(now_), (now_ / clocks_.ddr + 1) * clocks_.ddr);
  }

  ClockRatio clocks_;
  Machine machine_;
  std::int64_t patient_;
  Trace *trace_;
  std::int64_t now_ = 0; // base units
  std::int64_t progress_ = 0, progress_at_ = 0;
};

} // namespace

std::unique_ptr<OpenRun> open(const SystemConfig &config, const RepeatStart &start, Trace *trace) {
  check_start(config, start);
  return std::make_unique<Run>(config, start, trace);
}

RepeatResult run(const SystemConfig &config, const RepeatStart &start, Trace *trace) {
  return open(config, start, trace)->finish();
}

} // namespace axm::plain
