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

// What answers. An access takes its turn before `serve` waits for anything, and ends when its data
// are there (read) or it is answered (write).
class Dram {
public:
  virtual ~Dram() = default;
  virtual Job serve(Transaction &t, const Access &a) = 0;
};

// One for this source only, whose rows stay open: the bus, taken in the order of arrival,
// and refresh. A write is answered before its own access.
class IdleDram : public Dram {
public:
  IdleDram(const Config &config, Schedule &schedule);
  Job serve(Transaction &t, const Access &a) override;

private:
  Time past_refresh(Time t);

  const Config &config_;
  Schedule &schedule_;
  Time device_, bus_free_ = 0;
  Time refresh_; // when the latest refresh began, or the first one will
};

// What an access takes on its way, without the DRAM's own time.
struct Travel {
  Time there = 0, back = 0;
};

class Memory {
public:
  Memory(Schedule &schedule, Books &books, Dram &dram, Travel read, Travel write);
  // Ends when the data are back (read), or the answer is (write).
  Job access(Transaction &t, Access a);
  // What is read of the driver's buffer was written before: the place of an access is that of its
  // instruction, the processor's or the DMA engine's.
  int place() { return buffer_.join(); }

private:
  Schedule &schedule_;
  Books &books_;
  Dram &dram_;
  Travel read_, write_;
  Queue buffer_;
};

} // namespace axm::sources
