#include "axiometer/model/usp/measurement.hpp"

#include <algorithm>
#include <cmath>

namespace axm::usp {

namespace {

// The run is looked at when it has so many batches: half as long again, or a third longer, than
// the last time.
constexpr std::size_t kLookAt[] = {Measurement::kBatches * 3 / 4, Measurement::kBatches};
// No interval is said to be narrower than this share of the rate: blocks do not end with bursts,
// refreshes or regions, and what follows from that is not in their spread.
constexpr double kLeastHalfWidth = 0.001;

} // namespace

Measurement::Measurement(const SystemConfig &c, Cycle stop, std::vector<Books *> books)
    : config_(c.measure), clocks_(c.clocks), dram_clocks_(c.controller.ddrc.clocks),
      books_(std::move(books)), stop_(stop), next_(std::min(c.measure.settle, stop / 2)) {
  for (const StreamConfig &s : c.streams)
    beat_bytes_.push_back(c.ports[static_cast<std::size_t>(s.port)].width_bytes);
}

std::int64_t Measurement::bytes() const {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < books_.size(); ++i)
    n += books_[i]->beats() * beat_bytes_[i];
  return n;
}

Steady Measurement::judged(std::int64_t bytes) const {
  std::vector<double> rates;
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i)
    rates.push_back(static_cast<double>(begins_[i + 1].bytes - begins_[i].bytes));
  if (block_ == blocks_)
    rates.push_back(static_cast<double>(bytes - begins_.back().bytes));
  Steady s = Steady::of(rates);
  if (s.half_width >= 0)
    s.half_width = s.mean > 0 ? std::max(s.half_width / s.mean, kLeastHalfWidth) : 0;
  return s;
}

// The batch under way is whole: whether the run may end with it.
bool Measurement::judge(std::int64_t bytes) {
  if (std::ranges::find(kLookAt, begins_.size()) == std::end(kLookAt))
    return false;
  steady_ = judged(bytes);
  return steady_.mean > 0 && steady_.settled && steady_.half_width <= config_.confidence;
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
  over_ = true;
  end_ = now;
}

void Measurement::begin_batch(const Moment &at) {
  begins_.push_back(at);
  for (Books *b : books_)
    b->mark();
  block_ = 0;
}

void Measurement::mark(Cycle cycle, Clk now, const Counts &dram) {
  const Moment at{cycle, now, dram, classes_, bytes()};
  if (begins_.empty())
    begin_batch(at);
  else if (config_.block > 0 && (cycle - begins_.front().cycle) % config_.block == 0)
    ++block_;
  if (cycle == stop_) {
    steady_ = judged(at.bytes);
    return finish(at);
  }
  if (block_ == blocks_) {
    if (judge(at.bytes))
      return finish(at);
    if (begins_.size() == kBatches)
      merge();
    begin_batch(at);
  }
  next_ = config_.block > 0 ? std::min(cycle + config_.block, stop_) : stop_;
}

RepeatResult Measurement::result() const {
  const std::size_t from = steady_.cut;
  const Moment &begin = begins_[from];
  RepeatResult r;
  r.measured = true;
  r.begins = begin.cycle;
  r.half_width = steady_.half_width;
  r.settled = steady_.settled;
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
    const StreamStats of = books_[i]->since_mark(from);
    r.streams.push_back(
        {0, r.cycles, static_cast<std::uint64_t>(of.classes[kData] * beat_bytes_[i]), of});
  }
  r.intervals = static_cast<std::uint64_t>(end_.dram[kRefreshes]);
  return r;
}

} // namespace axm::usp
