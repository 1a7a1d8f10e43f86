// A schedule of sources: moments in the order of time, and jobs that wait for them. A job is
// written as a plain sequence of waits (a coroutine), so that several go on side by side and always
// meet in the order of time.
//
// Purpose      Time that only ever goes forward, one moment after the other. The running job goes
//              on at once where nothing else comes before its next moment: a lone source hardly
//              needs the list.
// Limits       The list is short: a moment is put into its place from the end of it.
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "axiometer/model/transfer_run.hpp"

namespace axm::sources {

namespace side = axm::processor; // the processor's side: configuration, classes and outcome
using side::Class;
using side::Config;
using side::Time;

// At one moment, transactions go in the order in which they were begun, and after them the thread
// (of the processor, of its DMA engine) that begins others.
using Turn = std::int64_t;
inline constexpr Turn kThread = INT64_MAX - 1;

// Memory of jobs, by their size. What is given back is taken again; `clear` gives all of it back.
class Frames {
public:
  static void *take(std::size_t bytes) {
    const std::size_t size = size_of(bytes);
    if (size >= kSizes)
      return ::operator new(bytes);
    Free *const frame = free_[size];
    if (!frame)
      return ::operator new(size * kStep);
    free_[size] = frame->next;
    return frame;
  }
  static void give(void *frame, std::size_t bytes) {
    const std::size_t size = size_of(bytes);
    if (size >= kSizes)
      return ::operator delete(frame);
    free_[size] = new (frame) Free{free_[size]};
  }
  static void clear() {
    for (Free *&first : free_)
      while (first)
        ::operator delete(std::exchange(first, first->next));
  }

private:
  struct Free {
    Free *next;
  };
  static constexpr std::size_t kStep = 64, kSizes = 32;
  static std::size_t size_of(std::size_t bytes) { return (bytes + kStep - 1) / kStep; }
  static inline thread_local constinit Free *free_[kSizes] = {};
};

// What happens beside all sources, and has to come before a moment of theirs.
class Beside {
public:
  virtual ~Beside() = default;
  // Lets happen what comes before `t`; its moments are added. False if the run is to end.
  virtual bool until(Time t) = 0;
};

// The moments of all sources of a run. At one, sources act in their order, whichever added it
// first.
class Timeline {
public:
  Timeline() = default;
  ~Timeline() { Frames::clear(); } // all jobs are over
  Timeline(const Timeline &) = delete;
  Timeline &operator=(const Timeline &) = delete;

  Time now() const { return now_; }
  // The latest moment of all, one that nothing waits for included.
  Time end() const { return std::max(now_, end_); }
  void reach(Time t) { end_ = std::max(end_, t); }
  void use(Beside *beside) { beside_ = beside; }

  void add(Time t, Turn turn, int source, std::coroutine_handle<> job) {
    if (first_ > kPast + (moments_.size() - first_)) {
      moments_.erase(moments_.begin(), moments_.begin() + first_);
      first_ = 0;
    }
    const Moment added{std::max(t, now_), turn, source, job};
    auto place = moments_.end(); // most are later than all others
    while (place != moments_.begin() + first_ && before(added, *(place - 1)))
      --place;
    moments_.insert(place, added);
  }
  // Time goes on to `t`, for the job that runs: unless another one's moment comes before. False:
  // the job has to wait.
  bool pass(Time t, Turn turn, int source) {
    const Moment mine{std::max(t, now_), turn, source, {}};
    if (held_ > 0 || !comes_first(mine))
      return false;
    if (beside_ && !(beside_->until(mine.t) && comes_first(mine)))
      return false;
    now_ = mine.t;
    return true;
  }
  bool empty() const { return first_ == moments_.size(); }
  // The earliest moment with a waiting job, if there is one.
  Time next() const { return moments_[first_].t; }
  void step() {
    const Moment earliest = moments_[first_++];
    now_ = earliest.t;
    earliest.job.resume();
  }

  // While it lives, time stands still: a job begins another, and goes on itself.
  class Hold {
  public:
    explicit Hold(Timeline &timeline) : held_(timeline.held_) { ++held_; }
    ~Hold() { --held_; }
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

