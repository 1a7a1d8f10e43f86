#include "axiometer/model/accounting/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace axm::clocked {

namespace {

// Numbers of batches at which the run is checked: each half as long again, or a third longer, than
// the one before.
constexpr std::size_t kLookAt[] = {Measurement::kBatches * 3 / 4, Measurement::kBatches};
// The least interval, as a share of the rate: changes slower than the run are not in its spread.
// Chosen so that runs of 200 ms are within (docs/numbers.md).
constexpr double kLeastHalfWidth = 0.004;
// Streams that drift apart by less than this share of a row do not count.
constexpr double kLeastDrift = 0.25;
// Nor do those that wander to and fro by less than this share of it: a few DRAM bursts.
constexpr double kLeastWander = 1.0 / 32;
// From so many blocks on the interval that is enough grows with their number.
constexpr double kPatience = 400;

} // namespace

Measurement::Measurement(const SystemConfig &c, Cycle stop, std::vector<Books *> books)
    : config_(c.measure), clocks_(c.clocks), dram_clocks_(c.controller.dram_clocks),
      books_(std::move(books)), row_bytes_(c.dram.row_bytes),
      round_bytes_(row_bytes_ * c.dram.banks * c.dram.ranks), stop_(stop),
      next_(std::min(c.measure.settle, stop / 2)) {
  for (std::size_t i = 0; i < c.streams.size(); ++i) {
    const StreamConfig &s = c.streams[i];
    if (s.stop >= 0)
      config_.block = 0;
    burst_bytes_.push_back(static_cast<double>(s.burst_bytes));
    beat_bytes_.push_back(c.ports[static_cast<std::size_t>(s.port)].width_bytes);
    most_bytes_.push_back(s.outside ? static_cast<std::uint64_t>(kEndlessBytes) : s.bytes);
    periods_.push_back(c.clocks_of(s).pl);
    const bool sequential = s.pattern == Pattern::sequential;
    step_bytes_.push_back(sequential ? burst_bytes_.back() : static_cast<double>(s.stride));
    for (std::size_t k = 0; k < i; ++k) {
      const StreamConfig &other = c.streams[k];
      if (other.dir == s.dir && other.pattern != Pattern::random && s.pattern != Pattern::random)
        pairs_.push_back({k, i, sequential && other.pattern == Pattern::sequential});
    }
  }
}

// How far the second stream of a pair has come before the first since the start, in addresses.
double Measurement::distance(const Pair &pair, const Moment &at) const {
  const auto way = [&](std::size_t i) {
    return static_cast<double>(at.of_stream[i]) * (step_bytes_[i] / burst_bytes_[i]);
  };
  return way(pair.second) - way(pair.first);
}

// Strided streams do not delay the end; they are only reported to wander.
bool Measurement::drift(std::span<const Moment> moments) const {
  std::vector<double> distances(moments.size());
  return std::ranges::any_of(pairs_, [&](const Pair &pair) {
    std::ranges::transform(moments, distances.begin(),
                           [&](const Moment &m) { return distance(pair, m); });
    return pair.sequential && drifts(distances, row_bytes_ * kLeastDrift, round_bytes_);
  });
}

bool Measurement::wander(std::span<const Moment> moments) const {
  return std::ranges::any_of(pairs_, [&](const Pair &pair) {
    const auto [least, most] = std::ranges::minmax(
        moments | std::views::transform([&](const Moment &m) { return distance(pair, m); }));
    const double turns = std::max(step_bytes_[pair.first], step_bytes_[pair.second]);
    return most - least > std::max(turns, row_bytes_ * kLeastWander) && most - least < round_bytes_;
  });
}

// `now` ends the last batch, if it is whole.
Steady Measurement::judged(const Moment &now) const {
  std::vector<Moment> moments = begins_;
  if (block_ == blocks_)
    moments.push_back(now);
  std::vector<double> rates;
  for (std::size_t i = 0; i + 1 < moments.size(); ++i)
    rates.push_back(static_cast<double>(moments[i + 1].bytes - moments[i].bytes));
  Steady s = Steady::of(rates);
  if (s.half_width >= 0)
    s.half_width = s.mean > 0 ? std::max(s.half_width / s.mean, kLeastHalfWidth) : 0;
  s.settled = s.settled && !drift(std::span(moments).subspan(s.cut));
  return s;
}

