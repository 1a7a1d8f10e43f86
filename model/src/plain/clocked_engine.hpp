// An engine of Zynq UltraScale+ in the executable specification: when its addresses are valid and
// where its bursts begin, as in docs/hardware.md ("Traffic generator"). It records the class of
// each cycle and every burst that it ever began.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/config.hpp"

namespace axm::plain::clocked {

class Engine {
public:
  struct Burst {
    Cycle begin = kNever; // its address is taken
    Cycle done = kNever;  // its last beat (read), its response (write)
  };

  struct Request {
    Cycle from = 0; // a burst from outside is available from this cycle on
    std::uint64_t address = 0;
    int bytes = 0;
  };

  Engine(const SystemConfig &c, std::size_t stream, const RepeatStart &start);

  const StreamConfig &config() const { return config_; }
  bool reads() const { return config_.dir == kRead; }
  bool launched(Cycle now) const { return now >= launch_; }
  // Its time is over or all its bursts have begun, and nothing is under way.
  bool finished(Cycle now) const {
    return (now >= stop_ || all_begun()) && !asks_ && in_flight() == 0;
  }
  bool all_begun() const {
    return !config_.outside &&
           bursts.size() * static_cast<std::uint64_t>(config_.burst_bytes) >= config_.bytes;
  }
  // It does nothing more by itself.
  bool through(Cycle now) const {
    return config_.outside ? outside.empty() && in_flight() == 0 : finished(now);
  }
  std::size_t in_flight() const { return bursts.size() - complete_; }

  // A cycle begins: an address may become valid, and then stays until it is taken.
  void begin(Cycle now);
  bool asks() const { return asks_; }
  // It is taken.
  Request take_address(Cycle now);
  // Beats of a write are to be sent; the last one is.
  bool sends() const { return sends_; }
  void sent(Cycle now);
  // The oldest burst's last beat or response is at the port.
  void answered(Cycle now);
  // Bursts whose last beat or response is at the engine are complete.
  void completed(Cycle now);
  // The other half of a pair with jobs.
  void join(const Engine *partner) { partner_ = partner; }
  // Whether the next burst waits for a job: for its set-up and room (read), for results and their
  // place (write), or for the FIFO between the halves.
  bool waits_for_job(Cycle now);

  std::deque<Request> outside; // requested and not taken
  std::vector<Burst> bursts;
  std::vector<StreamClass> classes; // of each cycle

private:
  void moved(Cycle now);
  bool has_moved(std::size_t burst, Cycle latest) const;
  void prepare_jobs(Cycle now);
  std::uint64_t address(std::size_t number);
  std::uint64_t random_offset(std::size_t number);

  StreamConfig config_;
  Cycle launch_, stop_;
  int width_, beats_; // bytes of a beat; beats of a burst
  bool asks_ = false, sends_ = false;
  Cycle asked_ = 0, may_ask_ = 0;
  std::int64_t due_ = 0; // by its rate, from the launch on, in cycles / pace_bursts
  std::size_t complete_ = 0;
  std::vector<Cycle> answers_; // when each burst's last beat or response is at the engine
  const Engine *partner_ = nullptr;
  std::vector<Cycle> moved_; // last beats of bursts
  std::vector<Cycle> ready_; // from when on each job may be read, or its results written
  Cycle free_ = 0;           // from when on the next one is set up, or computed
  std::vector<bool> random_; // bits, of which each random address shows 31
};

} // namespace axm::plain::clocked
