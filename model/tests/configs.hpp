// A configuration that several tests vary: a loop-back pair at one port.
#pragma once

#include "axiometer/model/config.hpp"

namespace configs {

inline axm::SystemConfig good() {
  using namespace axm;
  SystemConfig c;
  c.clocks = {4, 21};
  c.dram.timing = {.CL = 7,
                   .CWL = 6,
                   .tRCD = 7,
                   .tRP = 7,
                   .tRAS = 19,
                   .tRC = 26,
                   .tRRD = 6,
                   .tFAW = 21,
                   .tCCD = 4,
                   .tWTR = 4,
                   .tRTP = 4,
                   .tWR = 8,
                   .tRFC = 84,
                   .tREFI = 4064,
                   .read_to_write = 7};
  c.dram.bytes = 1U << 29;
  c.controller.policy = "zynq-ddrc";
  c.controller.number("starve_clocks") = 64;
  c.controller.number("run_length") = 8;
  c.controller.number("min_non_critical_clocks") = 32;
  c.paths.resize(1);
  c.ports.resize(1);
  StreamConfig s;
  s.bytes = 4096;
  c.streams = {s, s};
  c.streams[1].dir = kWrite;
  c.streams[1].base = 8192;
  c.streams[0].partner = 1;
  c.streams[1].partner = 0;
  c.streams[0].loopback_bursts = c.streams[1].loopback_bursts = 4;
  return c;
}

} // namespace configs
