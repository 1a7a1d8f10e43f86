// The binding of the processor's side: a configuration as nested dicts in, an outcome out. Every
// key of config.hpp may be left out; then it has the value that stands there.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "axiometer/model/processor/config_keys.hpp"
#include "axiometer/model/processor/run.hpp"
#include "table.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace axm::processor;
using axm::binding::fail;
using axm::binding::value_of;

namespace {

// Each member that the configuration has is taken, and an unknown key is an error, so that none is
// lost to a misspelling.
class Reader {
public:
  explicit Reader(const nb::dict &d) : d_(d) {}

  template <class T> void operator()(const char *table, const char *key, T &into) {
    if (!d_.contains(table))
      return;
    if (!nb::isinstance<nb::dict>(d_[table]))
      fail(std::string("\"") + table + "\" has the wrong type for the model: give a dict");
    const auto keys = nb::cast<nb::dict>(d_[table]);
    auto &[known, all] = tables_[table];
    all = nb::len(keys);
    if (!keys.contains(key))
      return;
    into = value_of<T>(keys[key], std::string(table) + "." + key);
    ++known;
  }
  template <class E, std::size_t N>
  void choose(const char *key, E &into, const Choice<E> (&choices)[N]) {
    if (!d_.contains(key))
      return;
    ++choices_;
    const auto given = value_of<std::string>(d_[key], key);
    for (const auto &[name, value] : choices)
      if (given == name) {
        into = value;
        return;
      }
    fail(std::string("the model does not know ") + key + " " + given);
  }
  void done() const {
    for (const auto &[table, counts] : tables_)
      if (counts.first != counts.second)
        fail("\"" + table + "\" has a key that the model does not know");
    if (tables_.size() + choices_ != nb::len(d_))
      fail("the specification has a table that the model does not know");
  }

private:
  const nb::dict &d_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> tables_;
  std::size_t choices_ = 0;
};

Config config(const nb::dict &d) {
  Config c;
  Reader read(d);
  visit_config(c, read);
  read.choose("master", c.master, kMasters);
  read.choose("target", c.target, kTargets);
  read.choose("attribute", c.attribute, kAttributes);
  read.done();
  return c;
}

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

} // namespace

void bind_processor(nb::module_ &m) {
  m.def(
      "run_processor", [](const nb::dict &spec) { return outcome(run(config(spec))); }, "spec"_a,
      "One transfer of the processor's side; times in base units. ValueError names what cannot be "
      "simulated.");
}
