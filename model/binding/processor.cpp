// The binding of the processor's side: a configuration as nested dicts in, an outcome out. Every
// key of config/processor.hpp may be left out; then it has the default there.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "axiometer/model/shared_run.hpp"
#include "axiometer/model/transfer_run.hpp"
#include "config.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace axm::processor;
using axm::binding::config_of;

namespace {

nb::dict outcome(const Outcome &o) {
  nb::dict classes, between;
  for (std::size_t i = 0; i < kClasses; ++i)
    classes[kClassNames[i]] = o.spent[i];
  for (const auto &[cycles, times] : o.between)
    between[nb::int_(cycles)] = times;
  nb::dict d;
  d["elapsed"] = o.elapsed;
  d["classes"] = classes;
  d["beats"] = o.beats;
  d["first_beat"] = o.first_beat;
  d["last_beat"] = o.last_beat;
  d["between"] = between;
  d["frame_begins"] = o.frame_begins;
  d["frame_ends"] = o.frame_ends;
  return d;
}

// Without Python's lock: a transfer may take a second, in which other threads work on.
Outcome unlocked(const Config &config) {
  const nb::gil_scoped_release release;
  return run(config);
}

} // namespace

void bind_processor(nb::module_ &m) {
  m.def(
      "run_processor",
      [](const nb::dict &spec) { return outcome(unlocked(config_of<Config>(spec))); }, "spec"_a,
      "One transfer of the processor's side; times in base units. ValueError names what cannot be "
      "simulated.");
  m.def(
      "describe_processor", [] { return axm::binding::keys_of(axm::describe<Config>()); },
      "All keys of the specification that run_processor takes; as describe().");
  m.def(
      "describe_source", [] { return axm::binding::keys_of(axm::describe<axm::SourceConfig>()); },
      "The keys of a source that shares the memory with streams; as describe().");
  m.def(
      "processor_configuration",
      [](const nb::dict &spec) { return axm::binding::values_of(config_of<Config>(spec)); },
      "spec"_a, "Every key by its full name with the value that run_processor gives it.");
}
