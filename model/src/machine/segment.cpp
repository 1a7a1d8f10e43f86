#include "axiometer/model/machine/segment.hpp"

#include <algorithm>

namespace axm {

void Sums::add(const Sums &o, std::int64_t times) {
  for (int i = 0; i < kBusClasses; ++i)
    dram.classes[i] += times * o.dram.classes[i];
  for (int i = 0; i < kDramCounts; ++i)
    dram.counts[i] += times * o.dram.counts[i];
  for (std::size_t s = 0; s < streams.size(); ++s) {
    for (int i = 0; i < kStreamClasses; ++i)
      streams[s].classes[i] += times * o.streams[s].classes[i];
    streams[s].bursts += times * o.streams[s].bursts;
    streams[s].latency_sum += times * o.streams[s].latency_sum;
  }
}

void Contribution::add(const Contribution &o) {
  sums.add(o.sums, 1);
  const auto before = [](const Latency &a, const Latency &b) {
    return a.stream != b.stream ? a.stream < b.stream : a.bin < b.bin;
  };
  std::vector<Latency> all;
  std::merge(latencies.begin(), latencies.end(), o.latencies.begin(), o.latencies.end(),
             std::back_inserter(all), before);
  latencies.clear();
  for (const Latency &l : all)
    if (!latencies.empty() && latencies.back().stream == l.stream && latencies.back().bin == l.bin)
      latencies.back().count += l.count;
    else
      latencies.push_back(l);
}

Bytes Contribution::packed() const {
  Bytes out;
  for (const std::int64_t v : sums.dram.classes)
    pack(out, v);
  for (const std::int64_t v : sums.dram.counts)
    pack(out, v);
  for (const Sums::OfStream &s : sums.streams) {
    for (const std::int64_t v : s.classes)
      pack(out, v);
    pack(out, s.bursts);
    pack(out, s.latency_sum);
  }
  int stream = 0, bin = 0;
  for (const Latency &l : latencies) {
    // The next bin of the same stream is positive; a new stream is coded as its distance, negative.
    if (l.stream != stream) {
      pack(out, stream - l.stream);
      bin = 0;
    }
    pack(out, l.bin - bin);
    pack(out, l.count);
    stream = l.stream;
    bin = l.bin;
  }
  return {out.begin(), out.end()}; // no larger than it needs to be
}

void Contribution::unpack(const Bytes &bytes, std::size_t streams) {
  Unpacker in(bytes);
  for (std::int64_t &v : sums.dram.classes)
    v = in.get();
  for (std::int64_t &v : sums.dram.counts)
    v = in.get();
  sums.streams.resize(streams);
  for (Sums::OfStream &s : sums.streams) {
    for (std::int64_t &v : s.classes)
      v = in.get();
    s.bursts = in.get();
    s.latency_sum = in.get();
  }
  latencies.clear();
  std::int64_t stream = 0, bin = 0;
  while (!in.done()) {
    std::int64_t step = in.get();
    if (step < 0) {
      stream -= step;
      bin = 0;
      step = in.get();
    }
    bin += step;
    latencies.push_back(
        {static_cast<std::uint16_t>(stream), static_cast<std::uint16_t>(bin), in.get()});
  }
}

std::size_t Segment::bytes() const {
  // Each block of the heap takes some bytes more than what is in it.
  constexpr std::size_t kBlock = 16;
  std::size_t n =
      steps.size() * sizeof(Step) + contribution.size() + (contribution.empty() ? 0 : 2 * kBlock);
  if (traced != nullptr)
    n += sizeof(Traced) + traced->trace.size() * sizeof(TraceEntry) + traced->positions.size() * 8;
  return n;
}

void Segment::join(const Segment &later, const StreamClocks &of, const DramConfig &dram) {
  Contribution mine, its;
  mine.unpack(contribution, steps.size());
  its.unpack(later.contribution, steps.size());
  mine.add(its);
  contribution = mine.packed();
  if (traced != nullptr && later.traced != nullptr) {
    std::vector<std::uint64_t> there = traced->positions;
    for (std::size_t k = 0; k < there.size(); ++k)
      there[k] += static_cast<std::uint64_t>(std::int64_t{steps[k].bytes});
    replay(*later.traced, traced->at + clocks, there, dram, traced->trace);
  } else {
    traced = nullptr;
  }
  Unpacker in(key);
  std::vector<std::int64_t> phases;
  for (std::size_t p = 0; p < of.several(); ++p)
    phases.push_back(in.get());
  std::int64_t latest = 0; // the later segment's start, in base units
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Cycle before = (phases[of.which(k)] + clocks * of.ddr()) / of.period(k);
    latest = std::max(latest, before * of.period(k));
    Step &a = steps[k];
    const Step &b = later.steps[k];
    a.issued = a.bursts + b.issued;
    if (b.bursts != 0)
      a.end = static_cast<std::int32_t>(before) + b.end;
    a.bursts += b.bursts;
    a.parts += b.parts;
    a.bytes += b.bytes;
  }
  ahead = std::max(ahead, latest + later.ahead);
  clocks += later.clocks;
  intervals += later.intervals;
  next = later.next;
}

void replay(const Segment::Traced &from, Clk at, const std::vector<std::uint64_t> &positions,
            const DramConfig &dram, Trace &out) {
  const auto banks = static_cast<std::int64_t>(dram.banks);
  for (TraceEntry e : from.trace) {
    e.clk += at - from.at;
    if (e.command != Command::refresh && e.command != Command::precharge_all) {
      const auto shift = static_cast<std::int64_t>(positions[e.stream] - from.positions[e.stream]) /
                         dram.row_bytes;
      const std::int64_t page = e.row * banks + e.bank + shift;
      e.bank = static_cast<std::uint8_t>(page & (banks - 1));
      if (e.command != Command::precharge)
        e.row = static_cast<std::uint32_t>(page / banks);
    }
    out.push_back(e);
  }
}

} // namespace axm
