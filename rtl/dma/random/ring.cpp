// Transfers by descriptor rings: what software writes, what it finds written back, and how it ends
// them when something goes wrong.
#include "episode.hpp"

namespace {

struct Registers {
  unsigned control, status, base_lo, base_hi, tail, head;
};
constexpr Registers read_ring{AXM_DMA_RD_RING_CONTROL, AXM_DMA_RD_RING_STATUS,
                              AXM_DMA_RD_RING_BASE_LO, AXM_DMA_RD_RING_BASE_HI,
                              AXM_DMA_RD_RING_TAIL,    AXM_DMA_RD_RING_HEAD};
constexpr Registers write_ring{AXM_DMA_WR_RING_CONTROL, AXM_DMA_WR_RING_STATUS,
                               AXM_DMA_WR_RING_BASE_LO, AXM_DMA_WR_RING_BASE_HI,
                               AXM_DMA_WR_RING_TAIL,    AXM_DMA_WR_RING_HEAD};
constexpr unsigned descriptor_bytes = 32, quiet_flag = 2;

} // namespace

struct Episode::Ring {
  const Half &half;
  const Registers &registers;
  std::vector<Job> &jobs;
  std::uint64_t base;
  unsigned log2;
  std::size_t given = 0, done = 0;

  std::size_t entries() const { return std::size_t{1} << log2; }
  std::uint64_t place(std::size_t n) const { return base + n % entries() * descriptor_bytes; }
};

void Episode::open(Ring &ring) {
  bench_.write(ring.registers.base_lo, static_cast<std::uint32_t>(ring.base));
  bench_.write(ring.registers.base_hi, static_cast<std::uint32_t>(ring.base >> 32));
  bench_.write(ring.registers.tail, 0);
  bench_.write(ring.registers.control, 1u | ring.log2 << 8);
}

// Descriptors are given as the ring has places, a few at a time.
void Episode::give(Ring &ring) {
  const std::size_t before = ring.given;
  while (ring.given < ring.jobs.size() && ring.given - ring.done < ring.entries() &&
         chance_.percent(70)) {
    Job &job = ring.jobs[ring.given];
    const Plan &plan = job.plan;
    job.quiet = chance_.percent(50);
    const std::uint64_t at = ring.place(ring.given++);
    const std::uint64_t address = &ring.jobs == &reads_ ? plan.from : plan.to;
    const std::uint32_t words[] = {static_cast<std::uint32_t>(address),
                                   static_cast<std::uint32_t>(address >> 32),
                                   plan.bytes,
                                   plan.last | (job.quiet ? quiet_flag : 0),
                                   static_cast<std::uint32_t>(plan.from),
                                   static_cast<std::uint32_t>(plan.from >> 32),
                                   0,
                                   0};
    for (unsigned n = 0; n < 8; ++n)
      bench_.memory.put_word(at + 4 * n, words[n]);
  }
  if (ring.given != before)
    bench_.write(ring.registers.tail, static_cast<std::uint32_t>(ring.given));
}

// The completions before `head`, each of which must have been written back.
void Episode::take(Ring &ring, std::size_t head) {
  if (head < ring.done || head > ring.given)
    wrong("HEAD is " + std::to_string(head) + " of " + std::to_string(ring.given));
  for (; ring.done < head; ++ring.done) {
    const std::uint32_t status = bench_.memory.word(ring.place(ring.done) + 24);
    if (!(status & AXM_DMA_WR_DONE__VALID_MASK))
      wrong("a descriptor that is done was not written back");
    ring.jobs[ring.done].got = {AXM_GET(status, AXM_DMA_WR_DONE__CODE),
                                bench_.memory.word(ring.place(ring.done) + 28),
                                (status & AXM_DMA_WR_DONE__SOURCE_MASK) != 0,
                                (status & AXM_DMA_WR_DONE__PACKET_END_MASK) != 0};
  }
}

