#include "books.hpp"

#include <algorithm>

namespace axm::sources {

void Latencies::into(StreamResult &stream, Dir d) const {
  stream.end = std::max(stream.end, ceil_div(end_[d], clock_));
  stream.stats.bursts = stats_[d].bursts;
  stream.stats.latency_sum = stats_[d].latency_sum;
  std::ranges::copy(stats_[d].latency, stream.stats.latency);
}

void BeatLog::run(Time first, Time step, std::int64_t count) {
  if (!kept_)
    return;
  settle(schedule_.now());
  for (std::int64_t i = 0; i < count; ++i, first += step)
    if (ahead_.empty() || first >= ahead_.back())
      ahead_.push_back(first);
    else
      ahead_.insert(std::upper_bound(ahead_.begin() + settled_, ahead_.end(), first), first);
}

// Whatever is told from now on is not before `before`.
void BeatLog::settle(Time before) {
  while (settled_ < ahead_.size() && ahead_[settled_] < before)
    moved(ahead_[settled_++]);
  if (settled_ == ahead_.size()) {
    ahead_.clear();
    settled_ = 0;
  }
}

void BeatLog::moved(Time t) {
  if (count_++ == 0)
    first_ = t;
  else if (const Time gap = t - last_; gap == gap_)
    ++often_;
  else {
    if (often_ > 0)
      between_[gap_] += often_;
    gap_ = gap;
    often_ = 1;
  }
  last_ = t;
}

void BeatLog::count(side::Outcome &into, Time period) {
  settle(kForever);
  into.beats = count_;
  into.first_beat = first_;
  into.last_beat = last_;
  for (const auto &[gap, often] : between_)
    into.between[gap / period] += often;
  if (often_ > 0)
    into.between[gap_ / period] += often_;
}

void Transaction::grow() { steps.resize(2 * steps.size() + 8); }

Books::~Books() {
  for (Transaction &t : transactions_) { // whose jobs may hold others
    const Job gone = std::move(t.job);
  }
}

Transaction &Books::next() {
  if (unused_.empty())
    unused_.push_back(&transactions_.emplace_back());
  Transaction &t = *unused_.back();
  unused_.pop_back();
  t.turn = begun_++;
  t.end = 0;
  t.job = {};
  t.kept = kept_;
  t.passed_steps = 0;
  t.unused = &unused_;
  return t;
}

void Books::book_beside_data(Time t, Class what) {
  const auto to = [&](Time end, Class of) {
    spent_[static_cast<std::size_t>(of)] += end - booked_;
    booked_ = end;
  };
  const Class usual = everything_.value_or(what);
  while (booked_ < t && !data_.empty() && data_.front().first < t) {
    const auto [begin, end] = data_.front();
    if (begin > booked_)
      to(begin, usual);
    if (end > t) {
      to(t, Class::data);
      return;
    }
    if (end > booked_)
      to(end, Class::data);
    data_.pop_front();
  }
  if (t > booked_)
    to(t, usual);
}

} // namespace axm::sources
