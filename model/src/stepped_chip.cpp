#include "axiometer/model/stepped_chip.hpp"

#include <algorithm>
#include <stdexcept>

#include "plain/machine.hpp"

namespace axm {

struct SteppedChip::State {
  ClockRatio clocks;
  plain::Machine machine;
  Cycle now = 0;
  Clk next_clk = 0;
};

namespace {

const SystemConfig &checked(const SystemConfig &c) {
  c.check();
  for (const PortConfig &p : c.ports)
    if (p.width_bytes > p.part_bytes)
      throw std::invalid_argument("ports." + p.name + ".part_bytes: must be at least a beat");
  return c;
}

} // namespace

SteppedChip::SteppedChip(const SystemConfig &c, const RepeatStart &start)
    : state_(new State{c.clocks, plain::Machine(checked(c), start)}) {
  for (plain::Master &m : state_->machine.masters())
    m.open();
}

SteppedChip::~SteppedChip() = default;
SteppedChip::SteppedChip(SteppedChip &&) noexcept = default;
SteppedChip &SteppedChip::operator=(SteppedChip &&) noexcept = default;

Cycle SteppedChip::now() const { return state_->now; }

bool SteppedChip::read_beat(std::size_t stream) const {
  return state_->machine.masters()[stream].read_beat_due(state_->now);
}

bool SteppedChip::takes_write_beat(std::size_t stream, bool burst_begins) const {
  return state_->machine.masters()[stream].takes_write_beat(state_->now, burst_begins);
}

bool SteppedChip::response(std::size_t stream) const {
  const plain::Master &m = state_->machine.masters()[stream];
  return m.config().dir == kWrite && m.response_due(state_->now);
}

void SteppedChip::drive(std::size_t stream, std::optional<BurstRequest> begins, bool moves,
                        bool takes_response) {
  std::optional<plain::Master::Asked> asked;
  if (begins)
    asked = plain::Master::Asked{begins->address, begins->beats, begins->beat_bytes};
  state_->machine.masters()[stream].drive(asked, moves, takes_response, state_->now);
}

void SteppedChip::step() {
  State &s = *state_;
  s.machine.pl_edge(s.now);
  ++s.now;
  // The DRAM's edges from this PL edge to before the next.
  for (; s.next_clk * s.clocks.ddr < s.now * s.clocks.pl; ++s.next_clk)
    s.machine.dram_edge(s.next_clk);
}

bool SteppedChip::idle() const {
  const auto complete = [](const plain::Master &m) { return m.complete(); };
  return std::ranges::all_of(state_->machine.masters(), complete) &&
         state_->machine.controller_idle();
}

RepeatResult SteppedChip::result(Trace *trace) { return state_->machine.result(trace); }

} // namespace axm
