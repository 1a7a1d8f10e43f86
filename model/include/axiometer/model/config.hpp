// Configuration of a simulation: the chip (DRAM, controller, paths, ports) and the work (streams).
// Plain data; values come from the platform and experiment files. The parts are in config/, each
// with one `visit`; a new key needs a line there and nothing else. `check` names the first value
// that cannot be simulated.
#pragma once

#include <algorithm>
#include <vector>

#include "axiometer/model/config/controller.hpp"
#include "axiometer/model/config/dram.hpp"
#include "axiometer/model/config/ports.hpp"
#include "axiometer/model/config/streams.hpp"

namespace axm {

template <class V> void visit(V &v, ClockRatio &c) {
  v("ddr", c.ddr, {1, kMostPeriod, "base units"}, "period of the DRAM's clock");
  v("pl", c.pl, {1, kMostPeriod, "base units"}, "period of the PL's clock");
}

struct SystemConfig {
  ClockRatio clocks;
  DramConfig dram;
  ControllerConfig controller;
  std::vector<PathConfig> paths;
  std::vector<PortConfig> ports;
  std::vector<StreamConfig> streams;
  MeasureConfig measure;         // of usp-ddrc
  ConvolutionConfig convolution; // of usp-ddrc

  // Throws std::invalid_argument that names the value and its range.
  void check() const;
  // The same of a run that is not open: no stream is outside.
  void check_closed() const;

  // Whether paths differ in priority, so that their ageing counters decide in place of turns.
  bool ages(Dir d) const {
    return std::any_of(paths.begin(), paths.end(), [&](const PathConfig &p) {
      return p.arbiter.priority[d] != paths[0].arbiter.priority[d];
    });
  }
  // The DRAM's clock and that of a port, in which the port's cycles are.
  ClockRatio clocks_of(const PortConfig &port) const {
    return {clocks.ddr, port.period != 0 ? port.period : clocks.pl};
  }
  ClockRatio clocks_of(const StreamConfig &stream) const {
    return clocks_of(ports[static_cast<std::size_t>(stream.port)]);
  }
  // Whole cycles of the stream's port in so many of the PL.
  Cycle cycles_of(const StreamConfig &stream, Cycle pl_cycles) const {
    return pl_cycles * clocks.pl / clocks_of(stream).pl;
  }
  // From a read's last column command until its data are at the port. A place of the path is
  // kept until they have left the path; data that the path does not keep come as the DRAM sends
  // them.
  Clk data_clocks(const PortConfig &port) const {
    return std::max<Clk>(dram.timing.CL + dram.burst_clocks,
                         paths[static_cast<std::size_t>(port.path)].release_clocks[kRead]);
  }
  // From which cycle of its port on a stream begins no burst, if the run stops at PL cycle `stop`.
  Cycle stop_of(const StreamConfig &stream, Cycle stop) const {
    const Cycle own = stream.stop < 0 ? kNever : stream.stop;
    return stop >= kNever ? own : std::min(own, ceil_div(stop * clocks.pl, clocks_of(stream).pl));
  }
};

template <class V> void visit(V &v, SystemConfig &c) {
  visit_table(v, "clocks", c.clocks);
  visit_table(v, "dram", c.dram);
  visit_table(v, "controller", c.controller);
  v.list("paths", c.paths, [&](auto &of, PathConfig &path) {
    visit(of, path);
    of.only(c.controller.policy, kUspDdrc, [&] { visit(of, path.ddrc); });
    of.only(c.controller.policy, kZynqDdrc, [&] { visit(of, path.arbiter); });
  });
  v.list("ports", c.ports, [&](auto &of, PortConfig &port) {
    visit(of, port);
    of.only(c.controller.policy, kUspDdrc, [&] { visit(of, port.afi); });
  });
  v.list("streams", c.streams, [](auto &of, StreamConfig &stream) { visit(of, stream); });
  visit_optional(v, "measure", c.measure);
  visit_optional(v, "convolution", c.convolution);
}

// What differs between two repeats: drawn from the platform's unknowns.
struct RepeatStart {
  std::vector<Cycle> launch; // cycle of its port at which each stream may begin
  Clk first_refresh = 0;     // clock at which the first refresh is due
  Cycle stop = kNever;       // no burst is issued at or after this PL cycle
  std::uint64_t pattern_seed = 0;
};

template <class V> void visit(V &v, RepeatStart &s) {
  v("launch", s.launch, {0, kMostTime, "port cycles"}, "earliest start of each stream");
  v("first_refresh", s.first_refresh, {0, kMostTime, "DRAM clocks"}, "time of the first refresh");
  v("stop", s.stop, optional({-1, kMostTime, "PL cycles"}), "end of issuing bursts; -1: none");
  v("pattern_seed", s.pattern_seed, {0}, "seed of random addresses");
}

} // namespace axm
