// A schedule of sources: a list of moments in the order of time, and jobs that wait for them. A job
// is written as a plain sequence of waits (a coroutine), so that several go on side by side and
// always meet in the order of time.
//
// Purpose      Time that only ever goes forward, one moment of the list after the other.
// Limits       Not fast: a job that waits for a clock resumes at every one of its edges.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <tuple>
#include <utility>

#include "axiometer/model/processor/config.hpp"

namespace axm::sources {

namespace side = axm::processor; // configuration, classes and outcome: all that both models share
using side::Class;
using side::Config;
using side::Time;

// At one moment, transactions go in the order in which they were begun, and after them the thread
// (of the processor, of its DMA engine) that begins others.
using Turn = std::int64_t;
inline constexpr Turn kThread = INT64_MAX - 1;

// The moments of all sources of a run. At one, sources act in their order, whichever added it
// first.
class Timeline {
public:
  Time now() const { return now_; }
  void add(Time t, Turn turn, int source, std::coroutine_handle<> job) {
    moments_.emplace(std::tuple{t > now_ ? t : now_, turn, source}, job);
  }
  bool empty() const { return moments_.empty(); }
  // The earliest moment with a waiting job, if there is one.
  Time next() const { return std::get<0>(moments_.begin()->first); }
  void step() {
    const auto earliest = moments_.begin();
    const auto [moment, job] = *earliest;
    now_ = std::get<0>(moment);
    moments_.erase(earliest);
    job.resume();
  }

private:
  Time now_ = 0;
  std::multimap<std::tuple<Time, Turn, int>, std::coroutine_handle<>> moments_;
};

// The timeline as one of its sources has it.
class Schedule {
public:
  explicit Schedule(Timeline &timeline, int source = 0) : timeline_(timeline), source_(source) {}
  Time now() const { return timeline_.now(); }
  void add(Time t, Turn turn, std::coroutine_handle<> job) { timeline_.add(t, turn, source_, job); }
  // `co_await schedule.until(t, turn)`: goes on at t, or now if that is past.
  auto until(Time t, Turn turn) {
    struct Wait {
      Schedule &schedule;
      Time t;
      Turn turn;
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> job) const { schedule.add(t, turn, job); }
      void await_resume() const {}
    };
    return Wait{*this, t, turn};
  }

private:
  Timeline &timeline_;
  int source_;
};

// A sequence of waits that begins immediately. Another may wait for its end.
class [[nodiscard]] Job {
public:
  struct promise_type {
    std::coroutine_handle<> waiting = std::noop_coroutine();
    std::exception_ptr failed;
    bool over = false;

    Job get_return_object() { return Job(Handle::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Next {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(Handle job) noexcept {
          job.promise().over = true;
          return job.promise().waiting;
        }
        void await_resume() noexcept {}
      };
      return Next{};
    }
    void return_void() {}
    void unhandled_exception() { failed = std::current_exception(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Job() = default;
  explicit Job(Handle handle) : handle_(handle) {}
  Job(Job &&other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Job &operator=(Job &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Job() {
    if (handle_)
      handle_.destroy();
  }

  // False of none, too, and of one that is being made.
  bool over() const { return handle_ && handle_.promise().over; }
  bool await_ready() const { return over(); }
  void await_suspend(std::coroutine_handle<> job) const { handle_.promise().waiting = job; }
  void await_resume() const {
    if (handle_.promise().failed)
      std::rethrow_exception(handle_.promise().failed);
  }

private:
  Handle handle_;
};

// A number of places. A job without a free place waits, in the order of requests: `co_await
// places.take(turn)`.
class Places {
public:
  Places(Schedule &schedule, int count) : schedule_(schedule), free_(count) {}
  auto take(Turn turn) {
    struct Wait {
      Places &places;
      Turn turn;
      bool await_ready() const {
        if (places.free_ == 0)
          return false;
        --places.free_;
        return true;
      }
      void await_suspend(std::coroutine_handle<> job) const {
        places.waiting_.emplace_back(turn, job);
      }
      void await_resume() const {}
    };
    return Wait{*this, turn};
  }
  void give() {
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    schedule_.add(schedule_.now(), waiting_.front().first, waiting_.front().second);
    waiting_.pop_front();
  }

private:
  Schedule &schedule_;
  int free_;
  std::deque<std::pair<Turn, std::coroutine_handle<>>> waiting_;
};

// One after the other by number: `co_await queue.mine(n, turn)` goes on when n - 1 has gone.
class Queue {
public:
  explicit Queue(Schedule &schedule) : schedule_(schedule) {}
  int join() { return last_++; }
  bool is_mine(int number) const { return number == next_; }
  auto mine(int number, Turn turn) {
    struct Wait {
      Queue &queue;
      int number;
      Turn turn;
      bool await_ready() const { return queue.is_mine(number); }
      void await_suspend(std::coroutine_handle<> job) const {
        queue.waiting_[number] = {turn, job};
      }
      void await_resume() const {}
    };
    return Wait{*this, number, turn};
  }
  void go() {
    const auto found = waiting_.find(++next_);
    if (found == waiting_.end())
      return;
    schedule_.add(schedule_.now(), found->second.first, found->second.second);
    waiting_.erase(found);
  }

private:
  Schedule &schedule_;
  int last_ = 0, next_ = 0;
  std::map<int, std::pair<Turn, std::coroutine_handle<>>> waiting_;
};

// A clock, by its edges.
struct Edges {
  Time period = 1, phase = 0;
  // The first edge at or after t. Edges are at phase, and at whole periods before and after it.
  Time at_or_after(Time t) const {
    Time edge = phase % period + t / period * period;
    while (edge >= t + period)
      edge -= period;
    while (edge < t)
      edge += period;
    return edge;
  }
  Time next(Time t) const { return at_or_after(t + 1); }
};

} // namespace axm::sources
