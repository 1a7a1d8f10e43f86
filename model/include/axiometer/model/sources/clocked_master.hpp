// A read or a write engine of a free-running master, as docs/hardware.md ("Traffic generator")
// has it: when bursts begin and where, and the accounting of what it sees. It masters a `Slave`: an
// `Afi`, or another class that takes addresses and moves beats.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "axiometer/model/accounting/clocked_books.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/sources/burst_addresses.hpp"
#include "axiometer/model/sources/pace.hpp"
#include "axiometer/model/sources/ring.hpp"

namespace axm::clocked {

class Master {
public:
  Master(const SystemConfig &c, std::size_t stream)
      : s_(settings(c.streams[stream])), stop_(s_.stop < 0 ? kNever : s_.stop),
        bursts_(s_.outside ? kNever : s_.bursts()), addresses_(s_),
        beat_(c.ports[static_cast<std::size_t>(s_.port)].width_bytes), pace_(s_, beat_),
        may_issue_(s_.outside ? kNever : 0) {}
  void start(Cycle launch, std::uint64_t pattern_seed) {
    launch_ = s_.outside ? 0 : launch;
    job_free_ = reads() ? launch_ : 0;
    pace_.start(launch_);
    addresses_.start(pattern_seed);
    look_from();
  }

  // The other half of a pair with jobs.
  void join(const Master *partner) { partner_ = partner; }

  bool reads() const { return s_.dir == kRead; }
  int port() const { return s_.port; }

  // A cycle of its port, which begins in controller clock `now`: first the address, then, when the
  // slave has been stepped, the data.
  template <class Slave> void begin(Cycle cycle, Slave &slave) {
    if (cycle < begins_from_ || books_.in_flight() >= s_.outstanding)
      return;
    if (reads())
      begin_read(cycle, slave);
    else
      begin_write(cycle, slave);
  }
  template <class Slave> void move(Cycle cycle, Clk now, Slave &slave) {
    while (!answers_.empty() && answers_.front() == cycle)
      complete(cycle);
    StreamClass c = cycle < launch_   ? kLaunch
                    : finished(cycle) ? kDone
                    : reads()         ? move_read(cycle, slave)
                                      : move_write(cycle, now, slave);
    if (c == kMaster && s_.job.bursts > 0 && job_from() > cycle)
      c = kPartner;
    books_.count(c);
  }

  // A burst from outside, whose address is valid in that future cycle. Bursts are served in the
  // order of the calls.
  void ask(Cycle cycle, std::uint64_t address, int bytes) {
    if (asked_.empty()) {
      may_issue_ = cycle;
      look_from();
    }
    asked_.push_back({cycle, address, bytes});
  }
  // The first cycle from `cycle` on, in the future, in which it acts; kNever: none without a new
  // request.
  Cycle wakes(Cycle cycle) const {
    if (s_.outside && books_.in_flight() == 0)
      return std::max(cycle, may_issue_);
    return finished(cycle) ? kNever : cycle;
  }
  // So many cycles from `cycle` on in which it has nothing to do.
  void sleep(Cycle cycle, Cycle cycles) {
    const Cycle before = std::clamp<Cycle>(launch_ - cycle, 0, cycles);
    if (before > 0)
      books_.count(kLaunch, before);
    if (before < cycles)
      books_.count(s_.outside ? kMaster : kDone, cycles - before);
  }

  Books &books() { return books_; }

private:
  struct Asked {
    Cycle cycle = 0;
    std::uint64_t address = 0;
    int bytes = 0;
  };

