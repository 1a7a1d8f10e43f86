// The reports and writes that a DMA engine must make, computed from the transfer and the faults only.
//
// Beats and bursts are followed one by one, as docs/hardware.md and regs/dma.rdl define them; nothing
// here is taken from the RTL. `source`: in a copy, the fault was on the reading side.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "generated/dma.h"

struct Outcome {
  unsigned code = AXM_DMA_CODE_OK;
  std::uint32_t bytes = 0;
  bool source = false, packet = false;
};

struct Plan { // a transfer
  std::uint64_t from = 0, to = 0;
  std::uint32_t bytes = 0;  // asked for
  std::uint32_t stream = 0; // bytes that the stream has for it, which a packet's end may limit
  bool packet = false;      // the stream's last beat for it ends a packet
  bool last = false;        // reading: it ends a packet
};

using Faults = std::map<std::uint64_t, unsigned>;

inline unsigned fault_at(const Faults &faults, std::uint64_t address) {
  const auto found = faults.find(address);
  return found == faults.end() ? 0 : found->second;
}

// Reading: the bytes before the first faulty beat.
inline Outcome predict_read(const Plan &plan, unsigned width, const Faults &faults) {
  const std::uint64_t first = plan.from / width * width;
  for (std::uint64_t at = first; at < plan.from + plan.bytes; at += width)
    if (const unsigned resp = fault_at(faults, at))
      return {resp, at <= plan.from ? 0 : static_cast<std::uint32_t>(at - plan.from), false, false};
  return {AXM_DMA_CODE_OK, plan.bytes, false, false};
}

// A beat that a copy writes is faulty if one of the beats read is from which its bytes come.
inline std::vector<unsigned> stream_faults(const Plan &plan, unsigned width, const Faults &faults) {
  std::vector<unsigned> found;
  const std::uint64_t end = plan.to + plan.bytes;
  for (std::uint64_t beat = plan.to / width * width; beat < end; beat += width) {
    const auto read_from = [&](std::uint64_t byte) {
      return (plan.from + (byte - plan.to)) / width * width;
    };
    const unsigned fault = fault_at(faults, read_from(std::max(beat, plan.to)));
    found.push_back(fault ? fault : fault_at(faults, read_from(std::min(beat + width, end) - 1)));
  }
  return found;
}

// Writing; `stream` has the fault of each beat that a copy writes, or is empty. `kept` gets, for
// each byte of the transfer, whether it is written.
inline Outcome predict_write(const Plan &plan, unsigned width, unsigned longest,
                             const Faults &faults, const std::vector<unsigned> &stream,
                             std::vector<bool> &kept) {
  const std::uint32_t moves = std::min(plan.bytes, plan.stream);
  kept.assign(moves, true);
  const auto fault_of = [&](std::uint64_t beat) { return beat < stream.size() ? stream[beat] : 0; };
  const unsigned shift = plan.to % width;
  for (std::uint32_t i = 0; i < moves; ++i)
    kept[i] = !fault_of((i + shift) / width);
  Outcome outcome{AXM_DMA_CODE_OK, 0, false, plan.packet};
  const std::uint64_t first = plan.to / width * width, end = plan.to + plan.bytes,
                      written_end = plan.to + moves;
  const auto before = [&](std::uint64_t at) {
    return at <= plan.to ? 0 : static_cast<std::uint32_t>(at - plan.to);
  };
  for (std::uint64_t burst = first; burst < written_end;) {
    // The burst ends with its longest length, the page or the transfer; padding is part of it.
    std::uint64_t next = burst;
    do
      next += width;
    while (next < end && next % 4096 && (next - burst) / width < longest);
    unsigned resp = 0, from = 0;
    std::uint64_t from_at = 0;
    for (std::uint64_t at = burst; at < next; at += width) {
      // Each beat may have another answer; the slave's last one is the burst's.
      if (const unsigned here = fault_at(faults, at))
        resp = here;
      if (const unsigned here = fault_of((at - first) / width); here && !from) {
        from = here;
        from_at = at;
      }
    }
    if (resp) {
      outcome.code = resp;
      outcome.bytes = before(burst);
      return outcome;
    }
    if (from) {
      outcome.code = from;
      outcome.source = true;
      outcome.bytes = before(from_at);
      return outcome;
    }
    burst = next;
  }
  outcome.bytes = moves;
  return outcome;
}
