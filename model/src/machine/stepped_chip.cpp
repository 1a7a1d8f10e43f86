#include "axiometer/model/stepped_chip.hpp"

#include "../plain/stepped.hpp"
#include "axiometer/model/config_limits.hpp"
#include "axiometer/model/machine/clocked_stepped.hpp"
#include "axiometer/model/need.hpp"

namespace axm {

namespace {

std::unique_ptr<SteppedModel> made(const SystemConfig &c, const RepeatStart &start) {
  c.check_closed();
  for (std::size_t i = 0; i < c.ports.size(); ++i)
    need(c.clocks_of(c.ports[i]).pl == c.clocks.pl, key_of("ports", i, "period"),
         "engines outside have the PL's clock");
  check_start(c, start);
  // Not by the list of policies: a co-simulation is built without the other forms of each.
  if (c.controller.policy == kUspDdrc)
    return std::make_unique<clocked::SteppedSystem>(c, start);
  return plain::step(c, start);
}

} // namespace

SteppedChip::SteppedChip(const SystemConfig &c, const RepeatStart &start)
    : model_(made(c, start)) {}

SteppedChip::~SteppedChip() = default;
SteppedChip::SteppedChip(SteppedChip &&) noexcept = default;
SteppedChip &SteppedChip::operator=(SteppedChip &&) noexcept = default;

Cycle SteppedChip::now() const { return model_->now(); }

bool SteppedChip::takes_address(std::size_t stream) const { return model_->takes_address(stream); }

bool SteppedChip::read_beat(std::size_t stream) const { return model_->read_beat(stream); }

bool SteppedChip::takes_write_beat(std::size_t stream, bool burst_begins) const {
  return model_->takes_write_beat(stream, burst_begins);
}

bool SteppedChip::response(std::size_t stream) const { return model_->response(stream); }

void SteppedChip::drive(std::size_t stream, std::optional<BurstRequest> begins, bool moves,
                        bool takes_response) {
  model_->drive(stream, begins, moves, takes_response);
}

void SteppedChip::step() { model_->step(); }

bool SteppedChip::idle() const { return model_->idle(); }

RepeatResult SteppedChip::result(Trace *trace) { return model_->result(trace); }

} // namespace axm
