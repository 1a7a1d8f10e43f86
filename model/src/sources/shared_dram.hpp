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
  // `clock`: the period of the DRAM's; waiting: bursts of all sources there.
  SharedDram(OpenRun &run, Schedule &schedule, Time clock, Buffer read, Buffer write, int &waiting)
      : run_(run), schedule_(schedule), clock_(clock), read_{read, {}}, write_{write, {}},
        waiting_(waiting) {}

  std::optional<Time> serve(const Access &, Time) override { return {}; }
  void ask(const Access &a, Turn turn, std::coroutine_handle<> job, Time back) override;
  void served(const OutsideServed &burst);

private:
  struct Waiting {
    Turn turn;
    std::coroutine_handle<> job;
    Time back;
  };
  struct Way {
    Buffer of;
    std::deque<Waiting> waiting; // in the order of requests
  };

  OpenRun &run_;
  Schedule &schedule_;
  Time clock_;
  Way read_, write_;
  int &waiting_;
};

} // namespace axm::sources
