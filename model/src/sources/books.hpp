// What happened, written down as it happens: transactions with the ends of their steps, when beats
// moved, and what each moment of the thread was spent on.
#pragma once

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "schedule.hpp"

namespace axm::sources {

inline constexpr Time kForever = std::numeric_limits<Time>::max();

// A read or a write, from its issue to its answer. It is over at `end`, once its job is.
struct Transaction {
  Turn turn = 0;
  Time end = 0;
  Job job;
  bool kept = false;
  struct Step {
    Time end;
    Class what;
  };
  std::vector<Step> steps; // in order; of these `passed_steps` are its own
  std::size_t passed_steps = 0;

  int holders = 0;
  std::vector<Transaction *> *unused = nullptr; // where it goes without any

  // It is at `what` until t.
  void passed(Time t, Class what) {
    if (!kept || (passed_steps > 0 && t <= steps[passed_steps - 1].end))
      return;
    if (passed_steps == steps.size())
      grow();
    steps[passed_steps++] = {t, what};
  }
  void grow();
  // What it is at then; none after its last step.
  const Class *at(Time t) const {
    for (std::size_t i = 0; i < passed_steps; ++i)
      if (t < steps[i].end)
        return &steps[i].what;
    return nullptr;
  }
  bool over(Time now) const { return (!job || job.over()) && end <= now; }
};

// A transaction that is needed.
class Pending {
public:
  Pending() = default;
  explicit Pending(Transaction &of) : of_(&of) { ++of.holders; }
  Pending(const Pending &other) : of_(other.of_) {
    if (of_)
      ++of_->holders;
  }
  Pending(Pending &&other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  Pending &operator=(Pending other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~Pending() {
    if (of_ && --of_->holders == 0)
      of_->unused->push_back(of_);
  }
  explicit operator bool() const { return of_ != nullptr; }
  Transaction *operator->() const { return of_; }
  Transaction &operator*() const { return *of_; }

private:
  Transaction *of_ = nullptr;
};

// Edges of the fabric's clock at which a beat moved. A beat is told when its time is known, which
// is not before now.
class BeatLog {
public:
  // `kept`: whether it counts.
  BeatLog(Schedule &schedule, bool kept) : schedule_(schedule), kept_(kept) {}
  void at(Time t) { run(t, 0, 1); }
  // So many, from `first` on.
  void run(Time first, Time step, std::int64_t count);
  // In cycles of `period`.
  void count(side::Outcome &into, Time period);

private:
  void settle(Time before);
  void moved(Time t);

  Schedule &schedule_;
  bool kept_;
  std::vector<Time> ahead_; // in order, from `settled_` on
  std::size_t settled_ = 0;
  std::int64_t count_ = 0;
  Time first_ = 0, last_ = 0;
  Time gap_ = 0; // the latest, so often in a row
  std::int64_t often_ = 0;
  std::map<Time, std::int64_t> between_; // others
};

// Of bursts at the memory, in each direction: from a master's address to its last beat or response.
// Cycles are those of `clock`; 0: nobody asks for them.
class Latencies {
public:
  explicit Latencies(Time clock) : clock_(clock) {}
  void note(Dir d, Time from, Time to) {
    if (clock_ == 0)
      return;
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

class Books;

// The thread is at `what` until a time.
class [[nodiscard]] Spell {
public:
  Spell(Books &books, Time until, Class what) : books_(books), until_(until), what_(what) {}
  bool await_ready();
  void await_suspend(std::coroutine_handle<> thread);
  void await_resume();

private:
  friend class Wait;
  Books &books_;
  Time until_;
  Class what_;
};

// What the thread waits for: nothing, a time, the end of a transaction, or a sequence of these. All
// of it counts as `what`, or without it each moment in the class of the transaction.
class [[nodiscard]] Wait {
public:
  Wait() = default;
  Wait(Job &&job) : job_(std::move(job)) {} // NOLINT: a sequence is one
  Wait(const Spell &spell)                  // NOLINT
      : books_(&spell.books_), until_(spell.until_), what_(spell.what_) {}
  Wait(Books &books, Pending of, std::optional<Class> what)
      : books_(&books), of_(std::move(of)), what_(what) {}

  bool await_ready();
  void await_suspend(std::coroutine_handle<> thread);
  void await_resume();

private:
  Books *books_ = nullptr; // none: a sequence, or nothing
  Time until_ = 0;
  Pending of_; // none: until a time
  std::optional<Class> what_;
  Job job_;
};

class Books {
public:
  // `kept`: whether it accounts for time.
  Books(Schedule &schedule, bool kept, Time clock = 1)
      : latencies(clock), schedule_(schedule), kept_(kept) {}
  ~Books();
  Books(const Books &) = delete;
  Books &operator=(const Books &) = delete;

  Latencies latencies;
  // Bytes of the transfer that have moved until the time `counted`.
  std::int64_t payload = 0;
  Time counted = kForever;

  void moved(std::int64_t bytes) { moved(schedule_.now(), bytes); }
  void moved(Time t, std::int64_t bytes) {
    if (t <= counted)
      payload += bytes;
  }
  // Begins a new transaction; `make` says what follows.
  template <class Make> Pending begin(Make &&make) {
    Transaction &t = next();
    Pending begun(t);
    const Timeline::Hold hold(schedule_.timeline());
    Course course = make(t);
    if (course.job) {
      t.job = std::move(course.job);
      while (!running_.empty() && running_.front()->over(schedule_.now()))
        running_.pop_front();
      running_.push_back(begun); // that may have no other holder
    } else
      ends(t, course.end);
    return begun;
  }
  // The end of t is known.
  void ends(Transaction &t, Time end) {
    t.end = end;
    schedule_.timeline().reach(end);
  }

  // The thread: is busy for a time, or until a time, or waits for the end of a transaction.
  Spell spend(Time length, Class what) { return {*this, schedule_.now() + length, what}; }
  Spell until(Time t, Class what) { return {*this, t, what}; }
  Wait wait(Pending t, std::optional<Class> what = {}) { return {*this, std::move(t), what}; }
  // All steps of the thread count as `what` from now on.
  void everything_is(std::optional<Class> what) { everything_ = what; }
  bool over(const Pending &t) const { return t->over(schedule_.now()); }

  // Data move from `from` to `to`, whatever the thread does meanwhile. Called in the order of
  // `from`, before the thread gets there.
  void data(Time from, Time to) {
    if (!kept_)
      return;
    if (!data_.empty())
      from = std::max(from, data_.back().second);
    if (from < to)
      data_.emplace_back(from, to);
  }
  void count(side::Outcome &into) const { into.spent = spent_; }

private:
  friend Spell;
  friend Wait;
  Transaction &next();
  // The thread's time from where it is booked until t, or until now.
  void book(Time t, Class what) {
    if (t <= booked_)
      return;
    if (data_.empty()) {
      spent_[static_cast<std::size_t>(everything_.value_or(what))] += t - booked_;
      booked_ = t;
    } else
      book_beside_data(t, what);
  }
  void book_beside_data(Time t, Class what);
  void book(std::optional<Class> what, const Pending &of) {
    const Time now = schedule_.now();
    if (what)
      return book(now, *what);
    for (std::size_t i = 0; i < of->passed_steps; ++i)
      book(std::min(of->steps[i].end, now), of->steps[i].what);
    book(now, Class::queue);
  }

  Schedule &schedule_;
  bool kept_;
  Turn begun_ = 0;
  std::vector<Transaction *> unused_;
  std::deque<Transaction> transactions_;
  std::deque<Pending> running_;
  Time booked_ = 0; // until when the thread's time is
  std::array<Time, side::kClasses> spent_{};
  std::deque<std::pair<Time, Time>> data_;
  std::optional<Class> everything_;
};

inline bool Spell::await_ready() {
  return until_ <= books_.schedule_.now() || books_.schedule_.pass(until_, kThread);
}

inline void Spell::await_suspend(std::coroutine_handle<> thread) {
  books_.schedule_.add(until_, kThread, thread);
}

inline void Spell::await_resume() {
  if (books_.kept_)
    books_.book(books_.schedule_.now(), what_);
}

inline bool Wait::await_ready() {
  if (!books_)
    return !job_ || job_.over();
  Schedule &schedule = books_->schedule_;
  if (!of_)
    return until_ <= schedule.now() || schedule.pass(until_, kThread);
  return (!of_->job || of_->job.over()) && schedule.pass(of_->end, kThread);
}

inline void Wait::await_suspend(std::coroutine_handle<> thread) {
  if (!books_)
    job_.await_suspend(thread);
  else if (!of_)
    books_->schedule_.add(until_, kThread, thread);
  else if (of_->job && !of_->job.over())
    of_->job.wake(books_->schedule_, of_->end, thread);
  else
    books_->schedule_.add(of_->end, kThread, thread);
}

inline void Wait::await_resume() {
  if (job_)
    job_.await_resume();
  if (!books_)
    return;
  if (of_ && of_->job)
    of_->job.await_resume();
  if (books_->kept_)
    books_->book(what_, of_);
}

} // namespace axm::sources
