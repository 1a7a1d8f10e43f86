// What happened, written down as it happens: transactions with the ends of their steps, what the
// thread did or waited for, when data moved. The classes are counted afterwards.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "axiometer/model/processor/run.hpp"
#include "processor_schedule.hpp"

namespace axm::plain::processor {

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
  void at(Time t) { times_.push_back(t); }
  void count(side::Outcome &into, Time period) const;

private:
  std::vector<Time> times_;
};

class Books {
public:
  explicit Books(Schedule &schedule) : schedule_(schedule) {}

  // Begins what `job` does with a transaction of its own.
  template <class Make> Pending begin(Make &&job) {
    auto t = std::make_shared<Transaction>();
    t->turn = static_cast<Turn>(all_.size());
    all_.push_back(t);
    t->job = job(*t);
    return t;
  }
  // Transaction `t` has been at `what` until now.
  void passed(Transaction &t, Class what) { t.steps.emplace_back(schedule_.now(), what); }

  // The thread: is busy for so long, or until then, or waits for the end of a transaction, all of
  // it as `what`, or each moment as what the transaction was at.
  Job spend(Time length, Class what) { return until(schedule_.now() + length, what); }
  Job until(Time t, Class what);
  Job wait(Pending t, std::optional<Class> what = {});
  // Steps of the thread are `what` from now on, whatever they are.
  void everything_is(std::optional<Class> what) { everything_ = what; }

  void data(Time from, Time to) { data_.emplace_back(from, to); }
  void count(side::Outcome &into);

private:
  struct Step {
    Time from, to;
    std::optional<Class> what; // none: as `of` says
    Pending of;
  };
  Class class_of(const Step &step, Time t) const;

  Schedule &schedule_;
  std::vector<Pending> all_;
  std::vector<Step> thread_;
  std::vector<std::pair<Time, Time>> data_;
  std::optional<Class> everything_;
};

} // namespace axm::plain::processor