// Both rings work together, until all is done or it is time for a fault.
void Episode::run_rings() {
  bench_.memory.ring.clear();
  std::vector<Ring> rings;
  const auto log2 = [&] { return chance_.between(1, 5); };
  const std::uint64_t base = bench_.memory.ring_base;
  if (!writes_.empty())
    rings.push_back({writing, write_ring, writes_, base, log2()});
  if (!reads_.empty())
    rings.push_back({reading, read_ring, reads_, base + 0x10000, log2()});
  for (Ring &ring : rings)
    open(ring);
  const std::uint64_t give_up = bench_.clock + 400000;
  const std::uint64_t trouble =
      cut() ? bench_.clock + chance_.between(0, chance_.percent(70) ? 250 : 2500) : give_up;
  for (bool busy = true; busy && (kind_ == Kind::broken || bench_.clock < trouble);) {
    busy = false;
    for (Ring &ring : rings) {
      give(ring);
      take(ring, bench_.read(ring.registers.head));
      busy = busy || ring.done < ring.jobs.size();
      if (kind_ == Kind::broken && bench_.read(ring.registers.status))
        return end_rings(rings);
    }
    if (bench_.clock > give_up)
      wrong("a ring stands, at descriptor " + std::to_string(rings[0].done) + " of " +
            std::to_string(rings[0].given) + " of " + std::to_string(rings[0].jobs.size()) +
            ", status " + std::to_string(bench_.read(writing.status)) + ", ring status " +
            std::to_string(bench_.read(AXM_DMA_WR_RING_STATUS)));
    change_limits();
    bench_.steps(chance_.between(0, 40));
  }
  if (kind_ == Kind::reset)
    return bench_.reset();
  if (kind_ == Kind::hang || kind_ == Kind::hang_reset)
    hang_rings();
  if (cut())
    return end_rings(rings);
  for (const Ring &ring : rings)
    bench_.write(ring.registers.control, ring.log2 << 8);
}

// Fetches, data or write-backs hang; waiting users of the channel stop, and answers come late.
void Episode::hang_rings() {
  static constexpr unsigned channels[] = {AR, R, AW, W, B};
  channel_ = bench_.memory.hangs = channels[chance_.between(0, 4)];
  shorten_time();
  // While the other half's data move a ring is patient, and one of the other half may be at its
  // data for long before it waits for this channel.
  if (bench_.copy || (channel_ & (AR | R) ? writes_ : reads_).empty())
    stopped();
  if (chance_.percent(50))
    bench_.steps(3 * 2 * 64 + chance_.between(0, 200));
  if (kind_ == Kind::hang && chance_.percent(50))
    bench_.memory.hangs = 0;
}

// Software ends the rings: an abort and ENABLE cleared in either order, or, if nothing hangs, the
// one without the other. Nothing is written once the halves report rest.
void Episode::end_rings(std::vector<Ring> &rings) {
  auto &memory = bench_.memory;
  bool off = chance_.percent(60);
  const bool abort = kind_ != Kind::abort || !off || chance_.percent(80),
             off_first = chance_.percent(50);
  const auto switch_off = [&] {
    for (const Ring &ring : rings)
      bench_.write(ring.registers.control, ring.log2 << 8);
  };
  if (off && off_first)
    switch_off();
  const bool of_reads = bench_.copy && kind_ == Kind::abort && chance_.percent(50);
  if (abort && (bench_.copy ? of_reads : bench_.has_read))
    bench_.write(reading.control, AXM_DMA_RD_CONTROL__ABORT_MASK);
  if (abort && bench_.has_write && !of_reads)
    bench_.write(writing.control, AXM_DMA_WR_CONTROL__ABORT_MASK);
  if (off && !off_first)
    switch_off();
  bench_.steps(chance_.between(0, chance_.percent(50) ? 4 : 200));
  if (kind_ == Kind::hang_reset)
    reset_bus();
  memory.hangs = 0;
  rest();
  const std::uint64_t writes = memory.beats_written;
  for (Ring &ring : rings) {
    take_rest(ring, off);
    if (abort && !off && !bench_.read(ring.registers.status))
      wrong("an abort has not stopped a ring");
  }
  if (!off)
    switch_off();
  for (const Ring &ring : rings)
    if (bench_.read(ring.registers.head) || bench_.read(ring.registers.status))
      wrong("a ring that rests and is off does not begin anew");
  bench_.steps(chance_.between(0, 200));
  if (memory.beats_written != writes)
    wrong("a half that rests has written");
}

// The results of the submitted descriptors. HEAD is known while the ring is on.
void Episode::take_rest(Ring &ring, bool off) {
  const auto written_back = [&](std::size_t n) {
    return (bench_.memory.word(ring.place(n) + 24) & AXM_DMA_WR_DONE__VALID_MASK) != 0;
  };
  std::size_t done = ring.done;
  while (done < ring.given && written_back(done))
    ++done;
  for (std::size_t n = done; n < ring.given; ++n)
    if (written_back(n))
      wrong("descriptor " + std::to_string(n) + " is done, and one before it is not");
  // The answer to the last write-backs may have been lost with the bus.
  const std::size_t head = off ? done : bench_.read(ring.registers.head);
  if (head > done || (head < done && kind_ != Kind::hang_reset))
    wrong("HEAD is " + std::to_string(head) + ", and " + std::to_string(done) + " are done");
  take(ring, done);
  for (std::size_t n = done; n < ring.jobs.size(); ++n)
    ring.jobs[n].done = false;
}
