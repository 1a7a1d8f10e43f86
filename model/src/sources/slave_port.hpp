// A port into which a master in the fabric reads or writes, the interconnect beside the master
// before it and the DRAM behind it. Bursts stay in the order of their issue.
#pragma once

#include "memory.hpp"

namespace axm::sources {

class SlavePort {
public:
  SlavePort(const Config &config, Schedule &schedule, Books &books, Memory &memory);
  // A burst whose last beat (write) or address (read) has just left the master. Ends when its
  // response, or its first beat, is at the master. Called in the order of the bursts.
  Job serve(Transaction &t, std::int64_t byte, std::int64_t bytes);

private:
  Time inside(std::int64_t bytes) const;

  const Config &config_;
  Schedule &schedule_;
  Books &books_;
  Memory &memory_;
  Edges pl_, behind_;
  Places places_;
  Queue into_memory_, answers_;
  Time serial_free_ = 0, answered_ = 0;
};

} // namespace axm::sources
