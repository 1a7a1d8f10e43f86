#include "books.hpp"

#include <algorithm>
#include <set>

namespace axm::sources {

void Latencies::into(StreamResult &stream, Dir d) const {
  stream.end = std::max(stream.end, ceil_div(end_[d], clock_));
  stream.stats.bursts = stats_[d].bursts;
  stream.stats.latency_sum = stats_[d].latency_sum;
  std::ranges::copy(stats_[d].latency, stream.stats.latency);
}

void BeatLog::count(side::Outcome &into, Time period) const {
  auto times = times_;
  std::ranges::sort(times);
  into.beats = static_cast<std::int64_t>(times.size());
  if (times.empty())
    return;
  into.first_beat = times.front();
  into.last_beat = times.back();
  for (std::size_t i = 1; i < times.size(); ++i)
    ++into.between[(times[i] - times[i - 1]) / period];
}

Job Books::until(Time t, Class what) {
  const Time from = schedule_.now();
  if (t > from)
    co_await schedule_.until(t, kThread);
  note({from, schedule_.now(), everything_ ? everything_ : what, {}});
}

Job Books::wait(Pending t, std::optional<Class> what) {
  const Time from = schedule_.now();
  co_await t->job;
  co_await schedule_.until(schedule_.now(), kThread);
  note({from, schedule_.now(), everything_ ? everything_ : what, std::move(t)});
}

// What the thread was at between t and the moment after.
Class Books::class_of(const Step &step, Time t) const {
  if (step.what)
    return *step.what;
  for (const auto &[end, what] : step.of->steps)
    if (t < end)
      return what;
  return Class::queue;
}

// Every moment of the thread is in one class: what it did, or that data moved. Moments at which
// nothing changes are counted together.
void Books::count(side::Outcome &into) {
  std::ranges::sort(data_);
  std::size_t data = 0; // no earlier one is beyond the moment
  for (const Step &step : thread_) {
    std::set<Time> changes{step.from, step.to};
    if (step.of)
      for (const auto &[end, what] : step.of->steps)
        changes.insert(end);
    while (data < data_.size() && data_[data].second <= step.from)
      ++data;
    for (std::size_t i = data; i < data_.size() && data_[i].first < step.to; ++i)
      changes.insert({data_[i].first, data_[i].second});
    for (auto at = changes.find(step.from); *at < step.to; ++at) {
      const Time t = *at, next = *std::next(at);
      Class what = class_of(step, t);
      for (std::size_t i = data; i < data_.size() && data_[i].first <= t; ++i)
        if (t < data_[i].second)
          what = Class::data;
      into.spent[static_cast<std::size_t>(what)] += next - t;
    }
  }
}

} // namespace axm::sources
