#include "stepped.hpp"

#include <bit>
#include <stdexcept>

#include "machine.hpp"

namespace axm::plain {

namespace {

const SystemConfig &checked(const SystemConfig &c) {
  for (const PortConfig &p : c.ports)
    if (p.width_bytes > p.part_bytes)
      throw std::invalid_argument("ports." + p.name + ".part_bytes: must be at least a beat");
  return c;
}

class Stepped final : public SteppedChip {
public:
  Stepped(const SystemConfig &c, const RepeatStart &start)
      : clocks_(c.clocks), machine_(checked(c), start) {
    for (Master &m : machine_.masters())
      m.open();
  }

  bool takes_write_beat(std::size_t stream, int begins) const override {
    return machine_.masters()[stream].takes_write_beat(now_, begins > 0);
  }
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override {
    Master &m = machine_.masters()[stream];
    if (begins)
      m.ask({begins->address, begins->beats, begins->beat_bytes}, now_);
    m.drive(moves, takes_response, now_);
    driven_ |= std::uint64_t{1} << stream;
  }
  void step() override {
    machine_.pl_cycle(now_);
    ++now_;
    for (; driven_ != 0; driven_ &= driven_ - 1)
      machine_.masters()[static_cast<std::size_t>(std::countr_zero(driven_))].rest();
    // The DRAM's edges from this PL edge to before the next.
    const Clk end = clocks_.clk_at(now_);
    machine_.dram_edges(next_clk_, end);
    next_clk_ = end;
    std::uint64_t due = 0, bit = 1;
    for (const Master &m : machine_.masters()) {
      due |= m.is_due(now_) ? bit : 0;
      bit <<= 1;
    }
    due_ = due;
  }
  RepeatResult result(Trace *trace) override { return machine_.result(trace); }

private:
  ClockRatio clocks_;
  Machine machine_;
  std::uint64_t driven_ = 0; // streams whose engines act in this cycle, a bit each
  Clk next_clk_ = 0;
};

} // namespace

std::unique_ptr<SteppedChip> step(const SystemConfig &config, const RepeatStart &start) {
  return std::make_unique<Stepped>(config, start);
}

} // namespace axm::plain
