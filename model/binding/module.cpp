// The thin Python binding: a configuration as nested dicts in, results as dicts out.
// It knows names and types, and nothing of what they mean.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "axiometer/model/simulator.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T> T get(const nb::dict &d, const char *key) {
  if (!d.contains(key))
    throw nb::value_error((std::string("the model needs \"") + key + "\"").c_str());
  T out{};
  if (!nb::try_cast<T>(d[key], out))
    throw nb::value_error(
        (std::string("\"") + key + "\" has the wrong type for the model").c_str());
  return out;
}

// A pair for reads and writes: {"read": ..., "write": ...}.
void get_pair(const nb::dict &d, const char *key, int (&out)[2]) {
  const auto pair = get<nb::dict>(d, key);
  out[axm::kRead] = get<int>(pair, "read");
  out[axm::kWrite] = get<int>(pair, "write");
}

void get_if(const nb::dict &d, const char *key, int &out) {
  if (d.contains(key))
    out = get<int>(d, key);
}

axm::DramConfig dram(const nb::dict &d) {
  axm::DramConfig c;
  const auto t = get<nb::dict>(d, "timing");
  axm::DramTiming &x = c.timing;
  const std::pair<const char *, int *> keys[] = {
      {"CL", &x.CL},     {"CWL", &x.CWL},     {"tRCD", &x.tRCD},
      {"tRP", &x.tRP},   {"tRAS", &x.tRAS},   {"tRC", &x.tRC},
      {"tRRD", &x.tRRD}, {"tFAW", &x.tFAW},   {"tCCD", &x.tCCD},
      {"tWTR", &x.tWTR}, {"tRTP", &x.tRTP},   {"tWR", &x.tWR},
      {"tRFC", &x.tRFC}, {"tREFI", &x.tREFI}, {"read_to_write", &x.read_to_write}};
  for (const auto &[key, value] : keys)
    *value = get<int>(t, key);
  get_if(t, "tCCD_L", x.tCCD_L);
  get_if(t, "tRRD_L", x.tRRD_L);
  get_if(t, "tWTR_L", x.tWTR_L);
  get_if(d, "bank_groups", c.bank_groups);
  get_if(d, "ranks", c.ranks);
  get_if(d, "rank_gap", c.rank_gap);
  get_if(d, "rank_bit", c.rank_bit);
  if (d.contains("bank_bits"))
    c.bank_bits = get<std::vector<int>>(d, "bank_bits");
  if (d.contains("row_bits"))
    c.row_bits = get<std::vector<int>>(d, "row_bits");
  c.banks = get<int>(d, "banks");
  c.row_bytes = get<int>(d, "row_bytes");
  c.column_bytes = get<int>(d, "column_bytes");
  c.burst_clocks = get<int>(d, "burst_clocks");
  c.bytes = get<std::uint64_t>(d, "bytes");
  const auto mapping = get<std::string>(d, "mapping");
  if (mapping == "row-bank-column")
    c.mapping = axm::Mapping::row_bank_column;
  else if (mapping == "bank-row-column")
    c.mapping = axm::Mapping::bank_row_column;
  else
    throw nb::value_error("mapping must be row-bank-column or bank-row-column");
  return c;
}

// What follows, up to afi, only usp-ddrc knows.
axm::TrafficClass traffic(const nb::dict &d, const char *direction) {
  const auto name = get<std::string>(d, direction);
  if (name == "low_latency")
    return axm::TrafficClass::low_latency;
  return name == "video" ? axm::TrafficClass::video : axm::TrafficClass::best_effort;
}

axm::DdrcConfig ddrc(const nb::dict &d) {
  axm::DdrcConfig c;
  c.clocks = get<int>(d, "clocks");
  c.low_latency_entries = get<int>(d, "low_latency_entries");
  c.idle_gap = get<int>(d, "idle_gap");
  c.write_bytes = get<int>(d, "write_bytes");
  c.store_expires = get<bool>(d, "store_expires");
  c.starved_turn = get<bool>(d, "starved_turn");
  c.least_run = get<int>(d, "least_run");
  c.combine_writes = get<bool>(d, "combine_writes");
  c.turn_by_part = get<bool>(d, "turn_by_part");
  c.read_clocks = get<int>(d, "read_clocks");
  return c;
}

axm::DdrcPortConfig ddrc_port(const nb::dict &d) {
  axm::DdrcPortConfig c;
  get_pair(d, "queue_parts", c.queue_parts);
  get_pair(d, "timeout", c.timeout);
  get_pair(d, "entry_clocks", c.entry_clocks);
  c.clock_bytes = get<int>(d, "clock_bytes");
  c.buffers = get<bool>(d, "buffers");
  c.write_buffer = get<int>(d, "write_buffer");
  c.write_gap = get<int>(d, "write_gap");
  return c;
}

