#include "results.hpp"

#include "axiometer/model/need.hpp"

using namespace nanobind::literals;

namespace axm::binding {

namespace {

template <class Names, class Values> nb::dict named(const Names &names, const Values &values) {
  nb::dict d;
  for (std::size_t i = 0; i < names.size(); ++i)
    d[names[i]] = values[i];
  return d;
}

nb::dict beats(const BeatTimes &b) {
  nb::dict between;
  for (const auto &[cycles, times] : b.between)
    between[nb::int_(cycles)] = times;
  nb::dict d;
  d["count"] = b.count;
  d["first"] = b.first;
  d["last"] = b.last;
  d["between"] = between;
  return d;
}

} // namespace

nb::dict result(const RepeatResult &r, bool with_beats) {
  nb::list streams;
  for (const auto &s : r.streams) {
    need(!with_beats || s.beats, "beats",
         "the model of this controller does not record when beats moved");
    nb::list latency;
    for (int b = 0; b < Histogram::kBins; ++b)
      if (s.stats.latency[b] != 0)
        latency.append(nb::make_tuple(Histogram::value(b), s.stats.latency[b]));
    nb::dict d;
    d["launch"] = s.launch;
    d["end"] = s.end;
    d["bytes"] = s.bytes;
    if (s.payload >= 0)
      d["payload"] = s.payload;
    d["bursts"] = s.stats.bursts;
    d["latency_sum"] = s.stats.latency_sum;
    d["latency"] = latency;
    d["longest_wait"] = s.stats.longest_wait;
    d["classes"] = named(kStreamClassNames, s.stats.classes);
    if (with_beats)
      d["beats"] = beats(*s.beats);
    streams.append(d);
  }
  nb::dict d;
  d["clocks"] = r.clocks;
  d["cycles"] = r.cycles;
  d["classes"] = named(kBusClassNames, r.dram.classes);
  d["counts"] = named(kDramCountNames, r.dram.counts);
  d["streams"] = streams;
  if (r.measured) {
    nb::dict part;
    part["begins"] = r.begins;
    part["half_width"] = r.half_width;
    part["settled"] = r.settled;
    part["may_drift"] = r.may_drift;
    d["measured"] = part;
  }
  d["intervals"] = r.intervals;
  d["skipped_intervals"] = r.skipped_intervals;
  return d;
}

nb::list commands(const Trace &trace) {
  static const char *const names[] = {"ACT", "PRE", "PREA", "RD", "WR", "REF"};
  nb::list out;
  for (const auto &e : trace)
    out.append(nb::make_tuple(e.clk, names[static_cast<int>(e.command)], e.bank, e.row, e.column));
  return out;
}

} // namespace axm::binding
