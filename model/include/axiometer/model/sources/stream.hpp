// One engine of a master behind a port: cuts its transfer into bursts, bursts
// into parts, and derives the times at which later parts reach the path from the
// times at which the controller served earlier ones. Work per part, not per beat: a part's
// beats follow one another once the first can move.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/clock_map.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/dram/address.hpp"
#include "axiometer/model/interconnect/path.hpp"
#include "axiometer/model/open_run.hpp"
#include "axiometer/model/sources/burst_addresses.hpp"
#include "axiometer/model/sources/pace.hpp"
#include "axiometer/model/targets/part_queue.hpp"

namespace axm {

// A part on its way: from the moment at which its time of arrival at the path
// is known until its data has left the port (read) or the port's FIFO (write).
struct Flight : InFlight { // part.requested: address issued (read), data complete (write)
  std::uint64_t address = 0;
  Clk ready = 0;      // at the path
  Clk accepted = 0;   // in the controller
  Clk first = kNever; // its column commands
  std::uint32_t bytes = 0;
  std::uint16_t beats = 0;
  bool ends_burst = false;
};

// How many bursts of which stream had a latency of which bin, while `on`. Its size does not
// depend on how long that is.
class LatencyLog {
public:
  bool on = false;

  void begin(std::size_t streams) {
    for (const int at : seen_)
      counts_[static_cast<std::size_t>(at)] = 0;
    seen_.clear();
    counts_.resize(streams * Histogram::kBins);
    on = true;
  }
  [[gnu::noinline]] void note(int stream, int bin) {
    const int at = stream * Histogram::kBins + bin;
    if (counts_[static_cast<std::size_t>(at)]++ == 0)
      seen_.push_back(at);
  }
  // Calls `give(stream, bin, count)` in order.
  template <class Give> void end(Give &&give) {
    on = false;
    std::sort(seen_.begin(), seen_.end());
    for (const int at : seen_)
      give(at / Histogram::kBins, at % Histogram::kBins, counts_[static_cast<std::size_t>(at)]);
  }

private:
  std::vector<std::uint32_t> counts_;
  std::vector<int> seen_;
};

class Stream {
public:
  static constexpr int kRing = 64;   // parts in flight, at most
  static constexpr int kBursts = 64; // bursts outstanding, at most

  Stream(int id, const SystemConfig &c);

  void start(Cycle launch, Cycle stop, std::uint64_t pattern_seed, LatencyLog *log);

  // Of an outside stream: a burst that begins once the port has room for it; complete bursts
  // are reported there.
  void ask(const OutsideBurst &burst) {
    asked_.push_back(burst);
    ++bursts_;
  }
  void tell(std::vector<OutsideServed> *served) { served_ = served; }

  // From the next start on, records beats there; null: nowhere.
  void keep_beats(BeatTimes *beats) { beats_ = beats; }

  int id() const { return id_; }
  Dir dir() const { return s_.dir; }
  int partner() const { return s_.partner; }
  int path() const { return port_.path; }
  // Of each of its parts; 0: they differ.
  int columns() const { return whole_parts_ > 0 ? ring_[0].part.columns : 0; }

  // The next part for the path, if its time of arrival is known.
  bool waiting() const { return accepted_ < visible_; }
  const Flight &head() const { return ring_[accepted_ & parts_mask_]; }

  // What lets a stream proceed, in bits: a place in the port's FIFO came free, a burst is done,
  // the partner has news, or has stopped. One that waits for none of those that happened would
  // find nothing new.
  static constexpr unsigned kPlace = 1, kBurstDone = 2, kPartnerNews = 4, kStopped = 8, kAny = 15;

  // The head enters the controller at `t`.
  template <Dir d> Flight &accept(Clk t);
  // The path gives a part back, in the order in which it took them or in any. Returns what
  // happened. `d`: its direction, here and above.
  template <Dir d, bool in_order> unsigned given(const InFlight &part);

  // Advances as far as known times allow; `partner` is the other half or null.
  template <Dir d> void proceed(const Stream *partner);
  bool waits_for(unsigned happened) const { return (waits_for_ & happened) != 0; }

