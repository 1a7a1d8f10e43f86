// Read/write switching by time: a direction keeps the bus for `read_time` or
// `write_time` clocks while the other waits, counted from its turn on, or until
// it has nothing. So does the multiplexer of LiteDRAM
// (github.com/enjoy-digital/litedram, litedram/core/multiplexer.py:
// `anti_starvation`, states READ and WRITE; its defaults are 32 and 16
// controller clocks), a controller for memories at the fabric. Requests of a
// direction are served in order, and rows are opened ahead for the next ones,
// which its bank machines do with their queues.
//
// Limits: LiteDRAM's banks have a queue each, with reads and writes in one
// order, and are served in turns; here a direction has one. Its bank machines
// close a row by themselves.
#include "event_part.hpp"

namespace axm {

namespace {

class TimedTurns {
public:
  static constexpr const char *kName = "timed-turns";
  struct Keys {
    int time[2] = {32, 16};
    Windows windows{1, 8};
  };
  explicit TimedTurns(const Keys &keys)
      : time_{keys.time[kRead], keys.time[kWrite]}, until_(end(0)) {}

  Dir mode() const { return mode_; }
  bool high_first() const { return false; }
  void filled(int, Clk) {}
  bool served(int, int, bool, Clk, Clk) { return false; }

  Dir decide(bool read_waits, bool write_waits, Clk t, bool = false) {
    const bool waits[2] = {read_waits, write_waits};
    if (waits[other(mode_)] && (!waits[mode_] || t >= until_)) {
      mode_ = other(mode_);
      until_ = end(t);
    }
    return mode_;
  }
  Clk next_change(Clk t) const { return until_ > t ? until_ : kNever; }
  Clk next_change_of_three(Clk t) const { return next_change(t); }

  template <class Archive> void visit(Archive &ar, bool, bool, bool) {
    ar.small(mode_);
    ar.clk(until_);
  }

private:
  Clk end(Clk began) const { return time_[mode_] == 0 ? kNever : began + time_[mode_]; }

  int time_[2];
  Dir mode_ = kRead;
  Clk until_; // end of its time
};

const Registered<ControllerPart>
    timed_turns(event_part<TimedTurns>([](const KeyVisitor &v, ControllerConfig &c) {
      auto &k = c.keys<TimedTurns::Keys>();
      v("read_time", k.time[kRead], optional({0, kMostDelay, "DRAM clocks"}),
        "time of reads while writes wait; 0: no limit");
      v("write_time", k.time[kWrite], optional({0, kMostDelay, "DRAM clocks"}),
        "time of writes while reads wait; 0: no limit");
      visit(v, k.windows);
    }));

} // namespace

} // namespace axm