axm::AfiConfig afi(const nb::dict &d) {
  axm::AfiConfig c;
  c.issue = get<int>(d, "issue");
  c.inflight = get<int>(d, "inflight");
  c.until_taken = get<bool>(d, "until_taken");
  get_pair(d, "qos", c.qos);
  const auto of = get<nb::dict>(d, "traffic");
  c.traffic[axm::kRead] = traffic(of, "read");
  c.traffic[axm::kWrite] = traffic(of, "write");
  return c;
}

axm::ControllerConfig controller(const nb::dict &d) {
  axm::ControllerConfig c;
  c.policy = get<std::string>(d, "policy");
  get_pair(d, "entries", c.entries);
  const std::pair<const char *, int *> optional[] = {
      {"starve_clocks", &c.starve_clocks},
      {"run_length", &c.run_length},
      {"min_non_critical_clocks", &c.min_non_critical_clocks},
      {"batch", &c.batch},
      {"pick_window", &c.pick_window},
      {"prepare_window", &c.prepare_window}};
  for (const auto &[key, value] : optional)
    if (d.contains(key))
      *value = get<int>(d, key);
  if (d.contains("ddrc"))
    c.ddrc = ddrc(get<nb::dict>(d, "ddrc"));
  return c;
}

axm::PathConfig path(const nb::dict &d) {
  axm::PathConfig c;
  c.name = get<std::string>(d, "name");
  get_pair(d, "inflight", c.inflight);
  get_pair(d, "request_clocks", c.request_clocks);
  get_pair(d, "release_clocks", c.release_clocks);
  c.column_clocks = get<int>(d, "column_clocks");
  const auto ordered = get<nb::dict>(d, "ordered");
  c.ordered[axm::kRead] = get<bool>(ordered, "read");
  c.ordered[axm::kWrite] = get<bool>(ordered, "write");
  if (d.contains("ddrc"))
    c.ddrc = ddrc_port(get<nb::dict>(d, "ddrc"));
  return c;
}

axm::PortConfig port(const nb::dict &d) {
  axm::PortConfig c;
  c.name = get<std::string>(d, "name");
  c.path = get<int>(d, "path");
  c.width_bytes = get<int>(d, "width_bytes");
  c.part_bytes = get<int>(d, "part_bytes");
  get_pair(d, "fifo_bytes", c.fifo_bytes);
  get_pair(d, "request_cycles", c.request_cycles);
  c.return_cycles = get<int>(d, "return_cycles");
  c.response_clocks = get<int>(d, "response_clocks");
  c.early_response = get<bool>(d, "early_response");
  c.release_whole_burst = get<bool>(d, "release_whole_burst");
  if (d.contains("afi"))
    c.afi = afi(get<nb::dict>(d, "afi"));
  return c;
}

axm::StreamConfig stream(const nb::dict &d) {
  axm::StreamConfig c;
  c.port = get<int>(d, "port");
  c.dir = get<std::string>(d, "direction") == "read" ? axm::kRead : axm::kWrite;
  c.base = get<std::uint64_t>(d, "base");
  c.bytes = get<std::uint64_t>(d, "bytes");
  c.region = get<std::uint64_t>(d, "region");
  c.burst_bytes = get<int>(d, "burst_bytes");
  c.outstanding = get<int>(d, "outstanding");
  c.gap_cycles = get<int>(d, "gap_cycles");
  const auto pattern = get<std::string>(d, "pattern");
  c.pattern = pattern == "random"   ? axm::Pattern::random
              : pattern == "stride" ? axm::Pattern::stride
                                    : axm::Pattern::sequential;
  c.stride = get<std::uint64_t>(d, "stride");
  c.partner = get<int>(d, "partner");
  c.loopback_bursts = get<int>(d, "loopback_bursts");
  c.loopback_cycles = get<int>(d, "loopback_cycles");
  return c;
}

axm::SystemConfig system(const nb::dict &d) {
  axm::SystemConfig c;
  const auto clocks = get<nb::dict>(d, "clocks");
  c.clocks = {get<std::int64_t>(clocks, "ddr"), get<std::int64_t>(clocks, "pl")};
  c.dram = dram(get<nb::dict>(d, "dram"));
  c.controller = controller(get<nb::dict>(d, "controller"));
  for (nb::handle h : get<nb::list>(d, "paths"))
    c.paths.push_back(path(nb::cast<nb::dict>(h)));
  for (nb::handle h : get<nb::list>(d, "ports"))
    c.ports.push_back(port(nb::cast<nb::dict>(h)));
  for (nb::handle h : get<nb::list>(d, "streams"))
    c.streams.push_back(stream(nb::cast<nb::dict>(h)));
  if (d.contains("measure")) {
    const auto m = get<nb::dict>(d, "measure");
    c.measure = {get<std::int64_t>(m, "settle"), get<std::int64_t>(m, "block"),
                 get<double>(m, "confidence")};
  }
  if (d.contains("convolution")) {
    const auto v = get<nb::dict>(d, "convolution");
    c.convolution = {get<int>(v, "lanes"), get<int>(v, "buffer_bytes"), get<int>(v, "turn")};
  }
  return c;
}

