// AXI Traffic Generator (PG125) in its advanced mode: lists of commands for reads and writes, which
// are executed together, and a RAM as source and destination of data.
//
// Limits       One burst of a direction at a time. Commands are INCR, of whole beats, neither
// repeated,
//              delayed nor dependent on others; no loop. Nothing reaches its RAM by its slave's
//              master.
#pragma once

#include <array>

#include "clocked.hpp"
#include "descriptor.hpp"

namespace axm::vendor {

class AxiTrafficGen final : public Clocked {
public:
  AxiTrafficGen(Master &memory, Objections &objections, const Options &options);

  std::uint32_t window_bytes() const override { return 1U << 16; }
  bool interrupt() override;
  void reset() override;

private:
  static constexpr std::uint32_t kCommands = 256, kRam = 0x2000;
  struct Side {
    std::array<std::uint32_t, 4 * kCommands> commands{};
    std::array<std::uint32_t, kCommands> parameters{}, high{};
    std::array<bool, kCommands> told{}; // its parameters were written
    std::uint32_t next = 0;
    unsigned left_clocks = 0;
    bool done = true;
  };

  std::uint32_t read_now(std::uint32_t address) override;
  void write_now(std::uint32_t address, std::uint32_t value) override;
  void tick() override;
  bool busy() const override { return enabled_; }

  void raise(Rule rule, const std::string &what) { objections_.raise(rule, what); }
  void write_ram(std::uint32_t address, std::uint32_t value);
  void write_control(std::uint32_t value);
  void step(Side &side, bool writes);
  void check(const Side &side, std::uint32_t number, std::uint64_t address, std::uint32_t bytes);

  Options options_;
  Objections &objections_;
  std::array<MemoryPort, 2> memory_;
  std::array<Side, 2> sides_; // reads, writes
  std::array<std::uint8_t, kRam> ram_{};
  std::uint32_t status_ = 0, enable_ = 0;
  bool enabled_ = false;
};

} // namespace axm::vendor
