// A configuration of Zynq UltraScale+ that several tests vary.
#pragma once

#include <string>

#include "axiometer/model/config.hpp"

namespace configs {

// Of a 64-bit DDR4-2133.
inline void set_ddr4(axm::DramConfig &dram) {
  axm::DramTiming &t = dram.timing;
  t.CL = 16, t.CWL = 14, t.tRCD = 15, t.tRP = 18, t.tRAS = 34, t.tRC = 50, t.tRRD = 4, t.tFAW = 32;
  t.tCCD = 4, t.tWTR = 4, t.tRTP = 8, t.tWR = 16, t.tRFC = 276, t.tREFI = 8192;
  t.read_to_write = 12, t.tCCD_L = 6, t.tRRD_L = 6, t.tWTR_L = 8;
  dram.banks = 16;
  dram.bank_groups = 4;
}

// Two ports behind one of the controller's, one more of the video class; each reads and writes.
inline axm::SystemConfig three_ports(int burst_bytes, int gap) {
  using namespace axm;
  SystemConfig c;
  c.clocks = {9, 32};
  set_ddr4(c.dram);
  c.dram.row_bytes = 8192;
  c.dram.column_bytes = 64;
  c.dram.bytes = 1ull << 32;
  c.dram.bank_address_bits = {6, 14, 15, 16};
  c.dram.row_address_bits = {17, 31};
  c.controller.policy = "usp-ddrc";
  c.controller.entries[kRead] = 24;
  c.controller.entries[kWrite] = 64;
  c.controller.number("starve_clocks") = 64;
  c.controller.number("run_length") = 8;
  c.controller.dram_clocks = 2;
  c.controller.number("read_clocks") = 50;
  for (int p = 0; p < 2; ++p) {
    PathConfig path;
    path.name = "s" + std::to_string(p);
    path.request_clocks[kRead] = 100;
    path.request_clocks[kWrite] = 20;
    path.column_clocks = 8;
    path.ordered[kRead] = path.ordered[kWrite] = true;
    c.paths.push_back(path);
  }
  for (int p = 0; p < 3; ++p) {
    PortConfig port;
    port.name = "HP" + std::to_string(p);
    port.path = p == 0 ? 0 : 1;
    port.width_bytes = 16;
    port.part_bytes = 256;
    port.fifo_bytes[kRead] = port.fifo_bytes[kWrite] = 2048;
    port.response_clocks = 12;
    port.release_whole_burst = false;
    port.afi.inflight_parts = 8;
    if (p == 0)
      port.afi.traffic[kRead] = port.afi.traffic[kWrite] = TrafficClass::video;
    c.ports.push_back(port);
    for (const Dir d : {kRead, kWrite}) {
      StreamConfig s;
      s.port = p;
      s.dir = d;
      s.base = c.streams.size() << 24;
      s.bytes = 1ull << 40;
      s.region = (1u << 24) / static_cast<unsigned>(burst_bytes) * burst_bytes;
      s.burst_bytes = burst_bytes;
      s.outstanding = d == kRead ? 30 : 5;
      s.gap_cycles = gap;
      c.streams.push_back(s);
    }
  }
  c.measure = {500, 700, 0.002};
  return c;
}

} // namespace configs