axm::RepeatStart start(const nb::dict &d, std::size_t streams) {
  axm::RepeatStart s;
  s.launch = get<std::vector<std::int64_t>>(d, "launch");
  if (s.launch.size() != streams)
    throw nb::value_error("launch: one PL cycle for each stream");
  s.first_refresh = get<std::int64_t>(d, "first_refresh");
  const auto stop = get<std::int64_t>(d, "stop");
  s.stop = stop < 0 ? axm::kNever : stop;
  s.pattern_seed = get<std::uint64_t>(d, "pattern_seed");
  return s;
}

template <class Names, class Values> nb::dict named(const Names &names, const Values &values) {
  nb::dict d;
  for (std::size_t i = 0; i < names.size(); ++i)
    d[names[i]] = values[i];
  return d;
}

nb::dict result(const axm::RepeatResult &r) {
  nb::list streams;
  for (const auto &s : r.streams) {
    nb::list latency;
    for (int b = 0; b < axm::Histogram::kBins; ++b)
      if (s.stats.latency[b] != 0)
        latency.append(nb::make_tuple(axm::Histogram::value(b), s.stats.latency[b]));
    nb::dict d;
    d["launch"] = s.launch;
    d["end"] = s.end;
    d["bytes"] = s.bytes;
    d["bursts"] = s.stats.bursts;
    d["latency_sum"] = s.stats.latency_sum;
    d["latency"] = latency;
    d["longest_wait"] = s.stats.longest_wait;
    d["classes"] = named(axm::kStreamClassNames, s.stats.classes);
    streams.append(d);
  }
  nb::dict d;
  d["clocks"] = r.clocks;
  d["cycles"] = r.cycles;
  d["classes"] = named(axm::kBusClassNames, r.dram.classes);
  d["counts"] = named(axm::kDramCountNames, r.dram.counts);
  d["streams"] = streams;
  if (r.measured) {
    nb::dict part;
    part["begins"] = r.begins;
    part["half_width"] = r.half_width;
    part["settled"] = r.settled;
    d["measured"] = part;
  }
  d["intervals"] = r.intervals;
  d["skipped_intervals"] = r.skipped_intervals;
  return d;
}

nb::list commands(const axm::Trace &trace) {
  static const char *const names[] = {"ACT", "PRE", "PREA", "RD", "WR", "REF"};
  nb::list out;
  for (const auto &e : trace)
    out.append(nb::make_tuple(e.clk, names[static_cast<int>(e.command)], e.bank, e.row, e.column));
  return out;
}

class PySimulator {
public:
  explicit PySimulator(const nb::dict &spec)
      : config_(system(spec)), simulator_(axm::make_simulator(config_)) {}

  nb::dict run(const nb::dict &where, bool skip, bool verify, std::size_t memory_bytes) {
    const auto s = start(where, config_.streams.size());
    axm::RunOptions options{skip, verify, nullptr, memory_bytes};
    axm::RepeatResult r;
    {
      nb::gil_scoped_release release;
      r = simulator_->run(s, options);
    }
    return result(r);
  }

  nb::tuple trace(const nb::dict &where, bool skip, bool verify, std::size_t memory_bytes) {
    const auto s = start(where, config_.streams.size());
    axm::Trace trace;
    axm::RunOptions options{skip, verify, &trace, memory_bytes};
    const auto r = simulator_->run(s, options);
    return nb::make_tuple(result(r), commands(trace));
  }

  nb::tuple plain(const nb::dict &where) {
    axm::Trace trace;
    const auto r = axm::run_plain(config_, start(where, config_.streams.size()), &trace);
    return nb::make_tuple(result(r), commands(trace));
  }

private:
  axm::SystemConfig config_;
  std::unique_ptr<axm::Simulator> simulator_;
};

} // namespace

void bind_processor(nb::module_ &m); // processor.cpp

NB_MODULE(_model, m) {
  m.doc() = "Axiometer's model of an FPGA SoC's memory subsystem (thin binding).";
  nb::class_<PySimulator>(m, "Simulator")
      .def(nb::init<nb::dict>(), "spec"_a,
           "A simulator for one configuration; ValueError names the first value that cannot be "
           "simulated.")
      .def("run", &PySimulator::run, "start"_a, "skip"_a = true, "verify"_a = false,
           "memory_bytes"_a = axm::RunOptions{}.memory_bytes,
           "One repeat; times in DRAM clocks (`clocks`, `classes`) and PL cycles (`cycles`, "
           "streams). What recurs takes up to `memory_bytes`.")
      .def(
          "trace", &PySimulator::trace, "start"_a, "skip"_a = true, "verify"_a = false,
          "memory_bytes"_a = axm::RunOptions{}.memory_bytes,
          "(result, commands): as run, with each DRAM command as (clock, name, bank, row, column).")
      .def("plain", &PySimulator::plain, "start"_a,
           "(result, commands) of the executable specification: slow, step by step.");
  bind_processor(m);
}
