// A DRAM that a source shares with all that is in a run: it asks there for each burst.
#pragma once

#include <deque>

#include "axiometer/model/open_run.hpp"
#include "memory.hpp"

namespace axm::sources {

// Where accesses of one direction lie: `byte` of the source, within `region` from `base` on.
struct Buffer {
  int stream = -1; // of none, nothing is asked for
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
    std::deque<std::pair<Turn, std::coroutine_handle<>>> waiting; // in the order of asking
  };

  OpenRun &run_;
  Schedule &schedule_;
  Time clock_;
  Way read_, write_;
};

} // namespace axm::sources
