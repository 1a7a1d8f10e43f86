#include "port_chip.hpp"

#include <utility>

namespace axm::cosim {

namespace {

// Edges of the fabric's clock count from the origin, refreshes from their phase.
processor::Config at(processor::Config side, const Start &start) {
  const auto period = side.clocks.pl;
  side.clocks.pl_phase = (start.origin % period + period) % period;
  side.memory.refresh_phase = start.refresh_phase;
  return side;
}

} // namespace

PortChip::PortChip(const processor::Config &side, const Start &start)
    : side_(at(side, start)), memory_(side_.memory, side_.clocks), port_(side_, memory_),
      origin_(start.origin) {
  books_.launch = start.launch.empty() ? 0 : start.launch.front();
  books_.end = books_.launch;
}

bool PortChip::takes_write_beat(std::size_t, int begins) const {
  if (writing_ == bursts_.size()) // its address comes with it
    return begins > 0 && port_.first_beat_cycles(begins) == 0;
  const Burst &b = bursts_[writing_];
  if (b.moved == 0)
    return now_ >= b.begin + port_.first_beat_cycles(b.beats);
  return b.moved > 1 || now_ >= b.first_beat + port_.second_beat_cycles();
}

// What leaves the master in this cycle is on its way from the next edge on.
void PortChip::serve(Burst &b) {
  const std::int64_t period = side_.clocks.pl;
  b.due = (port_.serve(origin_ + (now_ + 1) * period, b.bytes, b.trail) - origin_) / period;
}

void PortChip::finish() {
  const Burst &b = bursts_.front();
  const Cycle latency = now_ - b.begin;
  ++books_.stats.bursts;
  books_.stats.latency_sum += latency;
  ++books_.stats.latency[Histogram::bin(latency)];
  books_.bytes += static_cast<std::uint64_t>(b.bytes);
  books_.end = now_ + 1;
  bursts_.pop_front();
}

void PortChip::drive(std::size_t, const std::optional<BurstRequest> &begins, bool moves,
                     bool takes_response) {
  driven_ = true;
  if (moves) {
    if (!beats_)
      beats_.emplace(now_, now_);
    beats_->second = now_;
  }
  if (begins) {
    if (bursts_.empty())
      books_.stats.classes[now_ <= books_.launch ? kLaunch : kMaster] += std::exchange(idle_, 0);
    Burst b;
    b.begin = now_;
    b.beats = begins->beats;
    b.bytes = begins->beats * begins->beat_bytes;
    if (side_.to_fabric)
      serve(b);
    bursts_.push_back(std::move(b));
  }
  if (moves && !side_.to_fabric) {
    Burst &b = bursts_[writing_];
    if (b.moved == 0)
      b.first_beat = now_;
    if (++b.moved == b.beats) {
      serve(b);
      ++writing_;
    }
  }
  spent_.reset();
  if (!bursts_.empty())
    spent_ = moves ? kData : waits_for(bursts_.front());
  if (moves && side_.to_fabric && ++bursts_.front().moved == bursts_.front().beats)
    finish();
  if (takes_response) {
    finish();
    --writing_;
  }
}

// What the oldest burst does while no beat moves.
StreamClass PortChip::waits_for(const Burst &b) const {
  const std::int64_t now = origin_ + now_ * side_.clocks.pl;
  if (b.due == kNever)
    return kMaster;
  for (const processor::Leg &leg : b.trail.legs())
    if (now < leg.until)
      return leg.what == processor::Class::queue    ? kPath
             : leg.what == processor::Class::memory ? kController
                                                    : kLatency;
  return kMaster; // it is there, and not taken
}

void PortChip::step() {
  if (!driven_)
    drive(0, std::nullopt, false, false);
  driven_ = false;
  if (spent_)
    ++books_.stats.classes[*spent_];
  else
    ++idle_;
  ++now_;
  due_ = has_beat() || has_response() ? 1 : 0;
}

RepeatResult PortChip::result(Trace *) {
  RepeatResult r;
  r.cycles = books_.end;
  r.clocks = books_.end * side_.clocks.pl / side_.clocks.ddr;
  r.streams.push_back(books_);
  r.beats = beats_;
  return r;
}

} // namespace axm::cosim
