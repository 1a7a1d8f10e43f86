// What a run is measured by. Everything here is a sum (or a histogram, which is
// one), so that intervals that recur can be added without being simulated again.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "axiometer/model/types.hpp"

namespace axm {

// Each DRAM clock of the run is in exactly one of these.
enum BusClass {
  kReadData,
  kWriteData,
  kReadToWrite,
  kWriteToRead,
  kActivatePrecharge,
  kRefresh,
  kIdleNoRequest,
  kIdlePort,
  kIdlePath,
  kBusClasses
};
inline constexpr std::array<const char *, kBusClasses> kBusClassNames = {
    "read_data", "write_data",      "read_to_write", "write_to_read", "activate_precharge",
    "refresh",   "idle_no_request", "idle_port",     "idle_path"};

// Each PL cycle of each stream is in exactly one of these.
enum StreamClass {
  kData,
  kLaunch,
  kMaster,
  kPartner,
  kPath,
  kController,
  kLatency,
  kDone,
  kStreamClasses
};
inline constexpr std::array<const char *, kStreamClasses> kStreamClassNames = {
    "data", "launch", "master", "partner", "path", "controller", "latency", "done"};

enum DramCount { kReads, kWrites, kActivates, kPrecharges, kRefreshes, kDramCounts };
inline constexpr std::array<const char *, kDramCounts> kDramCountNames = {
    "reads", "writes", "activates", "precharges", "refreshes"};

// Latencies in PL cycles: exact below 512, then 1/64 of a power of two a bin.
struct Histogram {
  static constexpr int kExact = 512;
  static constexpr int kPerOctave = 64;
  static constexpr int kBins = kExact + kPerOctave * 20;
  static int bin(Cycle latency) {
    return static_cast<std::uint64_t>(latency) < kExact ? static_cast<int>(latency)
                                                        : wide_bin(latency);
  }
  static Cycle value(int bin); // the least latency of the bin

private:
  static int wide_bin(Cycle latency); // also of negative ones, which are as 0
};

struct StreamStats {
  std::array<std::int64_t, kStreamClasses> classes{}; // PL cycles
  std::int64_t bursts = 0;
  std::int64_t latency_sum = 0;
  std::int64_t latency[Histogram::kBins] = {};
  // Longest time without a beat between two beats, since the first one; -1: not counted. Of
  // usp-ddrc only, and of the whole run, what is left out at its start included.
  Cycle longest_wait = -1;
};

struct DramStats {
  std::array<std::int64_t, kBusClasses> classes{}; // DRAM clocks
  std::array<std::int64_t, kDramCounts> counts{};
};

// When beats moved, as a counter beside the master sees them: how many, the first and the last
// one, and how often so many cycles lay between two of them (1: one after the other).
struct BeatTimes {
  std::int64_t count = 0;
  Cycle first = 0, last = 0;
  std::map<Cycle, std::int64_t> between;

  // `beats` of them, one a cycle from `at` on, which is after all before.
  void run(Cycle at, std::int64_t beats) {
    if (beats <= 0)
      return;
    if (count == 0)
      first = at;
    else
      ++between[at - last];
    if (beats > 1)
      between[1] += beats - 1;
    count += beats;
    last = at + beats - 1;
  }
};

struct StreamResult {
  Cycle launch = 0;
  Cycle end = 0; // the cycle after its last beat (read) or response (write)
  std::uint64_t bytes = 0;
  StreamStats stats;
  std::optional<BeatTimes> beats{}; // if the run records them
  std::int64_t payload = -1; // of a source: bytes of its transfer that have moved; -1: `bytes` are
};

struct RepeatResult {
  Clk clocks = 0; // from 0 to the completion of the last stream
  Cycle cycles = 0;
  DramStats dram;
  std::vector<StreamResult> streams;
  std::vector<StreamResult> whole; // of a stepped run of which a part is measured: all of it
  // Of a run of which a part is measured:
  bool measured = false;
  Cycle begins = 0;            // of the part
  double half_width = -1;      // of the 95 % interval of its rate, as a share of it; -1: unknown
  bool settled = false;        // whether the rate had settled
  bool may_drift = false;      // it had, but another may follow: accounting/measurement.hpp
  std::uint64_t intervals = 0; // refresh intervals in the run
  std::uint64_t skipped_intervals = 0; // of these, taken from memory
  // Of a stepped port of the processor's side: cycles of the first and the last beat, if any.
  std::optional<std::pair<Cycle, Cycle>> beats{};
};

} // namespace axm
