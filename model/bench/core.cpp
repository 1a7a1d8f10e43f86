// How fast the DRAM and controller are by themselves: DDR3-1066 on 64 bits, 64-byte requests,
// stores of 32 + 32 entries kept full, every command computed, nothing skipped, one core.
// Prints one line a workload: name, million requests a second, share of row hits.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "axiometer/model/dram/address.hpp"
#include "axiometer/model/targets/controller.hpp"
#include "axiometer/model/targets/switching/zynq_ddrc.hpp"

namespace {

using namespace axm;

// JESD79-3F, DDR3-1066F, 2 Gbit x8 parts: 8 on 64 bits.
DramConfig ddr3_1066() {
  DramConfig d;
  d.timing = {.CL = 7,
              .CWL = 6,
              .tRCD = 7,
              .tRP = 7,
              .tRAS = 20,
              .tRC = 27,
              .tRRD = 4,
              .tFAW = 20,
              .tCCD = 4,
              .tWTR = 4,
              .tRTP = 4,
              .tWR = 8,
              .tRFC = 86,
              .tREFI = 4160,
              .read_to_write = 7};
  d.banks = 8;
  d.row_bytes = 8192;
  d.column_bytes = 64;
  d.burst_clocks = 4;
  d.bytes = 1ULL << 31;
  return d;
}

ControllerConfig controller() {
  ControllerConfig c;
  c.policy = "zynq-ddrc";
  c.number("starve_clocks") = 64;
  c.number("run_length") = 8;
  c.number("min_non_critical_clocks") = 32;
  return c;
}

struct Source {
  Dir dir;
  std::uint64_t address;
  bool random;
  std::uint64_t state;
};

void measure(const char *name, std::vector<Source> sources, std::int64_t requests) {
  const DramConfig d = ddr3_1066();
  const AddressMap map(d);
  Controller<ZynqDdrc> c(d, controller());
  c.start(d.timing.tREFI);
  ColumnRun run;
  std::int64_t served = 0;
  std::size_t turn[2] = {0, 0};
  std::vector<std::size_t> of[2];
  for (std::size_t i = 0; i < sources.size(); ++i)
    of[sources[i].dir].push_back(i);
  const std::clock_t begin = std::clock(); // of this process: other load does not count
  while (served < requests) {
    for (const Dir dir : {kRead, kWrite})
      while (!of[dir].empty() && c.room(dir, false) > 0) {
        Source &s = sources[of[dir][turn[dir]]];
        turn[dir] = turn[dir] + 1 == of[dir].size() ? 0 : turn[dir] + 1;
        if (s.random) { // xorshift64
          s.state ^= s.state << 13;
          s.state ^= s.state >> 7;
          s.state ^= s.state << 17;
          s.address = s.state & ((1ULL << 31) - 64);
        } else {
          s.address = (s.address + 64) & ((1ULL << 31) - 1);
        }
        const Location l = map.locate(s.address);
        Part p;
        p.row = l.row;
        p.bank = l.bank;
        p.column = l.column;
        c.push(dir, p, c.now());
      }
    if (c.advance(kNever, run) == Stop::columns)
      ++served;
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const auto &n = c.books().stats().counts;
  const double columns = static_cast<double>(n[kReads] + n[kWrites]);
  std::printf("%-24s %7.2f %6.3f\n", name, static_cast<double>(served) / seconds * 1e-6,
              1.0 - static_cast<double>(n[kActivates]) / columns);
}

} // namespace

int main(int argc, char **argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 20'000'000;
  const auto stream = [](Dir d, int k) {
    // 16 MiB apart, and in banks of their own.
    return Source{d, static_cast<std::uint64_t>(k) * ((16u << 20) + 8192u), false, 0};
  };
  measure("sequential read", {stream(kRead, 0)}, n);
  measure("two streams, read/write", {stream(kRead, 0), stream(kWrite, 1)}, n);
  std::vector<Source> eight;
  for (int k = 0; k < 8; ++k)
    eight.push_back(stream(k % 2 ? kWrite : kRead, k));
  measure("eight streams", eight, n / 2);
  measure("random read", {Source{kRead, 0, true, 88172645463325252ULL}}, n / 4);
  return 0;
}
