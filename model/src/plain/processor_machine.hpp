// The processor's side as the plain model sees it: everything that a transfer takes place in, and
// the transfers.
#pragma once

#include "processor_cpu.hpp"
#include "processor_port.hpp"

namespace axm::plain::processor {

class Machine {
public:
  explicit Machine(const Config &config);
  side::Outcome run();

private:
  // What the thread does, by `Config::master`.
  Job transfer();
  Job by_processor(); // the copy routine, or a loop of words
  Job by_dmac();      // PL330, in programs
  Job by_fabric();    // a master in the fabric
  Job by_ring();      // packets

  Job program(std::int64_t bytes);
  Job buffer_copy(Address from, Address to, std::int64_t bytes);

  const Config config_;
  Schedule schedule_;
  Books books_;
  Memory memory_;
  GpPort gp_;
  Cpu cpu_;
  SlavePort port_;
  BeatLog beats_; // of a master in the fabric
  Edges pl_;
  side::Outcome outcome_;
};

} // namespace axm::plain::processor
