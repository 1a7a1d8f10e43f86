// The DDR controller of the Zynq-7000, clock by clock.
#include "../switching.hpp"

namespace axm::plain {

namespace {

class ZynqDdrc final : public Switching {
public:
  explicit ZynqDdrc(const ControllerConfig &c) {
    for (const int store : {0, 1, kHighReads}) {
      const std::string high = store == kHighReads ? "high_" : "";
      store_[store].starve_clocks = c.number(high + "starve_clocks");
      store_[store].run_length = c.number(high + "run_length");
      store_[store].min_non_critical_clocks = c.number(high + "min_non_critical_clocks");
    }
  }

  void clock(Clk now, const bool (&waits)[3]) override {
    for (int d = 0; d < 3; ++d) {
      Store &s = store_[d];
      if (s.state == kHardNonCritical && now >= s.rest_until)
        s.state = kNormal;
      if (s.state == kNormal && waits[d] && now >= s.waits_since + s.starve_clocks) {
        s.state = kCritical;
        s.served = 0;
      }
    }
  }

  void store_filled(int store, Clk now) override { store_[store].waits_since = now; }

  void served(int store, int columns, bool now_empty, Clk end) override {
    Store &s = store_[store];
    s.waits_since = end;
    if (s.state != kCritical)
      return;
    s.served += columns;
    if (s.served >= s.run_length) {
      s.state = kHardNonCritical;
      s.rest_until = end + s.min_non_critical_clocks;
    } else if (now_empty) {
      s.state = kNormal;
    }
  }

  bool turn(Dir mode, bool mode_waits) override {
    if (!mode_waits)
      return true;
    return critical(other(mode)) && !critical(mode);
  }

  bool high_first() const override {
    return store_[kHighReads].state == kCritical || store_[kRead].state != kCritical;
  }

  Clk next_change(Clk now) const override {
    Next next(now);
    for (const Store &s : store_) {
      next.may_be(s.waits_since + s.starve_clocks);
      next.may_be(s.rest_until);
    }
    return next.at();
  }

private:
  enum State { kNormal, kCritical, kHardNonCritical };
  struct Store {
    int starve_clocks = 0, run_length = 0, min_non_critical_clocks = 0;
    State state = kNormal;
    Clk waits_since = 0;
    int served = 0; // column commands since it is critical
    Clk rest_until = 0;
  };
  bool critical(Dir d) const {
    return store_[d].state == kCritical || (d == kRead && store_[kHighReads].state == kCritical);
  }
  Store store_[3];
};

const Registered<PlainTwin> zynq_ddrc(twin<ZynqDdrc>("zynq-ddrc"));

} // namespace

} // namespace axm::plain
