// The chip as a design's AXI ports meet it, clock by clock. Two chips there are: that of the
// memory model, command by command, and a single port of the processor's side (port_chip.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "axiometer/model/processor/config.hpp"
#include "axiometer/model/stepped_chip.hpp"

namespace axm::cosim {

// As SteppedChip, but for takes_write_beat: `begins` is the number of beats of the burst whose
// address comes in this very cycle, 0 if none comes.
class Chip {
public:
  virtual ~Chip() = default;
  virtual Cycle now() const = 0;
  virtual bool takes_address(std::size_t stream) const = 0;
  virtual bool takes_write_beat(std::size_t stream, int begins) const = 0;
  // Streams with a beat to read, or a response, in this cycle, a bit each.
  std::uint64_t due() const { return due_; }
  virtual void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
                     bool takes_response) = 0;
  virtual void step() = 0;
  // To be called once; the DRAM commands are appended to `trace`, if the chip has them.
  virtual RepeatResult result(Trace *trace) = 0;
  // The cycles of the first and the last beat, if the chip records them and there were any.
  virtual std::optional<std::pair<Cycle, Cycle>> beats() const { return std::nullopt; }

protected:
  std::uint64_t due_ = 0;
};

// Start of a new chip. The last two are for a port of the processor's side only: base units
// at PL cycle 0, and the DRAM clock of the first refresh.
struct Start : RepeatStart {
  std::int64_t origin = 0;
  int refresh_phase = 0;
};

// Ports, streams and bytes of memory; the rest of the configuration is private to the chip.
struct Plan {
  SystemConfig outline;
  std::function<std::unique_ptr<Chip>(const Start &)> make;
  // Of a design with a slave: the processor that is its master, and the bytes of its memory.
  std::optional<processor::Config> processor = std::nullopt;
  std::uint32_t slave_bytes = 0;
};

// Nothing at the ports, for designs that have none.
class NoChip final : public Chip {
public:
  Cycle now() const override { return now_; }
  bool takes_address(std::size_t) const override { return false; }
  bool takes_write_beat(std::size_t, int) const override { return false; }
  void drive(std::size_t, const std::optional<BurstRequest> &, bool, bool) override {}
  void step() override { ++now_; }
  RepeatResult result(Trace *) override { return {}; }

private:
  Cycle now_ = 0;
};

class CommandChip final : public Chip {
public:
  CommandChip(const SystemConfig &config, const RepeatStart &start) : chip_(config, start) {}
  Cycle now() const override { return chip_.now(); }
  bool takes_address(std::size_t stream) const override { return chip_.takes_address(stream); }
  bool takes_write_beat(std::size_t stream, int begins) const override {
    return chip_.takes_write_beat(stream, begins > 0);
  }
  void drive(std::size_t stream, const std::optional<BurstRequest> &begins, bool moves,
             bool takes_response) override {
    chip_.drive(stream, begins, moves, takes_response);
  }
  void step() override {
    chip_.step();
    due_ = chip_.due();
  }
  RepeatResult result(Trace *trace) override { return chip_.result(trace); }

private:
  SteppedChip chip_;
};

inline Plan plan_of(const SystemConfig &config) {
  return {config,
          [config](const Start &start) { return std::make_unique<CommandChip>(config, start); }};
}

} // namespace axm::cosim