  // What the partner has not been told: bursts read for the write half, bursts written out for the
  // read half; or that it has stopped.
  unsigned news() { return std::exchange(news_, 0U); }
  bool has_news() const { return news_ != 0; }

  bool complete() const { return bursts_done_ == bursts_; }
  // Complete, and nothing of it is under way any more.
  bool over() const { return complete() && retired_ == filled_; }
  // Whether it has come to its last burst, after which it behaves otherwise.
  bool all_issued() const { return bursts_issued_ == bursts_; }
  Cycle end() const { return end_; }
  std::uint64_t bytes_done() const {
    if (s_.outside)
      return outside_bytes_;
    return std::min<std::uint64_t>(s_.bytes,
                                   static_cast<std::uint64_t>(bursts_done_) * s_.burst_bytes);
  }
  const StreamStats &stats() const { return stats_; }
  StreamStats &stats() { return stats_; }
  Cycle launch() const { return launch_; }

  // Address of the oldest part in flight, to recognise recurrence.
  std::uint64_t position() const {
    return retired_ < filled_ ? ring_[retired_ & parts_mask_].address : next_address_;
  }
  const StreamConfig &config() const { return s_; }
  Flight &flight(std::uint32_t index) { return ring_[index & parts_mask_]; }
  std::int64_t retired() const { return retired_; }
  // How far it is; a state read by `visit` is placed there.
  struct Progress {
    std::int64_t bursts_done, parts_retired;
    std::uint64_t position;
    Cycle end;
  };
  // A few numbers that characterise the state: functions of the values that `visit` writes.
  std::uint64_t fingerprint(Cycle now) const {
    return static_cast<std::uint64_t>(previous_last_ - now) << 24 ^
           static_cast<std::uint64_t>(bursts_issued_ - bursts_done_) << 16 ^
           static_cast<std::uint64_t>(filled_ - retired_) << 8 ^
           static_cast<std::uint64_t>(accepted_ - retired_);
  }
  Progress progress() const { return {bursts_done_, retired_, position(), end_}; }
  // Reading, the state begins at `at`; writing, `at` is its own progress.
  template <class Archive> void visit(Archive &ar, const Progress &at);
  std::int64_t bursts_issued() const { return bursts_issued_; }
  std::int64_t bursts() const { return bursts_; }
  Cycle stop() const { return stop_; }
  Cycle latest_begin() const { return previous_begin_; }
  // Accounts for the rest of the run, which ends at cycle `end`.
  void finish(Cycle end) {
    stats_.classes[kLatency] += end_ - std::max(previous_last_ + 1, launch_);
    stats_.classes[kDone] += end - end_;
  }

private:
  struct Burst {
    Cycle begin = 0;              // address (read), first beat (write)
    Cycle last = 0;               // last beat
    Cycle done = 0;               // last beat (read), response (write), at the master
    int bytes = 0;                // of a burst from outside; else 0
    std::uint8_t cause = kLaunch; // StreamClass of the wait before `begin`
    bool port_busy = false;       // the wait was for the port: beats of others, or its limit
  };

  Burst &burst(std::int64_t n) { return burst_[n & bursts_mask_]; }
  const Burst &burst(std::int64_t n) const { return burst_[n & bursts_mask_]; }
  template <Dir d> bool begin_burst(const Stream *partner) {
    return plain_ ? begin_burst<d, true>(partner) : begin_burst<d, false>(partner);
  }
  template <Dir d, bool plain> bool begin_burst(const Stream *partner);
  bool begin_asked();
  // Of a pair with jobs: the cycle from which on burst n may begin, kNever if still open;
  // and the record of its start.
  template <Dir d> Cycle job_begin(std::int64_t n, const Stream &partner);
  template <Dir d> void job_begun(std::int64_t n);
  Flight &next_part(const Burst &of);
  std::uint64_t begin_address();
  void find_place(std::uint64_t address);
  void locate(Flight &f);
  void open_burst();
  template <Dir d> bool cut_whole(Burst &b);
  template <Dir d> [[gnu::noinline]] void cut(Burst &b, bool opens);
  void stop_after(std::int64_t bursts) {
    news_ |= bursts != bursts_ ? kStopped : 0U;
    bursts_ = bursts;
  }
  template <Dir d> void retire();
  [[gnu::noinline]] void note_beats(Cycle first, Cycle beats);
  [[gnu::noinline]] void wait_for_data(const Flight &f, const Burst &b, Cycle x, Cycle first);
  // At the last beat (read) or the response (write).
  template <Dir d> void complete_burst(Cycle at_port);
  [[gnu::noinline]] void tell_served(const Burst &b) {
    outside_bytes_ += static_cast<std::uint64_t>(b.bytes);
    served_->push_back({id_, clocks_.clk_at(b.done + 1)});
  }

