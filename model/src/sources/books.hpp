// What happened, written down as it happens: transactions with the ends of their steps, what the
// thread did or waited for, when data moved. The classes are counted afterwards.
#pragma once

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/processor/run.hpp"
#include "schedule.hpp"

namespace axm::sources {

// A read or a write, from its issue to its answer.
struct Transaction {
  Turn turn = 0;
  std::vector<std::pair<Time, Class>> steps; // each with its end
  Job job;
};
using Pending = std::shared_ptr<Transaction>;

// Edges of the fabric's clock at which a beat moved.
class BeatLog {
public:
  explicit BeatLog(bool kept) : kept_(kept) {}
  void at(Time t) {
    if (kept_)
      times_.push_back(t);
  }
  void count(side::Outcome &into, Time period) const;

private:
  bool kept_;
  std::vector<Time> times_;
};

// Of bursts at the memory, in each direction: from a master's address to its last beat or response.
// Cycles are those of `clock`.
class Latencies {
public:
  explicit Latencies(Time clock) : clock_(clock) {}
  void note(Dir d, Time from, Time to) {
    const Cycle latency = (to - from + clock_ / 2) / clock_;
    StreamStats &s = stats_[d];
    ++s.bursts;
    s.latency_sum += latency;
    ++s.latency[Histogram::bin(latency)];
    end_[d] = std::max(end_[d], to);
  }
  void into(StreamResult &stream, Dir d) const;

private:
  Time clock_, end_[2] = {};
  StreamStats stats_[2];
};

class Books {
public:
  // `kept`: whether events are recorded.
  Books(Schedule &schedule, bool kept, Time clock = 1)
      : latencies(clock), schedule_(schedule), kept_(kept) {}

  Latencies latencies;
  // Bytes of the transfer that have moved until the time `counted`.
  std::int64_t payload = 0;
  Time counted = std::numeric_limits<Time>::max();

  void moved(std::int64_t bytes) {
    if (schedule_.now() <= counted)
      payload += bytes;
  }
  // Begins `job` with a new transaction.
  template <class Make> Pending begin(Make &&job) {
    auto t = std::make_shared<Transaction>();
    t->turn = begun_++;
    while (!all_.empty() && all_.front()->job.over())
      all_.pop_front(); // that may have had no waiter
    all_.push_back(t);
    t->job = job(*t);
    return t;
  }
  // Transaction `t` has been at `what` until now.
  void passed(Transaction &t, Class what) {
    if (kept_)
      t.steps.emplace_back(schedule_.now(), what);
  }

  // The thread: is busy for a time, or until a time, or waits for the end of a transaction, all of
  // it as `what`, or each moment in the class of the transaction.
  Job spend(Time length, Class what) { return until(schedule_.now() + length, what); }
  Job until(Time t, Class what);
  Job wait(Pending t, std::optional<Class> what = {});
  // All steps of the thread count as `what` from now on.
  void everything_is(std::optional<Class> what) { everything_ = what; }

  void data(Time from, Time to) {
    if (kept_)
      data_.emplace_back(from, to);
  }
  void count(side::Outcome &into);

private:
  struct Step {
    Time from, to;
    std::optional<Class> what; // none: as in `of`
    Pending of;
  };
  Class class_of(const Step &step, Time t) const;

  void note(Step step) {
    if (kept_)
      thread_.push_back(std::move(step));
  }

  Schedule &schedule_;
  bool kept_;
  Turn begun_ = 0;
  std::deque<Pending> all_;
  std::vector<Step> thread_;
  std::vector<std::pair<Time, Time>> data_;
  std::optional<Class> everything_;
};

} // namespace axm::sources