// The batch under way is whole: whether the run may end with it.
bool Measurement::judge(const Moment &now) {
  if (std::ranges::find(kLookAt, begins_.size()) == std::end(kLookAt))
    return false;
  steady_ = judged(now);
  const auto blocks = static_cast<double>(blocks_ * begins_.size());
  const double enough = config_.confidence * std::max(1.0, blocks / kPatience);
  return steady_.mean > 0 && steady_.settled && steady_.half_width <= enough;
}

// Each two neighbours become one batch.
void Measurement::merge() {
  for (std::size_t i = 0; 2 * i < begins_.size(); ++i)
    begins_[i] = begins_[2 * i];
  begins_.resize((begins_.size() + 1) / 2);
  for (Books *b : books_)
    b->thin_marks();
  blocks_ *= 2;
}

void Measurement::finish(const Moment &now) {
  may_drift_ = steady_.settled && wander(std::span(begins_).subspan(steady_.cut));
  over_ = true;
  end_ = now;
  // Of now: a stepped run may go on.
  for (std::size_t i = 0; i < books_.size(); ++i)
    measured_.push_back(measured(i));
}

StreamStats Measurement::measured(std::size_t stream) const {
  const Books &b = *books_[stream];
  StreamStats s = b.since_mark(steady_.cut);
  const bool whole = b.cycles() * periods_[stream] <= end_.cycle * clocks_.pl;
  if (!whole && s.classes[b.latest] > 0)
    --s.classes[b.latest]; // its last cycle, in a clock of its own, ends later
  return s;
}

void Measurement::begin_batch(const Moment &at) {
  begins_.push_back(at);
  for (Books *b : books_)
    b->mark();
  block_ = 0;
}

void Measurement::mark(Cycle cycle, Clk now, const Counts &dram) {
  Moment at{cycle, now, dram, classes_, 0, {}};
  for (std::size_t i = 0; i < books_.size(); ++i) {
    at.of_stream.push_back(books_[i]->beats() * beat_bytes_[i]);
    at.bytes += at.of_stream.back();
  }
  if (begins_.empty())
    begin_batch(at);
  else if (config_.block > 0 && (cycle - begins_.front().cycle) % config_.block == 0)
    ++block_;
  if (cycle == stop_) {
    steady_ = judged(at);
    return finish(at);
  }
  if (block_ == blocks_) {
    if (judge(at))
      return finish(at);
    if (begins_.size() == kBatches)
      merge();
    begin_batch(at);
  }
  next_ = config_.block > 0 ? std::min(cycle + config_.block, stop_) : stop_;
}

RepeatResult Measurement::result() const {
  const Moment &begin = begins_[steady_.cut];
  RepeatResult r;
  r.measured = true;
  r.begins = begin.cycle;
  r.half_width = steady_.half_width;
  r.settled = steady_.settled;
  r.may_drift = may_drift_;
  r.cycles = end_.cycle - begin.cycle;
  r.clocks = (end_.clk - begin.clk) * dram_clocks_;
  for (std::size_t i = 0; i < kBusClasses; ++i)
    r.dram.classes[i] = (end_.classes[i] - begin.classes[i]) * dram_clocks_;
  // The controller's last clock may reach beyond the last cycle, which ends the run.
  const std::int64_t beyond = r.clocks * clocks_.ddr - r.cycles * clocks_.pl;
  if (beyond > 0) {
    const std::int64_t back = ceil_div(beyond, clocks_.ddr);
    r.dram.classes[latest_] -= back;
    r.clocks -= back;
  }
  for (std::size_t i = 0; i < kDramCounts; ++i)
    r.dram.counts[i] = end_.dram[i] - begin.dram[i];
  for (std::size_t i = 0; i < books_.size(); ++i) {
    const StreamStats &of = measured_[i];
    const Cycle cycles = std::accumulate(of.classes.begin(), of.classes.end(), Cycle{0});
    const auto bytes = static_cast<std::uint64_t>(of.classes[kData] * beat_bytes_[i]);
    r.streams.push_back({0, cycles, std::min(bytes, most_bytes_[i]), of});
  }
  r.intervals = static_cast<std::uint64_t>(end_.dram[kRefreshes]);
  return r;
}

} // namespace axm::clocked
