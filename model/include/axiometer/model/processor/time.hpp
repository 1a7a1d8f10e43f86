// Time of the processor's side: an integer count of a unit of which every clock's period is a
// whole multiple, the clocks, and the classes of a wait.
//
// Purpose      Clock edges without rounding; a Trail records a transaction's steps and their ends;
// the
//              Ledger puts each moment of the waiting initiator into exactly one class.
// Limits       One initiator a ledger. Times are below 2^62 units.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace axm::processor {

using Time = std::int64_t;

struct Clock {
  Time period = 1;
  Time phase = 0; // 0 to period - 1: where its edges lie

  // The first edge at or after t, and that n periods later.
  Time edge(Time t) const {
    const Time past = ((t - phase) % period + period) % period;
    return past == 0 ? t : t + period - past;
  }
  Time after(Time t, int n) const { return edge(t) + n * period; }
};

// What a moment is spent on.
enum class Class {
  software,      // the processor runs instructions
  fetch,         // it waits for instructions that no cache holds
  system,        // system calls, mapping of pages, interrupts
  copy,          // the operating system copies between user and kernel
  cache_control, // lines are cleaned or invalidated
  setup,         // registers and programs of a DMA engine
  engine,        // the DMA engine runs its own instructions
  interconnect,  // a transaction is in the interconnect of the processor's side
  crossing,      // it waits for the clock of the other side
  fabric,        // it is with a slave or a master in the fabric
  data,          // beats move one a cycle at the fabric's end
  memory,        // it is with the DRAM
  queue,         // it waits behind earlier ones
};
inline constexpr int kClasses = 13;
extern const std::array<const char *, kClasses> kClassNames;

// What one transaction does, in order: each leg ends at `until`.
struct Leg {
  Time until;
  Class what;
};

class Trail {
public:
  Trail() { legs_.reserve(16); } // most have fewer
  void clear() { legs_.clear(); }
  void add(Time until, Class what) { legs_.push_back({until, what}); }
  const std::vector<Leg> &legs() const { return legs_; }

private:
  std::vector<Leg> legs_;
};

// The time of one initiator. `now` only grows, and every step of it is in one class.
class Ledger {
public:
  explicit Ledger(Time start = 0) : start_(start), now_(start) {}

  Time now() const { return now_; }
  Time elapsed() const { return now_ - start_; }
  Time in(Class what) const { return spent_[static_cast<int>(what)]; }

  void spend(Time length, Class what) {
    const Time end = now_ + length;
    while (!beside_.empty() && beside_.front().first < end) {
      book(std::max(now_, beside_.front().first), whole_.value_or(what));
      if (beside_.front().second > end) {
        book(end, Class::data);
        return;
      }
      book(std::max(now_, beside_.front().second), Class::data);
      beside_.pop_front();
    }
    book(end, whole_.value_or(what));
  }
  // From here on everything is booked as `what`; without one, as what it is.
  void book_whole(std::optional<Class> what) { whole_ = what; }
  void until(Time t, Class what) {
    if (t > now_)
      spend(t - now_, what);
  }
  // Waits for `end`: time that overlaps with the trail has the trail's class, the rest is queueing.
  void wait(Time end, const Trail &trail) {
    for (const Leg &leg : trail.legs())
      until(std::min(leg.until, end), leg.what);
    until(end, Class::queue);
  }

  // An engine moves data from `from` to `to`, whatever its initiator does meanwhile: that time is
  // data. Calls come in the order of time.
  void moves_data(Time from, Time to) {
    if (!beside_.empty())
      from = std::max(from, beside_.back().second);
    if (from < to)
      beside_.emplace_back(from, to);
  }

private:
  void book(Time end, Class what) {
    spent_[static_cast<int>(what)] += end - now_;
    now_ = end;
  }
  Time start_, now_;
  std::array<Time, kClasses> spent_{};
  std::optional<Class> whole_;
  std::deque<std::pair<Time, Time>> beside_;
};

} // namespace axm::processor
