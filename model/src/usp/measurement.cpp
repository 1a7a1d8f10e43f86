#include "axiometer/model/usp/measurement.hpp"

#include <algorithm>
#include <cmath>

namespace axm::usp {

namespace {

// 95 % of a normal distribution.
constexpr double kNormal95 = 1.96;
constexpr int kLeastBlocks = 10;

StreamStats difference(const StreamStats &to, const StreamStats &from) {
  StreamStats d = to;
  d.bursts -= from.bursts;
  d.latency_sum -= from.latency_sum;
  for (std::size_t i = 0; i < kStreamClasses; ++i)
    d.classes[i] -= from.classes[i];
  for (int b = 0; b < Histogram::kBins; ++b)
    d.latency[b] -= from.latency[b];
  return d;
}

} // namespace

Measurement::Measurement(const SystemConfig &c, Cycle stop, std::vector<const Books *> books)
    : config_(c.measure), clocks_(c.clocks), dram_clocks_(c.controller.ddrc.clocks),
      books_(std::move(books)), begin_(std::min(c.measure.settle, stop / 2)), end_(stop),
      next_(begin_) {
  for (const StreamConfig &s : c.streams)
    beat_bytes_.push_back(c.ports[static_cast<std::size_t>(s.port)].width_bytes);
}

std::vector<StreamStats> Measurement::copy() const {
  std::vector<StreamStats> out;
  for (const Books *b : books_)
    out.push_back(b->stats);
  return out;
}

std::int64_t Measurement::bytes() const {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < books_.size(); ++i)
    n += books_[i]->beats() * beat_bytes_[i];
  return n;
}

bool Measurement::settled() {
  const auto of = static_cast<double>(bytes() - before_);
  before_ = bytes();
  sum_ += of;
  squares_ += of * of;
  if (++blocks_ < kLeastBlocks || sum_ <= 0)
    return false;
  const double mean = sum_ / blocks_;
  const double variance = std::max(0.0, squares_ / blocks_ - mean * mean) / (blocks_ - 1);
  return kNormal95 * std::sqrt(variance) < config_.confidence * mean;
}

void Measurement::mark(Cycle cycle, Clk now, const Counts &dram) {
  if (cycle == begin_) {
    at_begin_ = copy();
    before_ = bytes();
    classes_ = {};
    dram_at_begin_ = dram;
    begin_clk_ = now;
  } else if (cycle < end_ && settled()) {
    end_ = cycle;
  }
  if (cycle == end_) {
    over_ = true;
    at_end_ = copy();
    dram_at_end_ = dram;
    end_clk_ = now;
  }
  next_ = config_.block > 0 ? std::min(cycle + config_.block, end_) : end_;
}

RepeatResult Measurement::result() const {
  RepeatResult r;
  r.cycles = end_ - begin_;
  r.clocks = (end_clk_ - begin_clk_) * dram_clocks_;
  for (std::size_t i = 0; i < kBusClasses; ++i)
    r.dram.classes[i] = classes_[i] * dram_clocks_;
  // The controller's last clock may reach beyond the last cycle, which ends the run.
  const std::int64_t beyond = r.clocks * clocks_.ddr - r.cycles * clocks_.pl;
  if (beyond > 0) {
    const std::int64_t back = ceil_div(beyond, clocks_.ddr);
    r.dram.classes[latest_] -= back;
    r.clocks -= back;
  }
  for (std::size_t i = 0; i < kDramCounts; ++i)
    r.dram.counts[i] = dram_at_end_[i] - dram_at_begin_[i];
  for (std::size_t i = 0; i < books_.size(); ++i) {
    const StreamStats of = difference(at_end_[i], at_begin_[i]);
    r.streams.push_back(
        {0, r.cycles, static_cast<std::uint64_t>(of.classes[kData] * beat_bytes_[i]), of});
  }
  r.intervals = static_cast<std::uint64_t>(dram_at_end_[kRefreshes]);
  return r;
}

} // namespace axm::usp
