// The thin Python binding: a configuration as nested dicts in (config.cpp), results as dicts out
// (results.cpp).
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "axiometer/model/shared_run.hpp"
#include "axiometer/model/simulator.hpp"
#include "config.hpp"
#include "results.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using axm::binding::commands;
using axm::binding::config_of;
using axm::binding::result;
using axm::binding::start_of;

namespace {

class PySimulator {
public:
  PySimulator(const nb::dict &spec, const nb::list &sources)
      : config_(config_of<axm::SystemConfig>(spec)) {
    for (const nb::handle source : sources)
      sources_.push_back(config_of<axm::SourceConfig>(nb::cast<nb::dict>(source)));
    if (sources_.empty())
      simulator_ = axm::make_simulator(config_);
    else
      axm::check_shared(config_, sources_);
  }

  nb::dict run(const nb::dict &where, bool skip, bool verify, std::size_t memory_bytes,
               bool beats) {
    const auto s = start_of(where, config_.streams.size());
    axm::RunOptions options{skip, verify, nullptr, beats, memory_bytes};
    axm::RepeatResult r;
    {
      nb::gil_scoped_release release;
      r = simulate(s, options);
    }
    return result(r, beats);
  }

  nb::tuple trace(const nb::dict &where, bool skip, bool verify, std::size_t memory_bytes,
                  bool beats) {
    const auto s = start_of(where, config_.streams.size());
    axm::Trace trace;
    axm::RunOptions options{skip, verify, &trace, beats, memory_bytes};
    const auto r = simulate(s, options);
    return nb::make_tuple(result(r, beats), commands(trace));
  }

  nb::tuple plain(const nb::dict &where, bool beats) {
    axm::Trace trace;
    const auto s = start_of(where, config_.streams.size());
    const auto r = sources_.empty()
                       ? axm::run_plain(config_, s, &trace)
                       : axm::run_shared(config_, sources_, s, {.trace = &trace}, true);
    return nb::make_tuple(result(r, beats), commands(trace));
  }

private:
  axm::RepeatResult simulate(const axm::RepeatStart &start, const axm::RunOptions &options) {
    return sources_.empty() ? simulator_->run(start, options)
                            : axm::run_shared(config_, sources_, start, options, false);
  }

  axm::SystemConfig config_;
  std::unique_ptr<axm::Simulator> simulator_;
  std::vector<axm::SourceConfig> sources_;
};

} // namespace

void bind_open(nb::module_ &m);      // open.cpp
void bind_processor(nb::module_ &m); // processor.cpp

NB_MODULE(_model, m) {
  m.doc() = "Axiometer's model of an FPGA SoC's memory subsystem (thin binding).";
  nb::class_<PySimulator>(m, "Simulator")
      .def(nb::init<nb::dict, nb::list>(), "spec"_a, "sources"_a = nb::list(),
           "A simulator for one configuration; ValueError names the first value that cannot be "
           "simulated. `sources`: those that share the memory with its streams, each as "
           "run_processor takes it and with a table `shared` (describe_source).")
      .def("run", &PySimulator::run, "start"_a, "skip"_a = true, "verify"_a = false,
           "memory_bytes"_a = axm::RunOptions{}.memory_bytes, "beats"_a = false,
           "One repeat; times in DRAM clocks (`clocks`, `classes`) and PL cycles (`cycles`, "
           "streams). Stored segments take up to `memory_bytes`. With `beats`, nothing is skipped "
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
      "The configuration of a Simulator of `spec`: every key by its full name (\"paths[0].name\") "
      "with "
      "its value, given or default. Values are not checked.");
  m.def(
      "describe", [] { return axm::binding::keys_of(axm::describe<axm::SystemConfig>()); },
      "All keys of a specification, in order: table, key, type, limits, unit, default, meaning. "
      "`pair`: the key itself for both directions, or with _read and _write.");
  m.def(
      "machine_parts",
      [] {
        nb::dict all;
        for (const auto &p : axm::registered<axm::ControllerPart>()) {
          nb::dict parts;
          parts["multiplexers"] = p.parts.multiplexers;
          parts["arbiter"] = p.parts.arbiter;
          parts["measures_part"] = p.parts.measures_part;
          parts["remembers"] = p.parts.remembers;
          all[p.name] = parts;
        }
        return all;
      },
      "The parts of the machine of each controller.policy (targets/registry.hpp).");
  m.def(
      "describe_start", [] { return axm::binding::keys_of(axm::describe<axm::RepeatStart>()); },
      "The same of a start.");
  bind_open(m);
  bind_processor(m);
}
