// The controllers of the model. Each registers itself: a file of src/targets/ has its name, its
// keys with units, limits and meanings, its rules, and makes it; one of src/plain/ has the same
// rules as the executable specification. No file lists them.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "axiometer/model/accounting/trace.hpp"

namespace axm {

class OpenRun;
class Simulator;
class SteppedChip;
struct ControllerConfig;
struct KeyVisitor;
struct RepeatResult;
struct RepeatStart;
struct RunOptions;
struct SystemConfig;
namespace plain {
class Switching;
}

// The parts of a controller's machine, for code that writes its configurations.
struct MachineParts {
  bool multiplexers = false;  // several streams of a direction share a port in turns
  bool arbiter = false;       // paths compete for the stores: traffic classes, time-outs
  bool measures_part = false; // of a run: streams go on without an end of their own
  bool remembers = false;     // what recurs, and when beats moved
};

struct ControllerPart {
  const char *name;
  MachineParts parts;
  void (*visit)(const KeyVisitor &, ControllerConfig &); // its own keys
  void (*check)(const SystemConfig &);                   // what their limits do not say
  std::unique_ptr<SteppedChip> (*step)(const SystemConfig &, const RepeatStart &);
  // None in a co-simulation, which is stepped only (AXIOMETER_STEPPED).
  std::unique_ptr<Simulator> (*make)(const SystemConfig &) = nullptr;
  // With bursts from outside; what comes is right (open_run.cpp looks).
  std::unique_ptr<OpenRun> (*open)(const SystemConfig &, const RepeatStart &,
                                   const RunOptions &) = nullptr;
};

// The executable specification; a trace may be null.
struct PlainTwin {
  const char *name;
  RepeatResult (*run)(const SystemConfig &, const RepeatStart &, Trace *);
  std::unique_ptr<OpenRun> (*open)(const SystemConfig &, const RepeatStart &, Trace *);
  // Of a controller with the stores of plain/controller.hpp.
  std::unique_ptr<plain::Switching> (*switching)(const ControllerConfig &) = nullptr;
};

// All of a kind, by name.
template <class Part> std::vector<Part> &registered() {
  static std::vector<Part> all;
  return all;
}

// A static object of this type registers a part before `main`.
template <class Part> struct Registered {
  explicit Registered(const Part &part) {
    auto &all = registered<Part>();
    const auto after = [&](const Part &p) { return std::string_view(p.name) > part.name; };
    all.insert(std::ranges::find_if(all, after), part);
  }
};

// The configuration's; std::invalid_argument if there is none of its name.
template <class Part> const Part &part_of(const ControllerConfig &c);

} // namespace axm
