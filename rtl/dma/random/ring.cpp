// Transfers by descriptor rings: what software writes, and what it finds written back.
#include "episode.hpp"

namespace {

struct Registers {
  unsigned control, base_lo, base_hi, tail, head;
};
constexpr Registers read_ring{AXM_DMA_RD_RING_CONTROL, AXM_DMA_RD_RING_BASE_LO,
                              AXM_DMA_RD_RING_BASE_HI, AXM_DMA_RD_RING_TAIL, AXM_DMA_RD_RING_HEAD};
constexpr Registers write_ring{AXM_DMA_WR_RING_CONTROL, AXM_DMA_WR_RING_BASE_LO,
                               AXM_DMA_WR_RING_BASE_HI, AXM_DMA_WR_RING_TAIL, AXM_DMA_WR_RING_HEAD};
constexpr unsigned descriptor_bytes = 32;

} // namespace

// Descriptors are given as the ring has places, a few at a time; both rings work at once.
void Episode::run_rings() {
  auto &memory = bench_.memory;
  memory.ring.clear();
  const auto word = [&](std::uint64_t address, std::uint32_t value) {
    for (unsigned k = 0; k < 4; ++k)
      memory.ring[address + k] = static_cast<std::uint8_t>(value >> 8 * k);
  };
  const auto found = [&](std::uint64_t address) {
    std::uint32_t value = 0;
    for (unsigned k = 0; k < 4; ++k)
      value |= static_cast<std::uint32_t>(memory.ring[address + k]) << 8 * k;
    return value;
  };
  struct Ring {
    const Registers &registers;
    std::vector<Job> &jobs;
    std::uint64_t base;
    unsigned log2;
    std::size_t given = 0, done = 0;
  };
  std::vector<Ring> rings;
  const auto log2 = [&] { return chance_.between(1, 5); };
  if (!writes_.empty())
    rings.push_back({write_ring, writes_, memory.ring_base, log2()});
  if (!reads_.empty())
    rings.push_back({read_ring, reads_, memory.ring_base + 0x10000, log2()});
  for (const Ring &ring : rings) {
    bench_.write(ring.registers.base_lo, static_cast<std::uint32_t>(ring.base));
    bench_.write(ring.registers.base_hi, static_cast<std::uint32_t>(ring.base >> 32));
    bench_.write(ring.registers.tail, 0);
    bench_.write(ring.registers.control, 1u | ring.log2 << 8);
  }
  const std::uint64_t give_up = bench_.clock + 400000;
  for (bool busy = true; busy;) {
    busy = false;
    for (Ring &ring : rings) {
      const std::size_t entries = std::size_t{1} << ring.log2;
      const auto place = [&](std::size_t n) { return ring.base + n % entries * descriptor_bytes; };
      const std::size_t before = ring.given;
      while (ring.given < ring.jobs.size() && ring.given - ring.done < entries &&
             chance_.percent(70)) {
        const Plan &plan = ring.jobs[ring.given].plan;
        const std::uint64_t at = place(ring.given++);
        const std::uint64_t address = &ring.jobs == &reads_ ? plan.from : plan.to;
        const std::uint32_t words[] = {static_cast<std::uint32_t>(address),
                                       static_cast<std::uint32_t>(address >> 32),
                                       plan.bytes,
                                       plan.last | chance_.between(0, 1) << 1,
                                       static_cast<std::uint32_t>(plan.from),
                                       static_cast<std::uint32_t>(plan.from >> 32),
                                       0,
                                       0};
        for (unsigned n = 0; n < 8; ++n)
          word(at + 4 * n, words[n]);
      }
      if (ring.given != before)
        bench_.write(ring.registers.tail, static_cast<std::uint32_t>(ring.given));
      const std::size_t head = bench_.read(ring.registers.head);
      if (head < ring.done || head > ring.given)
        wrong("HEAD is " + std::to_string(head) + " of " + std::to_string(ring.given));
      for (; ring.done < head; ++ring.done) {
        Outcome &got = ring.jobs[ring.done].got;
        const std::uint32_t status = found(place(ring.done) + 24);
        if (!(status & AXM_DMA_WR_DONE__VALID_MASK))
          wrong("a descriptor that is done was not written back");
        got = {AXM_GET(status, AXM_DMA_WR_DONE__CODE), found(place(ring.done) + 28),
               (status & AXM_DMA_WR_DONE__SOURCE_MASK) != 0,
               (status & AXM_DMA_WR_DONE__PACKET_END_MASK) != 0};
      }
      busy = busy || ring.done < ring.jobs.size();
    }
    if (bench_.clock > give_up)
      wrong("a ring stands, at descriptor " + std::to_string(rings[0].done) + " of " +
            std::to_string(rings[0].given) + " of " + std::to_string(rings[0].jobs.size()) +
            ", status " + std::to_string(bench_.read(writing.status)) + ", ring status " +
            std::to_string(bench_.read(AXM_DMA_WR_RING_STATUS)));
    bench_.steps(chance_.between(0, 40));
  }
  for (const Ring &ring : rings)
    bench_.write(ring.registers.control, ring.log2 << 8);
}
