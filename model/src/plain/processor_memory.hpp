// The DRAM as the processor's side meets it: accesses take its bus in the order in which they
// arrive there.
#pragma once

#include "processor_books.hpp"

namespace axm::plain::processor {

class Memory {
public:
  Memory(const Config &config, Schedule &schedule, Books &books);
  // Ends when the data are back (read), or the answer is (write). `place`: of an access to the
  // driver's buffer, among all to it.
  Job access(Transaction &t, std::int64_t bytes, bool read, std::optional<int> place = {});
  // What is read of the driver's buffer was written before: the place of an access is that of its
  // instruction, the processor's or the DMA engine's.
  int place() { return buffer_.join(); }

private:
  Time past_refresh(Time t);

  const Config &config_;
  Schedule &schedule_;
  Books &books_;
  Time way_there_, way_back_, device_;
  Time bus_free_ = 0;
  Queue buffer_;
  Time refresh_; // when the latest refresh began, or the first one will
};

} // namespace axm::plain::processor