  private:
    int &held_;
  };

private:
  struct Moment {
    Time t;
    Turn turn;
    int source;
    std::coroutine_handle<> job;
  };
  static bool before(const Moment &a, const Moment &b) {
    if (a.t != b.t)
      return a.t < b.t;
    return a.turn != b.turn ? a.turn < b.turn : a.source < b.source;
  }
  bool comes_first(const Moment &m) const { return empty() || before(m, moments_[first_]); }

  Time now_ = 0, end_ = 0;
  int held_ = 0;
  Beside *beside_ = nullptr;
  std::vector<Moment> moments_; // in order, from `first_` on
  std::size_t first_ = 0;
  static constexpr std::size_t kPast = 32; // moments that are kept though they are over
};

// The timeline as one of its sources has it.
class Schedule {
public:
  explicit Schedule(Timeline &timeline, int source = 0) : timeline_(timeline), source_(source) {}
  Time now() const { return timeline_.now(); }
  void add(Time t, Turn turn, std::coroutine_handle<> job) { timeline_.add(t, turn, source_, job); }
  bool pass(Time t, Turn turn) { return timeline_.pass(t, turn, source_); }
  Timeline &timeline() { return timeline_; }
  // `co_await schedule.until(t, turn)`: goes on at t, or now if that is past.
  auto until(Time t, Turn turn) {
    struct Wait {
      Schedule &schedule;
      Time t;
      Turn turn;
      bool await_ready() const { return schedule.pass(t, turn); }
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
    // Where a thread waits: for its own turn, at the end that the job has told or now.
    Schedule *schedule = nullptr;
    const Time *end = nullptr;
    std::exception_ptr failed;
    bool over = false;

    static void *operator new(std::size_t bytes) { return Frames::take(bytes); }
    static void operator delete(void *frame, std::size_t bytes) { Frames::give(frame, bytes); }
    Job get_return_object() { return Job(Handle::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Next {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(Handle job) noexcept {
          promise_type &p = job.promise();
          p.over = true;
          if (!p.schedule || p.schedule->pass(*p.end, kThread))
            return p.waiting;
          p.schedule->add(*p.end, kThread, p.waiting);
          return std::noop_coroutine();
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

  explicit operator bool() const { return static_cast<bool>(handle_); }
  // False of none, too, and of one that is being made.
  bool over() const { return handle_ && handle_.promise().over; }
  bool await_ready() const { return over(); }
  void await_suspend(std::coroutine_handle<> job) const { handle_.promise().waiting = job; }
  void await_resume() const {
    if (handle_.promise().failed)
      std::rethrow_exception(handle_.promise().failed);
  }
  // A thread waits for its end, which is `end`, or earlier.
  void wake(Schedule &schedule, const Time &end, std::coroutine_handle<> thread) const {
    promise_type &p = handle_.promise();
    p.waiting = thread;
    p.schedule = &schedule;
    p.end = &end;
  }

private:
  Handle handle_;
};

// What follows from an access: its end, or, if that is not known yet, the job that will know it.
struct [[nodiscard]] Course {
  Course(Time known) : end(known) {} // NOLINT: either is one
  Course(Job &&unknown) : job(std::move(unknown)) {}
  Time end = 0;
  Job job;
};

// `co_await follow(course, ...)`: goes on at its end.
inline auto follow(Course course, Schedule &schedule, Turn turn) {
  struct Wait {
    Course course;
    Schedule &schedule;
    Turn turn;
    bool await_ready() const {
      return course.job ? course.job.over() : schedule.pass(course.end, turn);
    }
    void await_suspend(std::coroutine_handle<> job) const {
      if (course.job)
        course.job.await_suspend(job);
      else
        schedule.add(course.end, turn, job);
    }
    void await_resume() const {
      if (course.job)
        course.job.await_resume();
    }
  };
  return Wait{std::move(course), schedule, turn};
}

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
  bool empty() const { return next_ == last_; }
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
    ++next_;
    if (waiting_.empty())
      return;
    const auto found = waiting_.find(next_);
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

// A clock, by its edges: at phase, and at whole periods before and after it.
struct Edges {
  Time period = 1, phase = 0;
  // The first edge at or after t.
  Time at_or_after(Time t) const {
    const Time past = (t - phase) % period;
    return past > 0 ? t + period - past : t - past;
  }
};

} // namespace axm::sources
