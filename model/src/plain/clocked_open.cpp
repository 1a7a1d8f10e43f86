#include "clocked_open.hpp"

#include <deque>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_open_config.hpp"
#include "clocked_machine.hpp"

namespace axm::plain::clocked {

namespace {

class Open final : public OpenRun {
public:
  Open(const SystemConfig &c, const RepeatStart &start, Trace *trace)
      : config_(axm::clocked::open_config(c, start)), stop_(start.stop), trace_(trace),
        machine_(config_, start), told_(c.streams.size(), 0) {}

  void ask(const OutsideBurst &b) override {
    axm::clocked::check_beats(config_, b);
    const std::int64_t period = period_of(static_cast<std::size_t>(b.stream));
    const Cycle from = ceil_div(b.at * config_.clocks.ddr, period);
    machine_.engine(static_cast<std::size_t>(b.stream))
        .outside.push_back({from, b.address, b.bytes});
  }

  std::optional<OutsideServed> advance(Clk limit) override {
    const bool held = limit <= most_clocks(config_); // any later time is never reached
    while (served_.empty() && !machine_.through() &&
           (!held || machine_.next() < limit * config_.clocks.ddr))
      step();
    if (served_.empty())
      return std::nullopt;
    const OutsideServed first = served_.front();
    served_.pop_front();
    return first;
  }

  RepeatResult finish() override {
    const bool ends = stop_ < kNever;
    if (!ends || last_ >= stop_ * config_.clocks.pl)
      while (!machine_.through())
        step();
    if (!ends) {
      stop_ = ceil_div(last_ + axm::clocked::longest_cycle(config_), config_.clocks.pl);
      machine_.end(stop_);
    }
    while (!measured_)
      step();
    if (trace_ != nullptr)
      *trace_ = machine_.trace();
    return *measured_;
  }

private:
  std::int64_t period_of(std::size_t stream) const {
    return config_.clocks_of(config_.streams[stream]).pl;
  }

  // A moment, unless the end of the measurement is before it.
  void step() {
    if (!measured_ && stop_ < kNever && machine_.next() >= stop_ * config_.clocks.pl) {
      measured_ = machine_.result();
      return;
    }
    last_ = machine_.next();
    machine_.step();
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const Engine &e = machine_.engine(i);
      if (!config_.streams[i].outside || e.bursts.size() - e.in_flight() == told_[i])
        continue;
      const Cycle after = e.bursts[told_[i]++].done + 1;
      served_.push_back({static_cast<int>(i), ceil_div(after * period_of(i), config_.clocks.ddr)});
    }
  }

  SystemConfig config_;
  Cycle stop_;
  Trace *trace_;
  Machine machine_;
  std::int64_t last_ = -1;           // the latest moment (base units)
  std::vector<std::size_t> told_;    // bursts of each stream
  std::deque<OutsideServed> served_; // and not reported
  std::optional<RepeatResult> measured_;
};

} // namespace

std::unique_ptr<OpenRun> open(const SystemConfig &c, const RepeatStart &start, Trace *trace) {
  return std::make_unique<Open>(c, start, trace);
}

} // namespace axm::plain::clocked
