// The verilated top as a device: its register bus, its ports on the guest's memory, its interrupt.
#pragma once

#include <vector>

#include "axi_memory.hpp"
#include "design.hpp"
#include "device.hpp"

namespace axm::vfio {

class RtlDevice final : public Device {
public:
  // `latency`: clocks from an address to its first beat, and from the last beat to the response.
  RtlDevice(GuestMemory &memory, unsigned latency);

  std::uint32_t window_bytes() const override { return 1U << 16; }
  std::optional<std::uint32_t> read(std::uint32_t address) override;
  bool write(std::uint32_t address, std::uint32_t value) override;
  bool interrupt() override;
  bool run(unsigned clocks) override;
  void reset() override;

private:
  bool tick();
  cosim::Design::LiteReply tick_lite(const cosim::Design::LiteRequest &request);

  cosim::Design design_;
  std::vector<AxiMemory> ports_;
  bool moved_ = false; // since the last run()
};

} // namespace axm::vfio
