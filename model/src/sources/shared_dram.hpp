// A DRAM that a source shares with all streams of a run: it requests each burst there.
#pragma once

#include <deque>

#include "axiometer/model/open_run.hpp"
#include "memory.hpp"

namespace axm::sources {

// Addresses of one direction: `byte` of the source, within `region` from `base` on.
struct Buffer {
  int stream = -1; // without one, no request
  std::uint64_t base = 0, region = 1;
};

class SharedDram : public Dram {
public:
  // `clock`: the period of the DRAM's.
  SharedDram(OpenRun &run, Schedule &schedule, Time clock, Buffer read, Buffer write)
      : run_(run), schedule_(schedule), clock_(clock), read_{read, {}}, write_{write, {}} {}

  Job serve(Transaction &t, const Access &a) override;
  bool has(int stream) const { return stream == read_.of.stream || stream == write_.of.stream; }
  void served(const OutsideServed &burst);
  bool waits() const { return !read_.waiting.empty() || !write_.waiting.empty(); }

private:
  struct Way {
    Buffer of;
    std::deque<std::pair<Turn, std::coroutine_handle<>>> waiting; // in the order of requests
  };

  OpenRun &run_;
  Schedule &schedule_;
  Time clock_;
  Way read_, write_;
};

} // namespace axm::sources
