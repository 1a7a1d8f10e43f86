// A slave port of the processor's side as masters outside meet it: the same interconnect, port and
// DRAM that the model's own masters in the fabric meet (processor/slave_port.hpp).
#include <deque>
#include <utility>

#include "axiometer/model/processor/slave_port.hpp"
#include "axiometer/model/stepped_chip.hpp"

namespace axm {

namespace {

// Edges of the fabric's clock count from the origin, refreshes from their phase.
processor::Config from(processor::Config side, const SteppedStart &start) {
  const auto period = side.clocks.pl;
  side.clocks.pl_phase = (start.origin % period + period) % period;
  side.memory.refresh_phase = start.refresh_phase;
  return side;
}

class SteppedPort final : public SteppedChip {
public:
  SteppedPort(const processor::Config &side, const SteppedStart &start)
      : side_(from(side, start)), memory_(side_.memory, side_.clocks), port_(side_, memory_),
        origin_(start.origin) {
    books_.launch = start.launch.empty() ? 0 : start.launch.front();
    books_.end = books_.launch;
  }

  bool takes_write_beat(std::size_t, int begins) const override {
    if (writing_ == bursts_.size()) // its address comes with it
      return begins > 0 && port_.first_beat_cycles(begins) == 0;
    const Burst &b = bursts_[writing_];
    if (b.moved == 0)
      return now_ >= b.begin + port_.first_beat_cycles(b.beats);
    return b.moved > 1 || now_ >= b.first_beat + port_.second_beat_cycles();
  }

  void drive(std::size_t, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override {
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

  void step() override {
    if (!driven_)
      drive(0, std::nullopt, false, false);
    driven_ = false;
    if (spent_)
      ++books_.stats.classes[*spent_];
    else
      ++idle_;
    ++now_;
    const bool begun = side_.to_fabric ? !bursts_.empty() : writing_ > 0;
    due_ = begun && now_ >= bursts_.front().due ? 1 : 0;
  }

  RepeatResult result(Trace *) override {
    RepeatResult r;
    r.cycles = books_.end;
    r.clocks = books_.end * side_.clocks.pl / side_.clocks.ddr;
    r.streams.push_back(books_);
    r.beats = beats_;
    return r;
  }

private:
  struct Burst {
    Cycle begin = 0;
    int beats = 1, bytes = 4;
    int moved = 0;
    Cycle first_beat = 0;
    Cycle due = kNever; // its first beat, or its response
    processor::Trail trail;
  };

  // What leaves the master in this cycle is on its way from the next edge on.
  void serve(Burst &b) {
    const std::int64_t period = side_.clocks.pl;
    b.due = (port_.serve(origin_ + (now_ + 1) * period, b.bytes, b.trail) - origin_) / period;
  }

  void finish() {
    const Burst &b = bursts_.front();
    const Cycle latency = now_ - b.begin;
    ++books_.stats.bursts;
    books_.stats.latency_sum += latency;
    ++books_.stats.latency[Histogram::bin(latency)];
    books_.bytes += static_cast<std::uint64_t>(b.bytes);
    books_.end = now_ + 1;
    bursts_.pop_front();
  }

  // What the oldest burst does while no beat moves.
  StreamClass waits_for(const Burst &b) const {
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

  processor::Config side_;
  processor::Memory memory_;
  processor::SlavePort port_;
  std::int64_t origin_;
  std::deque<Burst> bursts_;         // from address to last beat or response
  std::size_t writing_ = 0;          // of these, the one whose beats come
  bool driven_ = false;              // in this cycle
  std::optional<StreamClass> spent_; // what this cycle goes to; none: no burst is under way
  std::optional<std::pair<Cycle, Cycle>> beats_;
  Cycle idle_ = 0; // cycles since the last burst ended
  StreamResult books_;
};

} // namespace

std::unique_ptr<SteppedChip> make_stepped(const processor::Config &side,
                                          const SteppedStart &start) {
  return std::make_unique<SteppedPort>(side, start);
}

} // namespace axm
