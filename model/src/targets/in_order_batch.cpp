// Read/write switching by batches: up to `batch` column commands of one
// direction while the other waits, then the other. Models the single-port
// front end of the Cyclone V's controller, whose manual documents reordering
// with a starvation limit but not its grouping of directions.
#include "event_part.hpp"

namespace axm {

namespace {

class InOrderBatch {
public:
  static constexpr const char *kName = "in-order-batch";
  struct Keys {
    int batch = 1;
    Windows windows;
  };
  explicit InOrderBatch(const Keys &keys) : batch_(keys.batch) {}

  Dir mode() const { return mode_; }
  bool high_first() const { return false; }
  void filled(int, Clk) {}
  bool served(int, int columns, bool, Clk, Clk) {
    served_ += columns;
    return served_ >= batch_;
  }

  Dir decide(bool read_waits, bool write_waits, Clk, bool = false) {
    const bool waits[2] = {read_waits, write_waits};
    const Dir o = other(mode_);
    if (waits[o] && (!waits[mode_] || served_ >= batch_)) {
      mode_ = o;
      served_ = 0;
    }
    return mode_;
  }
  Clk next_change(Clk) const { return kNever; }
  Clk next_change_of_three(Clk) const { return kNever; }

  template <class Archive> void visit(Archive &ar, bool, bool, bool) {
    ar.small(mode_);
    served_ = served_ < batch_ ? served_ : batch_; // beyond the limit it makes no difference
    ar.small(served_);
  }

private:
  int batch_;
  Dir mode_ = kRead;
  int served_ = 0;
};

const Registered<ControllerPart>
    in_order_batch(event_part<InOrderBatch>([](const KeyVisitor &v, ControllerConfig &c) {
      auto &k = c.keys<InOrderBatch::Keys>();
      v("batch", k.batch, {1, kMostCount, "commands"},
        "column commands of one direction while the other waits");
      visit(v, k.windows);
    }));

} // namespace

} // namespace axm
