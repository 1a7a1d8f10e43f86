// One engine of a master and its port, PL cycle by PL cycle and beat by beat.
//
// Reads: a burst's address is issued, `request_cycles` later its parts leave for
// the path, each as soon as it has a place in the port's data FIFO; the data come
// back and leave the FIFO one beat a cycle in the order of the addresses.
// Writes: the beats of a burst enter the FIFO one a cycle, each part once it has
// a place; the parts leave for the path when complete, or with their whole burst.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "axiometer/model/open_run.hpp"
#include "state.hpp"

namespace axm::plain {

class Master {
public:
  // A burst that begins outside: AXI's AxADDR, AxLEN + 1, 2^AxSIZE.
  struct Asked {
    std::uint64_t address = 0;
    int beats = 0;
    int beat_bytes = 0;
  };

  Master(const SystemConfig &c, std::size_t id, const RepeatStart &start);

  // Nothing can happen at the port of an engine outside in a cycle.
  bool rests() const {
    return outside_ && !asked_ && !moves_ &&
           (config_.dir == kWrite ||
            parts_.begin() + static_cast<std::ptrdiff_t>(sent_) == parts_.end());
  }
  // What happens at PL cycle `now`; to be called in this order for all masters.
  void addresses(Cycle now, const Master *partner);   // reads
  void read_beats(Cycle now);                         // reads
  void write_beats(Cycle now, const Master *partner); // writes

  // Of an outside stream: its next burst, and the last cycle of the oldest one that is through and
  // was not reported yet.
  void ask(const OutsideBurst &burst) {
    waiting_.push_back(burst);
    ++total_;
  }
  std::optional<Cycle> tell();

  // From now on the engine is outside, and only the port is here. Before a cycle's
  // events `ask` sets the burst that the engine begins in it, and then `drive` whether it moves a
  // beat and takes a response if there is one to be moved. After them it rests.
  void open() {
    outside_ = true;
    rest();
  }
  void rest() {
    asked_.reset();
    moves_ = false;
  }
  void ask(const Asked &asked, Cycle now);
  void drive(bool moves, bool takes_response, Cycle now) {
    moves_ = moves;
    if (takes_response && is_due(now)) {
      bursts_[responded_++].done = now;
      ++progress_;
      look_what_is_due();
    }
  }
  // A beat of a read, or the response of a write.
  bool is_due(Cycle now) const { return now >= due_from_; }
  // Whether the FIFO takes a beat of a burst that has begun, or that begins now.
  bool takes_write_beat(Cycle now, bool begins) const;

  // The part that waits for the path, or null.
  const Part *offer(Clk now) const;
  // When the part in turn is at the path, maybe before now; kNever if there is none.
  Clk arrives() const { return accepted_ == sent_ ? kNever : parts_[accepted_].ready; }
  std::size_t sent() const { return sent_; }
  void accept(Clk now);
  // Part `index` has been given back by the path at `passed` (may lie ahead).
  void pass(std::size_t index, Clk passed);

  bool complete() const;
  // Nothing happens before another burst is there from outside.
  bool has_nothing() const { return complete() || (config_.outside && all_begun_are_done()); }
  Cycle end() const;
  std::uint64_t bytes() const;

  const StreamConfig &config() const { return config_; }
  const ClockRatio &clocks() const { return clocks_; }
  int path() const { return port_.path; }
  int places() const { return places_; }
  Cycle launch() const { return launch_; }
  std::size_t accepted() const { return accepted_; }
  std::vector<Part> &parts() { return parts_; }
  const std::vector<Part> &parts() const { return parts_; }
  const std::vector<Burst> &bursts() const { return bursts_; }
  BeatTimes beats() const;
  std::int64_t progress() const { return progress_; } // grows whenever something happens

private:
  bool all_begun_are_done() const { return bursts_.empty() || bursts_.back().done != kNever; }
  bool move_beat(Part &p, Cycle now);
  void store_whole_parts(Cycle now);
  void send_what_moved(Cycle from);
  bool held(Cycle now) const;
  void begin_if_possible(Cycle now, const Master *partner);
  void begin(Cycle now, const Master *partner);
  void note_wait(Cycle now);
  void look_what_is_due();
  int cause_of_wait(const Master *partner, bool &port_busy) const;
  bool channel_free(Cycle now) const;
  bool due(Cycle now) const;
  bool fewer_than_outstanding(Cycle now) const;
  bool partner_allows(Cycle now, const Master *partner) const;
  void prepare_jobs(Cycle now, const Master &partner);
  bool job_allows(Cycle now, const Master &partner) const;
  void cut_into_parts();
  void cut(std::uint64_t address, std::uint64_t bytes);
  void cut_what_was_asked();
  Part &add_part(std::uint64_t address, std::uint64_t bytes, int beats);
  std::size_t places_freed(Cycle now) const;
  std::uint64_t address_in_steps(std::uint64_t n) const;
  std::uint64_t next_random_address(); // of the burst that was begun last

  StreamConfig config_;
  PortConfig port_;
  ClockRatio clocks_;
  AddressMap map_;
  int column_bytes_;
  Clk request_clocks_, data_clocks_;
  int places_; // of the port's FIFO, each holds a part
  Cycle launch_, stop_;
  std::uint64_t random_bits_;
  std::int64_t total_; // bursts in all

  // Of each job: when it is set up, and its place for results (reads); computed (writes).
  std::vector<Cycle> set_up_, placed_, computed_;
  std::vector<Burst> bursts_; // that have begun
  std::vector<Part> parts_;   // of these
  BeatTimes beats_;           // before the latest beats without a gap:
  Cycle run_from_ = 0, run_beats_ = 0;
  std::size_t sent_ = 0;     // parts that have left for the path
  std::size_t accepted_ = 0; // parts that have entered the controller
  std::size_t moved_ = 0;    // parts all of whose beats have moved
  int beats_moved_ = 0;      // beats of the next part that have moved
  std::size_t left_ = 0;     // write parts that have left the FIFO
  std::size_t answered_ = 0; // write parts whose data are in the DRAM, in order
  Clk answered_at_ = 0;
  bool channel_was_free_ = false, outstanding_were_fewer_ = false, waited_for_rate_ = false;
  std::int64_t due_ = 0; // by its rate, from the launch on, in cycles / pace_bursts

  std::deque<OutsideBurst> waiting_; // of an outside stream, not yet begun
  std::size_t told_ = 0;             // bursts of it

  Cycle due_from_ = kNever;    // the next beat of a read, or response of a write
  bool outside_ = false;       // the engine, in RTL
  std::optional<Asked> asked_; // of this cycle
  bool moves_ = true;          // in this cycle
  std::size_t responded_ = 0;  // writes whose response has been taken
  std::int64_t progress_ = 0;
};

} // namespace axm::plain
