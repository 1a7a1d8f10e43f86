// One source of traffic: a processor with its program, its DMA engine, a master in the fabric, a
// ring of packets. What it meets, memory and ports, is given to it.
#pragma once

#include "cpu.hpp"
#include "slave_port.hpp"

namespace axm::sources {

// The surroundings of a source. gp: its port into the fabric, which others may share; launch: its
// start; endless: whether its transfer repeats until its throttle stops it; kept: whether it
// accounts for its time; latencies: whether it notes those of its bursts at the memory.
struct Surroundings {
  Timeline &timeline;
  int number = 0; // among the sources of the timeline
  Dram &dram;
  Travel read{}, write{};
  GpPort &gp;
  Time launch = 0;
  Throttle throttle{};
  bool endless = false, kept = true, latencies = false;
  Time counted = kForever; // until when its payload counts
};

class Source {
public:
  Source(const Config &config, const Surroundings &around);
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;

  void begin();
  // std::logic_error if it has come to a halt; throws what it met.
  void check_end() const;
  side::Outcome outcome(); // after its end, if it accounts for its time
  const Latencies &latencies() const { return books_.latencies; }
  std::int64_t payload() const { return books_.payload; }
  BeatLog &beats() { return config_.master == side::Master::fabric ? beats_ : gp_.beats; }

private:
  bool reads() const { return config_.master != side::Master::memory_write; }
  bool writes() const { return config_.master != side::Master::memory_read; }
  Job work(); // its transfer, or one after the other
  // What the thread does, by `Config::master`.
  Job transfer();
  Job by_processor();   // the copy routine, or a loop of words
  Job by_dmac();        // PL330, in programs
  Job by_system_call(); // a driver's buffer
  Job by_fabric();      // a master in the fabric
  Job by_ring();        // packets

  Job program(std::int64_t first, std::int64_t bytes);
  Job burst(Transaction &t, std::int64_t byte, std::int64_t bytes); // of the DMA engine
  Job fabric_write(Transaction &t, std::int64_t byte, std::int64_t bytes, std::int64_t beats);
  Job fabric_read(Transaction &t, std::int64_t byte, std::int64_t bytes, std::int64_t beats);
  Job buffer_copy(Address from, Address to, std::int64_t bytes);

  const Config config_;
  Schedule schedule_;
  Books books_;
  Memory memory_;
  GpPort &gp_;
  Throttle throttle_;
  Cpu cpu_;
  SlavePort port_;
  BeatLog beats_;       // of a master in the fabric
  Time beats_free_ = 0; // when its next read's data may come
  Edges pl_;
  Time launch_;
  bool endless_;
  Job job_;
  side::Outcome outcome_;
};

} // namespace axm::sources
