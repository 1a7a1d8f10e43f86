// A verilated top on the guest's memory at the times of a simulated chip, for ../vfio/ and
// ../window/.
//
// When software aborts the writing half of a DMA engine, as it does when it closes a channel, and
// at the end, it prints on standard error what the ports have done since:
//
//   work: clocks=N periods=N read_bytes=N written_bytes=N pl_period_ps=N
#include <fstream>
#include <iostream>

#include "chip_config.hpp"
#include "chip_memory.hpp"
#include "generated/dma.h"
#include "rtl_device.hpp"
#include "served.hpp"

namespace axm::vfio {

namespace {

struct Chip {
  SystemConfig config;
  std::uint64_t period_ps = 0;
};

// As axm_cosim reads it: the chip's keys, and `pl_period_ps`.
Chip read(std::string_view name) {
  std::ifstream file{std::string(name)};
  if (!file)
    throw std::invalid_argument("cannot read " + std::string(name));
  cosim::KeyValues values(file);
  Chip chip{cosim::read_chip(values), 0};
  chip.period_ps = static_cast<std::uint64_t>(values.integer("pl_period_ps", 1));
  values.expect_no_more();
  return chip;
}

class OnChip final : public Served {
public:
  OnChip(const Chip &chip, GuestMemory &memory)
      : period_ps_(chip.period_ps), memory_(chip.config, memory), design_(memory_),
        device_(design_, *this) {}
  ~OnChip() override { say(); }
  Device &device() override { return device_; }
  bool objects() const override { return memory_.objects(); }
  std::string_view origin() const override {
    return "times are of the simulated chip's fabric and memory only; the processor is emulated "
           "and adds none";
  }

private:
  // The design, whose engine's end is heard of.
  class Heard final : public Device {
  public:
    Heard(Device &design, OnChip &of) : design_(design), of_(of) {}
    std::uint32_t window_bytes() const override { return design_.window_bytes(); }
    std::optional<std::uint32_t> read(std::uint32_t address) override {
      return design_.read(address);
    }
    bool write(std::uint32_t address, std::uint32_t value) override {
      const bool good = design_.write(address, value);
      if (address % kBlock == AXM_DMA_WR_CONTROL && (value & AXM_DMA_WR_CONTROL__ABORT_MASK) != 0) {
        (void)design_.read(address); // which waits for the end of its bursts under way
        of_.say();
      }
      return good;
    }
    bool interrupt() override { return design_.interrupt(); }
    bool run(unsigned clocks) override { return design_.run(clocks); }
    void reset() override { design_.reset(); }

  private:
    static constexpr std::uint32_t kBlock = 4096; // bytes of a block's registers
    Device &design_;
    OnChip &of_;
  };

  void say() {
    const Work work = memory_.take_work();
    if (work.clocks != 0)
      std::cerr << "work: clocks=" << work.clocks << " periods=" << work.periods
                << " read_bytes=" << work.read_bytes << " written_bytes=" << work.written_bytes
                << " pl_period_ps=" << period_ps_ << std::endl;
  }

  std::uint64_t period_ps_;
  ChipMemory memory_;
  RtlDevice design_;
  Heard device_;
};

} // namespace

std::unique_ptr<Served> served(GuestMemory &memory, unsigned, std::string_view option) {
  return std::make_unique<OnChip>(read(after("--chip=", option)), memory);
}

} // namespace axm::vfio
