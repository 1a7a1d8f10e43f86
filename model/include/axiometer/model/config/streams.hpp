// The work of a configuration: streams, accelerators, and how a free run is measured. Each `visit`
// has the members' meanings (key.hpp).
#pragma once

#include <string>

#include "axiometer/model/config/key.hpp"

namespace axm {

enum class Pattern { sequential, stride, random };

inline constexpr Word<Pattern> kPatterns[] = {
    {"sequential", Pattern::sequential}, {"stride", Pattern::stride}, {"random", Pattern::random}};
constexpr auto &words(Pattern) { return kPatterns; }

// Work in jobs, of the two halves of a pair: a job's bursts are read, it is computed, and its
// results are written. Both halves have the same but `bursts`.
struct JobConfig {
  int bursts = 0;
  int fill = 1;
  int ahead = 1;
  int setup_cycles = 0;
  int place_cycles = 0;
  int compute_cycles = 0;

  // Of the pair as a whole.
  bool alike(const JobConfig &o) const {
    return fill == o.fill && ahead == o.ahead && setup_cycles == o.setup_cycles &&
           place_cycles == o.place_cycles && compute_cycles == o.compute_cycles;
  }
};

// A master that was held up makes up for at most this many of its port's cycles, 0.65 ms at 100
// MHz.
inline constexpr std::int64_t kMostLag = std::int64_t{1} << 16;

inline constexpr std::int64_t kMostJobCycles = std::int64_t{1} << 24;

template <class V> void visit(V &v, JobConfig &j) {
  const About cycles = optional({0, kMostJobCycles, "port cycles"});
  v("job_bursts", j.bursts, optional({0, kMostJobCycles, "bursts"}),
    "bursts of this half in a job; 0: the pair has no jobs");
  v("job_fill", j.fill, optional({1, kMostJobCycles, "bursts"}),
    "bursts of a job that are read before the first is written; the rest is written as it is read");
  v("job_ahead", j.ahead, optional({1, 8, "jobs"}),
    "jobs that the pair holds, each from its first read to its last beat written");
  v("job_setup_cycles", j.setup_cycles, cycles,
    "time before a job's first read, one job after another");
  v("job_place_cycles", j.place_cycles, cycles,
    "time from there until its first write, and the next job's set-up");
  v("job_compute_cycles", j.compute_cycles, cycles,
    "time from the last of the first reads (job_fill) to the first write, one job after another");
}

// One engine of a master: reads or writes through one port.
struct StreamConfig {
  int port = 0;
  std::string name;
  int master = 0;
  bool background = false;
  bool outside = false;
  Dir dir = kRead;
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  std::uint64_t region = 0;
  int burst_bytes = 128;
  int outstanding = 4;
  int gap_cycles = 0;
  std::int64_t pace_cycles = 0;
  std::int64_t pace_bursts = 1;
  int address_cycles = 0;
  int between_cycles = 0;
  Cycle stop = -1;
  Pattern pattern = Pattern::sequential;
  std::uint64_t stride = 0;
  int partner = -1;
  int loopback_bursts = 0;
  int loopback_cycles = 0;
  JobConfig job;

