#include "switching.hpp"

#include <stdexcept>

namespace axm::plain {

namespace {

class ZynqDdrc final : public Switching {
public:
  explicit ZynqDdrc(const ControllerConfig &c) {
    for (const Dir d : {kRead, kWrite})
      store_[d].limits = {0, c.starve_clocks, c.run_length, c.min_non_critical_clocks};
    store_[kHighReads].limits = c.high_priority;
  }

  void clock(Clk now, const bool (&waits)[3]) override {
    for (int d = 0; d < 3; ++d) {
      Store &s = store_[d];
      if (s.state == kHardNonCritical && now >= s.rest_until)
        s.state = kNormal;
      if (s.state == kNormal && waits[d] && now >= s.waits_since + s.limits.starve_clocks) {
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
    if (s.served >= s.limits.run_length) {
      s.state = kHardNonCritical;
      s.rest_until = end + s.limits.min_non_critical_clocks;
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
      next.may_be(s.waits_since + s.limits.starve_clocks);
      next.may_be(s.rest_until);
    }
    return next.at();
  }

private:
  enum State { kNormal, kCritical, kHardNonCritical };
  struct Store {
    HighReadsConfig limits;
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

class InOrderBatch final : public Switching {
public:
  explicit InOrderBatch(const ControllerConfig &c) : batch_(c.batch) {}

  void served(int, int columns, bool, Clk) override { served_ += columns; }

  bool turn(Dir, bool mode_waits) override {
    if (mode_waits && served_ < batch_)
      return false;
    served_ = 0;
    return true;
  }

private:
  int batch_;
  int served_ = 0; // column commands since the latest turn
};

} // namespace

std::unique_ptr<Switching> make_switching(const ControllerConfig &c) {
  if (c.policy == "zynq-ddrc")
    return std::make_unique<ZynqDdrc>(c);
  if (c.policy == "in-order-batch")
    return std::make_unique<InOrderBatch>(c);
  throw std::invalid_argument("the plain model does not support the policy " + c.policy);
}

} // namespace axm::plain
