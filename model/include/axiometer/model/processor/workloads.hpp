// The measured workloads: a copy by the processor, by its DMA engine, by a master in the fabric,
// and a ring of packets.
//
// Purpose      Each runs one transfer and enters its time into the ledger of the processor, which
//              waits for it.
// Limits       One transfer at a time. The DMA engine's thread, and the two halves of a packet
//              DMA, run beside the processor; the processor's wait has the class of their work
//              meanwhile.
#pragma once

#include "axiometer/model/processor/cpu.hpp"

namespace axm::processor {

// Everything that a transfer takes place in.
struct Machine {
  explicit Machine(const Config &given)
      : config(given), memory(config.memory, config.clocks), gp(config), beats(gp.pl()),
        cpu(config, ledger, memory, gp) {}
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  const Config config;
  Ledger ledger;
  Memory memory;
  GpPort gp;
  Beats beats; // of masters in the fabric
  Cpu cpu;
  Time frame_begins = 0, frame_ends = 0; // of a master in the fabric: its first address, its end
};

void run_dmac(Machine &machine);   // PL330, `Config::bytes` in programs of limited length
void run_fabric(Machine &machine); // a master in the fabric, through a slave port
void run_ring(Machine &machine);   // packets through a loop-back DMA

} // namespace axm::processor