  std::int64_t bursts() const {
    return static_cast<std::int64_t>((bytes - 1) / static_cast<std::uint64_t>(burst_bytes)) + 1;
  }
  // Of burst n at a port with beats of `beat` bytes: the last one has whole beats for what is left.
  int bytes_of(std::int64_t n, int beat) const {
    const std::uint64_t left =
        bytes - static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(burst_bytes);
    return left >= static_cast<std::uint64_t>(burst_bytes)
               ? burst_bytes
               : (static_cast<int>(left) + beat - 1) / beat * beat;
  }
};

// More than a stream can move in any time.
inline constexpr std::int64_t kEndlessBytes = std::int64_t{1} << 50;

template <class V> void visit(V &v, StreamConfig &s) {
  v("port", s.port, {0, 63}, "number of its port");
  v("name", s.name, optional(), "for messages and records");
  v("master", s.master, optional({0, 255}), "its number behind the port's multiplexer");
  v("background", s.background, optional(),
    "whether it is one of the chip's own masters, which records count separately");
  v("outside", s.outside, optional(),
    "whether its bursts are requested one by one, from outside the run: open_run.hpp; burst_bytes "
    "is then the longest, and keys for the time and place of bursts have no effect");
  v("direction", s.dir, {}, "as the master sees it");
  v("base", s.base, {0, kMostMemory, "bytes"}, "address of the buffer");
  v("bytes", s.bytes, {1, kEndlessBytes, "bytes"},
    "data to move; for a run by duration: more than it can move");
  v("region", s.region, {0, kMostMemory, "bytes"},
    "bursts begin in base to base + region; 0: all bytes, in sequence");
  v("burst_bytes", s.burst_bytes, {1, kMostSize, "bytes"}, "size of each burst");
  v("outstanding", s.outstanding, {1, 63, "bursts"}, "most bursts issued and not complete");
  v("gap_cycles", s.gap_cycles, {0, kMostDelay, "port cycles"}, "least idle cycles between bursts");
  v("pace_cycles", s.pace_cycles, optional({0, kMostDelay * kMostDelay, "port cycles"}),
    "time in which pace_bursts begin, exactly on average: delayed bursts catch up, by at most "
    "2^16 cycles; less than 2^20 a burst; no limit where a burst has as many beats, or with 0");
  v("pace_bursts", s.pace_bursts, optional({1, kMostDelay, "bursts"}),
    "bursts that begin in pace_cycles");
  v("address_cycles", s.address_cycles, optional({0, kMostDelay, "port cycles"}),
    "least time of a write of more than one beat from its address to its first beat; none with "
    "usp-ddrc");
  v("between_cycles", s.between_cycles, optional({0, kMostDelay, "port cycles"}),
    "latency of blocks between it and its port, there and back: delays a burst's completion");
  v("stop", s.stop, optional({-1, kMostTime, "port cycles"}),
    "end of beginning bursts; -1: it stops with the run");
  v("pattern", s.pattern, {}, "order of the bursts: burst_addresses.hpp");
  v("stride", s.stride, {0, kMostMemory, "bytes"},
    "distance from burst to burst, of the stride pattern");
  v("partner", s.partner, {-1, 63}, "loop-back: number of the other half; -1: none");
  v("loopback_bursts", s.loopback_bursts, {0, kMostCount, "bursts"},
    "bursts by which the read half may be ahead of the write half");
  v("loopback_cycles", s.loopback_cycles, {0, kMostDelay, "port cycles"},
    "time from the last beat read to the first beat written");
  visit(v, s.job);
}

// How a free run is measured: accounting/measurement.hpp.
struct MeasureConfig {
  Cycle settle = 0;
  Cycle block = 0;
  double confidence = 0;
};

template <class V> void visit(V &v, MeasureConfig &m) {
  v("settle", m.settle, {0, kMostTime, "PL cycles"}, "time at the start that is never counted");
  v("block", m.block, {0, kMostTime, "PL cycles"},
    "length of a block, of which batches are made; 0: none");
  v("confidence", m.confidence, {0},
    "the run ends when half of the interval (95 %, as a share of the rate) is at most this");
}

// Convolution accelerators at every port, in place of independent engines: sources/convolution.hpp.
struct ConvolutionConfig {
  int lanes = 0;
  int buffer_bytes = 4096;
  int turn = 1;
};

template <class V> void visit(V &v, ConvolutionConfig &c) {
  v("lanes", c.lanes, {0, kMostCount}, "accelerators behind each port; 0: none");
  v("buffer_bytes", c.buffer_bytes, {0, kMostSize, "bytes"},
    "buffer of each lane's inputs and results");
  v("turn", c.turn, {0, kMostCount, "bursts"}, "bursts of a stream before the next has its turn");
}

} // namespace axm
