// See every.hpp.
#include "every.hpp"
#include "episode.hpp"

namespace {

constexpr std::uint64_t source_base = 0x12'0000'0000, target_base = 0x34'0000'0000,
                        slot_bytes = 0x1000;

// A transfer and the beat of each side that is answered with a fault, or none.
struct Case {
  Plan plan;
  int read_fault = -1, write_fault = -1;
};

unsigned beats_of(std::uint64_t address, unsigned bytes, unsigned width) {
  return (address % width + bytes + width - 1) / width;
}

class Cases {
public:
  explicit Cases(const Bench &bench)
      : width_(bench.width), step_(bench.unaligned ? 1 : bench.width) {
    for (unsigned bytes = step_; bytes <= 3 * width_; bytes += step_)
      if (counts(bytes))
        lengths_.push_back(bytes);
    if (bench.unaligned)
      lengths_.push_back(131);
    for (unsigned lane = 0; lane < width_; lane += step_)
      if (counts(lane))
        lanes_.push_back(lane);
  }

  std::vector<Case> reads() const {
    std::vector<Case> found;
    for (const unsigned from : lanes_)
      for (const unsigned bytes : lengths_)
        for (int fault = -1; fault < static_cast<int>(beats_of(from, bytes, width_)); ++fault)
          found.push_back({.plan = {.from = from, .bytes = bytes, .last = bytes % 2 != 0},
                           .read_fault = fault});
    return found;
  }

  // From a stream: also packets that end before, at and behind the transfer's end.
  std::vector<Case> writes() const {
    std::vector<Case> found;
    for (const unsigned to : lanes_)
      for (const unsigned bytes : lengths_) {
        const Plan plan{.to = to, .bytes = bytes, .stream = bytes};
        for (int fault = -1; fault < static_cast<int>(beats_of(to, bytes, width_)); ++fault)
          found.push_back({.plan = plan, .write_fault = fault});
        for (unsigned stream = 1; stream <= (bytes + width_ - 1) / width_ * width_; ++stream) {
          Case ends{.plan = plan};
          ends.plan.stream = stream;
          ends.plan.packet = true;
          found.push_back(ends);
        }
      }
    return found;
  }

  std::vector<Case> copies() const {
    std::vector<Case> found;
    for (const unsigned from : lanes_)
      for (const unsigned to : lanes_)
        for (const unsigned bytes : lengths_) {
          const Plan plan{.from = from, .to = to, .bytes = bytes, .stream = bytes};
          found.push_back({.plan = plan});
          for (int at = 0; at < static_cast<int>(beats_of(from, bytes, width_)); ++at)
            found.push_back({.plan = plan, .read_fault = at});
          for (int at = 0; at < static_cast<int>(beats_of(to, bytes, width_)); ++at)
            found.push_back({.plan = plan, .write_fault = at});
        }
    return found;
  }

private:
  // Of a wide bus, addresses at words of 64 bits and beside them.
  bool counts(unsigned byte) const { return width_ <= 8 || (byte + 1) % 8 <= 2; }

  unsigned width_, step_;
  std::vector<unsigned> lengths_, lanes_;
};

// Moves a case to its own place; its faults go into the batch.
Plan placed(const Case &one, unsigned slot, unsigned width, Batch &batch) {
  constexpr unsigned slverr = 2;
  Plan plan = one.plan;
  plan.from += source_base + slot * slot_bytes;
  plan.to += target_base + slot * slot_bytes;
  const auto beat = [&](std::uint64_t address, int number) {
    return address / width * width + static_cast<unsigned>(number) * width;
  };
  if (one.read_fault >= 0)
    batch.read_faults[beat(plan.from, one.read_fault)] = slverr;
  if (one.write_fault >= 0)
    batch.write_faults[beat(plan.to, one.write_fault)] = slverr;
  return plan;
}

} // namespace

std::uint64_t every_small_transfer(Bench &bench, std::map<std::string, std::uint64_t> &codes) {
  const Cases cases(bench);
  const auto reads = bench.has_read && !bench.copy ? cases.reads() : std::vector<Case>{};
  const auto writes = bench.copy        ? cases.copies()
                      : bench.has_write ? cases.writes()
                                        : std::vector<Case>{};
  std::uint64_t count = 0, number = 0;
  const auto all = [&](unsigned burst, bool whole_burst) {
    for (std::size_t at = 0; at < std::max(reads.size(), writes.size()); at += bench.queue) {
      Batch batch;
      batch.burst = burst;
      batch.whole_burst = whole_burst;
      for (unsigned slot = 0; slot < bench.queue; ++slot) {
        if (at + slot < reads.size())
          batch.reads.push_back(placed(reads[at + slot], slot, bench.width, batch));
        if (at + slot < writes.size())
          batch.writes.push_back(placed(writes[at + slot], slot, bench.width, batch));
      }
      Episode episode(bench, batch, ++number);
      episode.work(codes);
      count += episode.transfers();
    }
  };
  for (const unsigned burst : {1u, 2u, 16u})
    for (const bool whole_burst : {false, true})
      all(burst, whole_burst);
  return count;
}