  // Bursts of an outside stream in flight are limited by the accounting and the interface.
  static StreamConfig settings(StreamConfig s) {
    if (s.outside)
      s.outstanding = Books::kMostOutstanding;
    return s;
  }
  // After a change of one of these: no burst begins before all of them have come.
  void look_from() { begins_from_ = std::max({launch_, may_issue_, pace_.from()}); }
  bool all_begun() const { return books_.issued >= bursts_; }
  // An address that became valid before the stop stays until it is taken.
  bool may_begin(Cycle cycle) const {
    return !all_begun() && books_.in_flight() < s_.outstanding && cycle >= may_issue_ &&
           pace_.from() <= cycle && job_from() <= cycle && (cycle < stop_ || valid_since() < stop_);
  }
  Cycle valid_since() const {
    return std::max({launch_, may_issue_, pace_.from(), room_since_, job_from()});
  }
  // From when on the next burst may begin by its job, and by the FIFO between the halves; kNever:
  // still open.
  Cycle job_from() const {
    if (s_.job.bursts == 0)
      return 0;
    const std::int64_t n = books_.issued, k = n / s_.job.bursts, within = n % s_.job.bursts;
    Cycle from = 0;
    if (reads() && s_.loopback_bursts > 0 && n >= s_.loopback_bursts) // room
      from = after(partner_->last_beat(n - s_.loopback_bursts), 1);
    else if (!reads() && s_.loopback_bursts > 0 &&
             within >= s_.job.fill) // passed on as it was read
      from = after(partner_->last_beat(n), fifo_cycles());
    if (within > 0)
      return from;
    if (reads())
      return std::max(from, after(turn(k), s_.job.setup_cycles));
    const Cycle computed = after(turn(k), s_.job.compute_cycles);
    return computed == kNever ? kNever : std::max(computed, partner_->placed_[at(k)]);
  }
  // From when on job `k` is set up (read) or computed (write).
  Cycle turn(std::int64_t k) const {
    if (!reads())
      return std::max(job_free_, after(partner_->job_moved(k), fifo_cycles()));
    return k < s_.job.ahead ? job_free_
                            : std::max(job_free_, after(partner_->job_moved(k - s_.job.ahead), 1));
  }
  Cycle fifo_cycles() const { return std::max(s_.loopback_cycles, 1); }
  static Cycle after(Cycle cycle, Cycle cycles) {
    return cycle == kNever ? kNever : cycle + cycles;
  }
  Cycle last_beat(std::int64_t burst) const {
    return burst < moved_bursts_ ? beats_[static_cast<std::size_t>(burst % kBursts)] : kNever;
  }
  Cycle job_moved(std::int64_t k) const { return k < jobs_ ? moved_[at(k)] : kNever; }
  // The last beat of a burst has moved.
  void moved(Cycle cycle) {
    if (s_.job.bursts == 0)
      return;
    beats_[static_cast<std::size_t>(moved_bursts_ % kBursts)] = cycle;
    if (moved_bursts_++ % s_.job.bursts == (reads() ? s_.job.fill : s_.job.bursts) - 1)
      moved_[at(jobs_++)] = cycle;
  }
  // The first burst of job `k` begins.
  void begun(std::int64_t k) {
    const Cycle own = reads() ? s_.job.setup_cycles + s_.job.place_cycles : s_.job.compute_cycles;
    placed_[at(k)] = job_free_ = turn(k) + own;
  }
  bool finished(Cycle cycle) const {
    return (cycle >= stop_ || all_begun()) && books_.in_flight() == 0 && !may_begin(cycle);
  }
  template <class Slave> void issue(Cycle cycle, Slave &slave) {
    if (s_.outside)
      return issue_asked(cycle, slave);
    slave.address(addresses_.at(books_.issued), s_.bytes_of(books_.issued, beat_));
    if (s_.job.bursts > 0 && books_.issued % s_.job.bursts == 0)
      begun(books_.issued / s_.job.bursts);
    if (pace_.any())
      pace_.begun(cycle);
    books_.begin(cycle);
    addresses_.advance();
  }
  template <class Slave> void issue_asked(Cycle cycle, Slave &slave) {
    slave.address(asked_.front().address, asked_.front().bytes);
    books_.begin(cycle);
    asked_.pop_front();
    may_issue_ = asked_.empty() ? kNever : asked_.front().cycle;
  }
  template <class Slave> void begin_read(Cycle cycle, Slave &slave) {
    if (!may_begin(cycle) || !slave.takes_address())
      return;
    // A read's gap counts from when its address became valid, however late it was taken.
    const Cycle valid = valid_since();
    issue(cycle, slave);
    may_issue_ = std::max(may_issue_, cycle + 1);
    if (s_.gap_cycles > 0)
      may_issue_ = std::max(may_issue_, valid + (s_.burst_bytes + beat_ - 1) / beat_ +
                                            static_cast<Cycle>(s_.gap_cycles));
    look_from();
  }
  template <class Slave> StreamClass move_read(Cycle cycle, Slave &slave) {
    if (!slave.read_beat())
      return slave.waits_for();
    if (slave.take_beat()) {
      moved(cycle);
      answered(cycle);
    }
    return kData;
  }
  template <class Slave> void begin_write(Cycle cycle, Slave &slave) {
    if (sending_ || !may_begin(cycle) || !slave.takes_address())
      return;
    issue(cycle, slave);
    sending_ = true;
    begins_from_ = kNever; // until its last beat has moved, or one more is asked for
  }
  template <class Slave> StreamClass move_write(Cycle cycle, Clk now, Slave &slave) {
    if (slave.response(now)) {
      slave.take_response();
      answered(cycle);
    }
    if (!sending_)
      return kMaster;
    if (!slave.takes_write_beat())
      return slave.waits_for();
    if (slave.write_beat(now)) {
      sending_ = false;
      moved(cycle);
      may_issue_ = std::max(may_issue_, cycle + 1 + s_.gap_cycles);
      look_from();
    }
    return kData;
  }
  // Its last beat (read) or its response (write) is at the port.
  void answered(Cycle cycle) {
    answers_.push(cycle + s_.between_cycles);
    if (s_.between_cycles == 0)
      complete(cycle);
  }
  // It is at the master.
  void complete(Cycle cycle) {
    answers_.pop();
    if (books_.in_flight() == s_.outstanding)
      room_since_ = cycle + 1;
    books_.complete(cycle);
  }

  StreamConfig s_;
  Cycle stop_;          // from here on no address becomes valid
  std::int64_t bursts_; // in all
  BurstAddresses addresses_;
  int beat_;
  Pace pace_;

  Cycle launch_ = 0;
  Cycle begins_from_ = 0; // see look_from
  bool sending_ = false;  // a write burst has beats left
  Cycle may_issue_;       // gap between bursts; of one from outside, when it is there
  Cycle room_since_ = 0;  // the latest time that bursts in flight were at their limit is over
  Books books_;
  Ring<Cycle, 64> answers_; // on their way from the port to the master
  std::deque<Asked> asked_; // from outside, and not begun

  // Of a half whose work comes in jobs: last beats of the latest bursts, and of the latest jobs, of
  // what is read first (read) or of all (write); when the places of these were ready.
  static constexpr std::int64_t kJobs = 16, kBursts = 64; // more than a pair holds
  static std::size_t at(std::int64_t job) { return static_cast<std::size_t>(job % kJobs); }
  const Master *partner_ = nullptr;
  std::array<Cycle, kBursts> beats_{};
  std::array<Cycle, kJobs> moved_{}, placed_{};
  std::int64_t moved_bursts_ = 0, jobs_ = 0;
  Cycle job_free_ = 0; // the latest job that has begun is set up and placed, or computed
};

} // namespace axm::clocked
