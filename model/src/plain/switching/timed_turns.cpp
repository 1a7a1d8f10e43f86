// Turns by time, clock by clock.
#include "../switching.hpp"

namespace axm::plain {

namespace {

class TimedTurns final : public Switching {
public:
  explicit TimedTurns(const ControllerConfig &c)
      : time_{c.number("read_time"), c.number("write_time")} {}

  void clock(Clk now, const bool (&)[3]) override { now_ = now; }
  void served(int, int, bool, Clk) override {}

  bool turn(Dir mode, bool mode_waits) override {
    if (mode_waits && (time_[mode] == 0 || now_ < began_ + time_[mode]))
      return false;
    began_ = now_;
    return true;
  }

  Clk next_change(Clk now) const override {
    Next next(now);
    for (const Clk time : time_)
      next.may_be(began_ + time);
    return next.at();
  }

private:
  Clk time_[2];
  Clk now_ = 0, began_ = 0; // the latest turn
};

const Registered<PlainTwin> timed_turns(twin<TimedTurns>("timed-turns"));

} // namespace

} // namespace axm::plain
