// Limits of the interrupt (COALESCE) and of time (TIMEOUT): chosen, changed while transfers are
// under way, and what they must do to what waits.
#include "episode.hpp"

namespace {

constexpr unsigned most = 255, unit = 64; // of COUNT, no batch has as many; clocks

std::uint32_t coalesce(unsigned count, unsigned time) {
  return AXM_PUT(count, AXM_DMA_COALESCE__COUNT) | AXM_PUT(time, AXM_DMA_COALESCE__TIME);
}

} // namespace

void Episode::choose_limits() {
  // Without a limit the waiting rest is reported, and the next batch begins with nothing.
  bench_.write(AXM_DMA_COALESCE, 0);
  bench_.steps(2);
  bench_.write(AXM_DMA_IRQ_STATUS, AXM_DMA_IRQ_STATUS__DONE_MASK | AXM_DMA_IRQ_STATUS__FAULT_MASK);
  shaken_ = chance_.percent(40);
  bench_.write(AXM_DMA_COALESCE, coalesce(most, 0));
  // A slave that answers is never silent for a period of 512 clocks.
  // After a break the way back takes a silent period: longer than the batch takes to be submitted.
  bench_.write(AXM_DMA_TIMEOUT, kind_ == Kind::broken ? 16 : chance_.percent(50) ? 8 : 0);
}

// Any limits under which a slave that answers has time enough.
void Episode::change_limits() {
  if (!drawn_ || !chance_.percent(15))
    return;
  static constexpr unsigned times[] = {8, 9, 16, 1000, 65535, 0};
  if (kind_ != Kind::broken) // its slave is silent, and the batch shorter than that
    bench_.write(AXM_DMA_TIMEOUT, times[chance_.between(0, 5)]);
  if (shaken_)
    bench_.write(AXM_DMA_COALESCE, coalesce(chance_.between(0, most), chance_.between(0, 20)));
}

// Before a channel hangs, or a while after it: as the time-out may be set when it is too late.
void Episode::shorten_time() {
  bench_.steps(chance_.percent(50) ? 0 : chance_.between(0, 700));
  bench_.write(AXM_DMA_TIMEOUT, 2);
}

// The number of completions with an interrupt.
std::uint32_t Episode::completions() const {
  std::uint32_t count = 0;
  for (const auto *jobs : {&reads_, &writes_})
    for (const Job &job : *jobs)
      count += job.done && !job.quiet;
  return count;
}

// All is done. What waits for an interrupt gets it when a limit falls to it, and nothing else does.
void Episode::check_limits() {
  const auto told = [&] {
    return (bench_.read(AXM_DMA_IRQ_STATUS) & AXM_DMA_IRQ_STATUS__DONE_MASK) != 0;
  };
  // The last completions of a bus that was reset were perhaps written back, and not counted.
  const bool known = kind_ != Kind::hang_reset || !by_rings_;
  const std::uint32_t waiting = completions();
  bench_.write(AXM_DMA_COALESCE, coalesce(most, 0)); // no interrupt comes by itself any more
  if (told()) {
    if (!shaken_)
      wrong("an interrupt came that nothing asked for");
    return;
  }
  if (!known)
    return;
  const unsigned count = chance_.between(0, waiting + 2), time = chance_.between(1, 4);
  if (chance_.percent(50)) {
    bench_.write(AXM_DMA_COALESCE, coalesce(count, 0));
    bench_.steps(2);
    const bool enough = waiting != 0 && waiting >= count;
    if (told() != enough)
      wrong(std::to_string(waiting) + " completions wait, COUNT is now " + std::to_string(count) +
            (enough ? ", and no interrupt comes" : ", and an interrupt came"));
    if (enough)
      return;
  }
  bench_.write(AXM_DMA_COALESCE, coalesce(most, time));
  bench_.steps(time * unit + 2);
  if (told() != (waiting != 0))
    wrong(std::to_string(waiting) + " completions wait, TIME is now " + std::to_string(time) +
          (waiting ? ", and no interrupt comes" : ", and an interrupt came"));
}