  struct Job {
    Cycle moved = 0;  // last beat of what is read first (read), of all (write)
    Cycle placed = 0; // from when on it may be written (read)
  };
  static constexpr std::int64_t kJobs = 16; // more than a pair holds
  Job &job(std::int64_t k) { return jobs_[static_cast<std::size_t>(k % kJobs)]; }
  const Job &job(std::int64_t k) const { return jobs_[static_cast<std::size_t>(k % kJobs)]; }

  int id_;
  StreamConfig s_;
  PortConfig port_;
  ClockMap clocks_;
  AddressMap map_;
  BurstAddresses addresses_;
  Pace pace_;
  int width_shift_;            // of a beat's bytes
  std::uint64_t page_ = ~0ULL; // the latest part's, whose place is known:
  Location place_{};
  std::int64_t bursts_ = 0;
  int fifo_parts_ = 1;
  // Only the needed part of the rings is used: the rest stays out of the cache.
  std::int64_t parts_mask_ = kRing - 1, bursts_mask_ = kBursts - 1;
  Clk request_clocks_ = 0, data_clocks_ = 0;
  Clk column_clocks_, column_bytes_; // of the path's channel
  Clk part_channel_clocks_ = 0;      // of a whole part there
  bool high_ = false;                // whether its parts are high-priority reads
  bool onward_ = false;              // each burst begins where the one before ends
  // Its bursts begin by nothing but launch, limits, the port and the partner: no jobs and no pace.
  bool plain_ = false;
  // Of how many parts each of its bursts is, if each is whole parts whose beats may follow one
  // another, and they reach the path together; 0: otherwise.
  int whole_parts_ = 0;
  Cycle part_beats_ = 0;       // of those
  unsigned always_ = kStopped; // what it proceeds at in any case

  Cycle launch_ = 0, stop_ = kNever;
  LatencyLog *log_ = nullptr;
  BeatTimes *beats_ = nullptr;

  unsigned waits_for_ = kAny, news_ = 0; // kPlace and so on
  // Bursts: issued (begin known) >= cut into parts >= done.
  std::int64_t bursts_issued_ = 0, bursts_cut_ = 0, bursts_done_ = 0;
  // Parts: filled >= visible at the path >= accepted >= retired.
  std::int64_t filled_ = 0, visible_ = 0, accepted_ = 0, retired_ = 0;
  std::uint64_t next_address_ = 0; // of the next part
  std::uint64_t burst_left_ = 0;   // bytes of the open burst that are not yet in parts
  Cycle previous_begin_ = 0;       // of the latest burst issued
  Cycle previous_last_ = 0;        // latest beat on the data channel
  Clk previous_leave_ = 0;         // latest part to leave the FIFO (write)

  Cycle job_free_ = 0; // from when on the next job may be set up (read), computed (write)
  Cycle job_next_ = 0; // the same once the job has begun that is looked at
  std::array<Job, kJobs> jobs_{};

  std::array<Flight, kRing> ring_;
  // A place in the FIFO: of a read the cycle from which on it is free again; of a write the clocks
  // at which its part was accepted, and left.
  struct Place {
    Clk accepted = 0;
    std::int64_t free = 0;
  };
  std::array<Place, kRing> room_{};
  std::array<Burst, kBursts> burst_;

  Cycle end_ = 0;
  StreamStats stats_;

  // Of an outside stream; rarely touched, so behind the rest.
  std::vector<OutsideServed> *served_ = nullptr;
  std::deque<OutsideBurst> asked_;  // not yet cut into parts
  std::uint64_t outside_bytes_ = 0; // of bursts done
};

} // namespace axm
