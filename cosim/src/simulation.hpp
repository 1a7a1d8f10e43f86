// The design, the chip and the processor's register accesses, on one clock.
//
// The processor is as fast as its register bus, with one exception: `start_run` gives
// the clocks at which writes to certain addresses arrive, because when a processor
// starts its DMAs is a property of the chip (the model's launch), not of this program.
// The chip's time stops from start_run until the first of these writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "axi_port.hpp"
#include "design.hpp"
#include "fabric.hpp"
#include "fault.hpp"
#include "memory.hpp"
#include "plan.hpp"
#include "watchdog.hpp"

namespace axm::cosim {

class Simulation {
public:
  // `period_ps`: of the PL clock. The i-th port of the configuration is that of the
  // design; std::invalid_argument if the two do not fit, or for no period. Functions that let time
  // pass throw std::runtime_error when the simulation hangs (watchdog.hpp).
  Simulation(Plan plan, std::uint64_t period_ps, Watchdog::Limits limits = {});

  struct Arrival {
    std::uint32_t address = 0; // of the register
    Cycle cycle = 0;           // of the chip, at which the write's handshake is
  };
  // A new chip in the state `start`. The design must be quiet: std::logic_error.
  void start_run(const SteppedStart &start, std::vector<Arrival> arrivals);
  RepeatResult result();
  // The DRAM commands of the latest result.
  const Trace &trace() const { return trace_; }

  // Register accesses; kOkay, or the bus's error response, or -1 without an answer.
  int read(std::uint32_t address, std::uint32_t &value);
  int write(std::uint32_t address, std::uint32_t value);
  // Lets `clocks` pass.
  void idle(std::uint64_t clocks);
  // The same, to see whether something has ended.
  void await(std::uint64_t clocks);
  // One clock with these pins at the design's slave, and its answer in this clock; or only the
  // answer of the next clock.
  FromSlave tick_slave(const ToSlave &pins);
  FromSlave look_at_slave();
  // Until the interrupt, at most `clocks`; whether it came.
  bool wait_for_interrupt(std::uint64_t clocks);

  std::uint64_t time_ps() const { return clocks_ * period_ps_; }
  std::uint64_t period_ps() const { return period_ps_; }
  Memory &memory() { return memory_; }
  const Plan &plan() const { return plan_; }
  Faults &faults() { return faults_; }
  // The engines beside the design, or nullptr.
  const Fabric *fabric() const { return fabric_.get(); }
  // What a design did against the AXI rules; empty if nothing.
  std::string violation() const;

private:
  void tick(bool awaiting = false);
  // Runs `step` without the fabric's engines: clocks that pass meanwhile are the design's only.
  template <class Step> void in_fabric(Step step);
  unsigned all_ports() const { return (1U << ports_.size()) - 1; } // a bit each
  Lines offer(Lines asked);
  void commit(Lines asked, Lines offered);
  // A register access under way. An engine beside the design lets clocks go by within one of ours:
  // each is one of the access, too.
  struct Access {
    Design::LiteRequest request;
    std::uint32_t *value; // what is read; nullptr of a write
    int response = -1;

    void look(const Design::LiteReply &a);
  };
  Access *access_ = nullptr;
  int access(const Design::LiteRequest &request, std::uint32_t *value);

  Plan plan_;
  std::uint64_t period_ps_;
  Design design_;
  Memory memory_;
  Faults faults_;
  std::unique_ptr<SteppedChip> chip_;
  Trace trace_;
  std::vector<AxiPort> ports_;
  std::vector<FromMaster> asked_; // of this clock, of each port
  Lines answers_ = 0;             // R and B that the chip has still to bring
  std::unique_ptr<Fabric> fabric_;
  bool in_fabric_ = false;
  Watchdog watchdog_;
  std::vector<Arrival> arrivals_; // that are still to come
  bool waiting_ = false;          // for the first of them
  std::uint64_t clocks_ = 0;
};

} // namespace axm::cosim
