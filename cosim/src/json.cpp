#include "json.hpp"

#include <sstream>

namespace axm::cosim {

namespace {

template <class Names, class Values>
void named(std::ostream &out, const Names &names, const Values &values) {
  out << '{';
  for (std::size_t i = 0; i < names.size(); ++i)
    out << (i == 0 ? "" : ",") << '"' << names[i] << "\":" << values[i];
  out << '}';
}

// Without its last brace.
void stream(std::ostream &out, const StreamResult &s) {
  out << "{\"launch\":" << s.launch << ",\"end\":" << s.end << ",\"bytes\":" << s.bytes
      << ",\"bursts\":" << s.stats.bursts << ",\"latency_sum\":" << s.stats.latency_sum
      << ",\"longest_wait\":" << s.stats.longest_wait << ",\"classes\":";
  named(out, kStreamClassNames, s.stats.classes);
  out << ",\"latency\":[";
  bool first = true;
  for (int b = 0; b < Histogram::kBins; ++b)
    if (s.stats.latency[b] != 0) {
      out << (first ? "" : ",") << '[' << Histogram::value(b) << ',' << s.stats.latency[b] << ']';
      first = false;
    }
  out << ']';
}

} // namespace

std::string json(const RepeatResult &r) {
  std::ostringstream out;
  out << "{\"clocks\":" << r.clocks << ",\"cycles\":" << r.cycles << ",\"classes\":";
  named(out, kBusClassNames, r.dram.classes);
  out << ",\"counts\":";
  named(out, kDramCountNames, r.dram.counts);
  if (r.measured) {
    // Enough digits to distinguish neighbouring numbers.
    const auto digits = out.precision(17);
    out << ",\"measured\":{\"begins\":" << r.begins << ",\"half_width\":" << r.half_width
        << ",\"settled\":" << (r.settled ? "true" : "false")
        << ",\"may_drift\":" << (r.may_drift ? "true" : "false") << '}';
    out.precision(digits);
  }
  out << ",\"intervals\":" << r.intervals << ",\"skipped_intervals\":" << r.skipped_intervals
      << ",\"streams\":[";
  for (std::size_t i = 0; i < r.streams.size(); ++i) {
    out << (i == 0 ? "" : ",");
    stream(out, r.streams[i]);
    if (!r.whole.empty()) {
      out << ",\"whole\":";
      stream(out, r.whole[i]);
      out << '}';
    }
    out << '}';
  }
  out << "]";
  if (r.beats)
    out << ",\"beats\":[" << r.beats->first << ',' << r.beats->second << ']';
  out << "}";
  return out.str();
}

std::string json(const Trace &trace) {
  static const char *const names[] = {"ACT", "PRE", "PREA", "RD", "WR", "REF"};
  std::ostringstream out;
  out << '[';
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const TraceEntry &e = trace[i];
    out << (i == 0 ? "" : ",") << '[' << e.clk << ",\"" << names[static_cast<int>(e.command)]
        << "\"," << static_cast<int>(e.bank) << ',' << e.row << ',' << e.column << ']';
  }
  out << ']';
  return out.str();
}

std::string json(const processor::Outcome &o) {
  std::ostringstream out;
  out << "{\"elapsed\":" << o.elapsed << ",\"classes\":";
  named(out, processor::kClassNames, o.spent);
  out << ",\"beats\":" << o.beats << ",\"first_beat\":" << o.first_beat
      << ",\"last_beat\":" << o.last_beat << ",\"between\":[";
  const char *comma = "";
  for (const auto &[cycles, times] : o.between) {
    out << comma << '[' << cycles << ',' << times << ']';
    comma = ",";
  }
  out << "]}";
  return out.str();
}

} // namespace axm::cosim
