// The binding of open runs, for tests: a script has the bursts from outside.
#include <nanobind/nanobind.h>

#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "axiometer/model/need.hpp"
#include "axiometer/model/open_run.hpp"
#include "config.hpp"
#include "results.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using axm::Clk;

struct Entry {
  axm::OutsideBurst burst;
  std::int64_t after = -1;
  Clk delay = 0;
};

std::vector<Entry> script_of(const nb::list &given) {
  std::vector<Entry> script;
  for (const nb::handle item : given) {
    const auto t = nb::cast<nb::tuple>(item);
    axm::need(t.size() == 4 || t.size() == 6, axm::key_of("script", script.size()),
              "must be (stream, at, address, bytes) or that and (after, delay)");
    Entry e;
    e.burst = {nb::cast<int>(t[0]), nb::cast<Clk>(t[1]), nb::cast<std::uint64_t>(t[2]),
               nb::cast<int>(t[3])};
    if (t.size() == 6) {
      e.after = nb::cast<std::int64_t>(t[4]);
      e.delay = nb::cast<Clk>(t[5]);
    }
    axm::need(e.after >= -1 && e.after < static_cast<std::int64_t>(script.size()) && e.delay >= 0,
              axm::key_of("script", script.size()),
              "must come after an earlier entry (-1: none), by a delay of 0 or more");
    script.push_back(e);
  }
  return script;
}

// Requests all entries in the order of time; returns when each was served.
std::vector<Clk> follow(axm::OpenRun &run, const std::vector<Entry> &script) {
  using Due = std::pair<Clk, std::size_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
  std::vector<std::vector<std::size_t>> next(script.size());
  for (std::size_t i = 0; i < script.size(); ++i)
    if (script[i].after < 0)
      due.push({script[i].burst.at, i});
    else
      next[static_cast<std::size_t>(script[i].after)].push_back(i);
  std::vector<std::deque<std::size_t>> asked(64); // of each stream
  std::vector<Clk> served(script.size());
  for (std::size_t left = script.size(); left > 0;) {
    const Clk limit = due.empty() ? axm::kNever : due.top().first;
    if (const auto told = run.advance(limit)) {
      auto &of = asked[static_cast<std::size_t>(told->stream)];
      const std::size_t i = of.front();
      of.pop_front();
      served[i] = told->at;
      --left;
      for (const std::size_t k : next[i])
        due.push({std::max(script[k].burst.at, told->at + script[k].delay), k});
    } else if (due.empty()) {
      throw std::runtime_error("requested bursts are never served");
    } else {
      axm::OutsideBurst burst = script[due.top().second].burst;
      burst.at = limit;
      run.ask(burst);
      asked[static_cast<std::size_t>(burst.stream)].push_back(due.top().second);
      due.pop();
    }
  }
  return served;
}

nb::tuple run_open(const nb::dict &spec, const nb::dict &start, const nb::list &script,
                   bool plain) {
  const auto config = axm::binding::config_of<axm::SystemConfig>(spec);
  const auto from = axm::binding::start_of(start, config.streams.size());
  const std::vector<Entry> entries = script_of(script);
  axm::Trace trace;
  axm::RunOptions options;
  options.trace = &trace;
  const auto run =
      plain ? axm::open_plain(config, from, &trace) : axm::open_run(config, from, options);
  const std::vector<Clk> at = follow(*run, entries);
  const auto result = axm::binding::result(run->finish(), false);
  nb::list served;
  for (std::size_t i = 0; i < entries.size(); ++i)
    served.append(nb::make_tuple(entries[i].burst.stream, at[i]));
  return nb::make_tuple(result, served, axm::binding::commands(trace));
}

} // namespace

void bind_open(nb::module_ &m) {
  m.def("run_open", &run_open, "spec"_a, "start"_a, "script"_a, "plain"_a = false,
        "(result, served, commands) of a run with bursts from outside, by the executable "
        "specification if `plain`. `script` has a tuple for each: (stream, at, address, bytes), or "
        "these and (after, delay): it is requested at DRAM clock `at`, and no sooner than `delay` "
        "clocks from the end of entry `after` (-1: none). `served` has (stream, clock) of each "
        "entry.");
}
