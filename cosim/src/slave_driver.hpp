// A general-purpose master port of the processor at a slave in RTL: bursts come at the clocks at
// which the model's port has them there; the slave ends them.
//
// Purpose      The processor's copies, and those of its DMA engine, on a slave in the fabric
//              (axiometer/model/transfer_run.hpp, OutsideSlave).
// Limits       One burst at a time. Addresses run through the slave's memory, again and again;
//              every word that is read must be the one that was written there.
#pragma once

#include <cstdint>

#include "axiometer/model/transfer_run.hpp"
#include "simulation.hpp"

namespace axm::cosim {

class SlaveDriver {
public:
  // `bytes`: of the slave's memory, a multiple of 64.
  SlaveDriver(Simulation &simulation, std::uint32_t bytes)
      : simulation_(simulation), bytes_(bytes) {}

  // Writes the first `size` bytes of the slave's memory; reads them, with the number of
  // wrong words in a std::runtime_error. Neither is part of a transfer.
  void fill(std::uint64_t size, std::uint32_t seed);
  void check(std::uint64_t size, std::uint32_t seed);
  // One transfer of the processor. std::runtime_error if the slave answers wrongly or not at all.
  processor::Outcome transfer(const processor::Config &config, std::uint32_t seed);

private:
  processor::Served serve(std::int64_t at, int beats, bool read);
  void idle_until(std::int64_t clock);
  FromSlave tick(ToSlave &pins);
  static std::uint32_t word(std::uint32_t address, std::uint32_t seed);

  Simulation &simulation_;
  std::uint32_t bytes_;
  std::uint32_t seed_ = 0, address_ = 0;
  std::uint64_t wrong_ = 0;
  std::int64_t clock_ = 0;
  bool answered_ = false; // a response stands, and is taken with the next clock
};

} // namespace axm::cosim
