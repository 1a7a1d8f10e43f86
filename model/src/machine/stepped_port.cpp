// A slave port of the processor's side as masters outside meet it: the same interconnect, port and
// DRAM that the model's own masters in the fabric meet (sources/slave_port.hpp).
#include <deque>
#include <utility>
#include <vector>

#include "../sources/slave_port.hpp"
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

class SteppedPort final : public SteppedChip, sources::Beside {
public:
  SteppedPort(const processor::Config &side, const SteppedStart &start)
      : side_(from(side, start)), origin_(start.origin), schedule_(timeline_),
        transactions_(schedule_, true), dram_(side_),
        memory_(schedule_, transactions_, dram_, sources::idle_travel(side_)),
        port_(side_, schedule_, transactions_, memory_) {
    timeline_.use(this);
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
    if (bursts_.empty())
      ++idle_;
    else if (moves)
      ++books_.stats.classes[kData];
    else if (Burst &oldest = bursts_.front(); oldest.served)
      oldest.waits.push_back(now_);
    else
      ++books_.stats.classes[kMaster];
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
    ++now_;
    reach(time_of(now_));
    const bool begun = side_.to_fabric ? !bursts_.empty() : writing_ > 0;
    due_ = begun && bursts_.front().served->over(reached_) ? 1 : 0;
  }

  RepeatResult result(Trace *) override {
    reach(sources::kForever);
    for (const Burst &b : bursts_)
      account(b);
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
    sources::Pending served;  // until its first beat, or its response; none: it is still sent
    std::vector<Cycle> waits; // in which it was the oldest one, and moved no beat
  };

  processor::Time time_of(Cycle cycle) const { return origin_ + cycle * side_.clocks.pl; }
  // Nothing happens later than that: other bursts may come before.
  bool until(processor::Time t) override { return t <= reached_; }
  void reach(processor::Time t) {
    reached_ = t;
    while (!timeline_.empty() && timeline_.next() <= t)
      timeline_.step();
  }

  // What leaves the master in this cycle is on its way from the next edge on.
  void serve(Burst &b) {
    b.served = transactions_.begin([&](sources::Transaction &t) -> sources::Course {
      return port_.serve(t, 0, b.bytes, time_of(now_ + 1));
    });
  }

  void finish() {
    const Burst &b = bursts_.front();
    account(b);
    const Cycle latency = now_ - b.begin;
    ++books_.stats.bursts;
    books_.stats.latency_sum += latency;
    ++books_.stats.latency[Histogram::bin(latency)];
    books_.bytes += static_cast<std::uint64_t>(b.bytes);
    books_.end = now_ + 1;
    bursts_.pop_front();
  }

  // What the oldest burst did while no beat moved.
  void account(const Burst &b) {
    for (const Cycle cycle : b.waits)
      ++books_.stats.classes[waited_for(*b.served, time_of(cycle))];
  }
  static StreamClass waited_for(const sources::Transaction &t, processor::Time now) {
    const processor::Class *const what = t.at(now);
    return !what                               ? kMaster // it was there, and not taken
           : *what == processor::Class::queue  ? kPath
           : *what == processor::Class::memory ? kController
                                               : kLatency;
  }

  processor::Config side_;
  std::int64_t origin_;
  sources::Timeline timeline_;
  sources::Schedule schedule_;
  sources::Books transactions_;
  sources::IdleDram dram_;
  sources::Memory memory_;
  sources::SlavePort port_;
  processor::Time reached_ = 0;
  std::deque<Burst> bursts_; // from address to last beat or response
  std::size_t writing_ = 0;  // of these, the one whose beats come
  bool driven_ = false;      // in this cycle
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
