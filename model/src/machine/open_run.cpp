// The functions of an open run, and the rules for its requests, for every policy.
#include "axiometer/model/open_run.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/need.hpp"

namespace axm {

namespace {

class Checked final : public OpenRun {
public:
  Checked(const SystemConfig &c, std::unique_ptr<OpenRun> run)
      : config_(c), run_(std::move(run)), asked_at_(c.streams.size(), 0) {}

  void ask(const OutsideBurst &b) override {
    const auto i = static_cast<std::size_t>(b.stream);
    need(i < config_.streams.size() && config_.streams[i].outside, "stream",
         "must be the number of an outside stream");
    need(b.bytes >= 1 && b.bytes <= config_.streams[i].burst_bytes, "bytes",
         "must be 1 to the stream's burst_bytes");
    const auto bytes = static_cast<std::uint64_t>(b.bytes);
    need(bytes <= config_.dram.bytes && b.address <= config_.dram.bytes - bytes, "address",
         "the burst lies outside the DRAM");
    need(b.at >= std::max(asked_at_[i], reached_) && b.at < most_clocks(config_), "at",
         "must not be before the simulated time or the stream's last burst, nor beyond the time "
         "counter");
    run_->ask(b);
    asked_at_[i] = b.at;
    ++untold_;
  }

  std::optional<OutsideServed> advance(Clk limit) override {
    const auto served = run_->advance(limit);
    if (served)
      --untold_;
    else
      reached_ = std::max(reached_, limit);
    return served;
  }

  RepeatResult finish() override {
    if (untold_ != 0)
      throw std::logic_error("an open run ends before all of its bursts were served");
    return run_->finish();
  }

private:
  SystemConfig config_;
  std::unique_ptr<OpenRun> run_;
  std::vector<Clk> asked_at_; // the latest of each stream
  Clk reached_ = 0;
  std::int64_t untold_ = 0;
};

} // namespace

std::unique_ptr<OpenRun> open_run(const SystemConfig &config, const RepeatStart &start,
                                  const RunOptions &options) {
  config.check();
  return std::make_unique<Checked>(
      config, part_of<ControllerPart>(config.controller).open(config, start, options));
}

std::unique_ptr<OpenRun> open_plain(const SystemConfig &config, const RepeatStart &start,
                                    Trace *trace) {
  config.check();
  return std::make_unique<Checked>(
      config, part_of<PlainTwin>(config.controller).open(config, start, trace));
}

} // namespace axm
