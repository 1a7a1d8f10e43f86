// The thin Python binding: a configuration as nested dicts in (config.cpp), results as dicts out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "axiometer/model/need.hpp"
#include "axiometer/model/simulator.hpp"
#include "config.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using axm::binding::config_of;
using axm::binding::start_of;

namespace {

template <class Names, class Values> nb::dict named(const Names &names, const Values &values) {
  nb::dict d;
  for (std::size_t i = 0; i < names.size(); ++i)
    d[names[i]] = values[i];
  return d;
}

nb::dict beats(const axm::BeatTimes &b) {
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

// `with_beats`: with the times of beats. ValueError if the run has none.
nb::dict result(const axm::RepeatResult &r, bool with_beats) {
  nb::list streams;
  for (const auto &s : r.streams) {
    axm::need(!with_beats || s.beats, "beats",
              "the model of this controller does not keep when beats moved");
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
    if (with_beats)
      d["beats"] = beats(*s.beats);
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
    part["may_drift"] = r.may_drift;
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
      : config_(config_of<axm::SystemConfig>(spec)), simulator_(axm::make_simulator(config_)) {}

  nb::dict run(const nb::dict &where, bool skip, bool verify, std::size_t memory_bytes,
               bool beats) {
    const auto s = start_of(where, config_.streams.size());
    axm::RunOptions options{skip, verify, nullptr, beats, memory_bytes};
    axm::RepeatResult r;
    {
      nb::gil_scoped_release release;
      r = simulator_->run(s, options);
    }
    return result(r, beats);
  }

  nb::tuple trace(const nb::dict &where, bool skip, bool verify, std::size_t memory_bytes,
                  bool beats) {
    const auto s = start_of(where, config_.streams.size());
    axm::Trace trace;
    axm::RunOptions options{skip, verify, &trace, beats, memory_bytes};
    const auto r = simulator_->run(s, options);
    return nb::make_tuple(result(r, beats), commands(trace));
  }

  nb::tuple plain(const nb::dict &where, bool beats) {
    axm::Trace trace;
    const auto r = axm::run_plain(config_, start_of(where, config_.streams.size()), &trace);
    return nb::make_tuple(result(r, beats), commands(trace));
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
           "memory_bytes"_a = axm::RunOptions{}.memory_bytes, "beats"_a = false,
           "One repeat; times in DRAM clocks (`clocks`, `classes`) and PL cycles (`cycles`, "
           "streams). What recurs takes up to `memory_bytes`. With `beats`, nothing is skipped "
           "and every stream has the times of its beats, in its cycles; not with usp-ddrc.")
      .def(
          "trace", &PySimulator::trace, "start"_a, "skip"_a = true, "verify"_a = false,
          "memory_bytes"_a = axm::RunOptions{}.memory_bytes, "beats"_a = false,
          "(result, commands): as run, with each DRAM command as (clock, name, bank, row, column).")
      .def("plain", &PySimulator::plain, "start"_a, "beats"_a = false,
           "(result, commands) of the executable specification: slow, step by step.");
  m.def(
      "configuration",
      [](const nb::dict &spec) {
        return axm::binding::values_of(config_of<axm::SystemConfig>(spec));
      },
      "spec"_a,
      "What a Simulator of `spec` is told: every key by its full name (\"paths[0].name\") with its "
      "value, given or default. Not checked for what cannot be simulated.");
  m.def(
      "describe", [] { return axm::binding::keys_of(axm::describe<axm::SystemConfig>()); },
      "All keys of a specification, in order: table, key, type, limits, unit, default, meaning. "
      "`pair`: the key itself for both directions, or with _read and _write.");
  m.def(
      "describe_start", [] { return axm::binding::keys_of(axm::describe<axm::RepeatStart>()); },
      "The same of a start.");
  bind_processor(m);
}
