// Batches of either direction, clock by clock.
#include "../switching.hpp"

namespace axm::plain {

namespace {

class InOrderBatch final : public Switching {
public:
  explicit InOrderBatch(const ControllerConfig &c) : batch_(c.number("batch")) {}

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

const Registered<PlainTwin> in_order_batch(twin<InOrderBatch>("in-order-batch"));

} // namespace

} // namespace axm::plain
