// A run in which a processor, its DMA engine and masters in the fabric share the memory with
// streams, and with each other. Each is a source (src/sources/), whose bursts at the memory are
// those of two streams from outside (open_run.hpp).
#pragma once

#include <vector>

#include "axiometer/model/config/processor.hpp"
#include "axiometer/model/open_run.hpp"

namespace axm {

struct SourceConfig {
  processor::Config transfer;
  int read_stream = -1, write_stream = -1;
  int fabric_port = -1;
  processor::Time read_there = 0, read_back = 0, write_there = 0, write_back = 0;
  processor::Time pace = 0, gap = 0;
  std::int64_t pace_bytes = 1;
};

template <class V> void visit(V &v, SourceConfig &s) {
  visit(v, s.transfer);
  v.table("shared", false, [&](auto &of) {
    const About travel = optional({0, processor::kMostUnits, "base units"});
    of("read_stream", s.read_stream, optional({-1, 63}),
       "stream of its reads of the memory; -1: none");
    of("write_stream", s.write_stream, optional({-1, 63}), "stream of its writes");
    of("fabric_port", s.fabric_port, optional({-1, 63}),
       "number of its port into the fabric: sources of one number share it; -1: its own");
    of("read_there", s.read_there, travel, "time of a read to its stream's port");
    of("read_back", s.read_back, travel, "time back, with its data");
    of("write_there", s.write_there, travel, "time of a write and its data to the port");
    of("write_back", s.write_back, travel, "time of its response back");
    of("pace", s.pace, travel,
       "time in which it begins pace_bytes, exactly on average; 0: no limit");
    of("pace_bytes", s.pace_bytes, optional({1, processor::kMostBuffer, "bytes"}), "see pace");
    of("gap", s.gap, travel, "least time from one of its bursts to the next");
  });
}

// std::invalid_argument names what cannot be simulated.
void check_shared(const SystemConfig &config, const std::vector<SourceConfig> &sources);

// Sources begin when their read stream is launched (or that of writes, where they have no other),
// and begin nothing from its stop on. Where that has more bytes than their transfer, the
// transfer repeats. Throws as check_shared. `plain`: with the executable specification of the
// memory.
RepeatResult run_shared(const SystemConfig &config, const std::vector<SourceConfig> &sources,
                        const RepeatStart &start, const RunOptions &options, bool plain);

} // namespace axm
