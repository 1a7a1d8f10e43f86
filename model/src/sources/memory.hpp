// The memory as one source meets it: the way there, its buffers, and what answers behind it.
#pragma once

#include "books.hpp"

namespace axm::sources {

// `byte` of what is read or written; `place`: of an access to the driver's buffer, among all to it;
// part: of a burst whose latency its master notes.
struct Access {
  std::int64_t byte = 0;
  std::int64_t bytes = 0;
  bool read = true;
  std::optional<int> place = {};
  bool part = false;
};

// What answers. Accesses come in the order of their arrival.
class Dram {
public:
  virtual ~Dram() = default;
  // When the data of an access that arrives then leave (read), or when it is answered (write).
  // None: that depends on others, and `ask` has to be called when it arrives.
  virtual std::optional<Time> serve(const Access &a, Time arrives) = 0;
  // Goes on with `job` so long after the end of an access that arrives now.
  virtual void ask(const Access &a, Turn turn, std::coroutine_handle<> job, Time back) = 0;
};

// One for this source only, whose rows stay open: the bus, taken in the order of arrival,
// and refresh. A write is answered before its own access.
class IdleDram : public Dram {
public:
  explicit IdleDram(const Config &config);
  std::optional<Time> serve(const Access &a, Time arrives) override;
  void ask(const Access &, Turn, std::coroutine_handle<>, Time) override {}

private:
  Time past_refresh(Time t);

  Time device_, burst_, refresh_length_, refresh_interval_;
  std::int64_t column_bytes_;
  Time bus_free_ = 0;
  Time refresh_; // when the latest refresh began, or the first one will
};

// What an access takes on its way, without the DRAM's own time.
struct Travel {
  Time there = 0, back = 0;
};

// Of a source with an IdleDram: what a load takes beside the device's own time, half of it each
// way.
Travel idle_travel(const Config &config);

// Limits: where the DRAM knows an access's end, reads and writes travel there equally long.
class Memory {
public:
  Memory(Schedule &schedule, Books &books, Dram &dram, Travel read, Travel write);
  Memory(Schedule &schedule, Books &books, Dram &dram, Travel both)
      : Memory(schedule, books, dram, both, both) {}
  // Ends when the data are back (read), or the answer is (write). `from`: when it is issued, if
  // that is later than now.
  Course access(Transaction &t, const Access &a, Time from = 0);
  // What is read of the driver's buffer was written before: the place of an access is that of its
  // instruction, the processor's or the DMA engine's.
  int place() { return buffer_.join(); }

private:
  std::optional<Time> known(Transaction &t, const Access &a, Time from);
  Job later(Transaction &t, Access a, Time from);
  Time over(Transaction &t, const Access &a, Time from, Time left);

  Schedule &schedule_;
  Books &books_;
  Dram &dram_;
  Travel read_, write_;
  Queue buffer_;
  Time placed_ = 0; // when the latest access with a place arrived
};

} // namespace axm::sources
