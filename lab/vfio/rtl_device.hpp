// The verilated top as a device: its register bus, its ports on what answers them, its interrupt.
#pragma once

#include "design.hpp"
#include "device.hpp"
#include "slaves.hpp"

namespace axm::vfio {

class RtlDevice final : public Device {
public:
  explicit RtlDevice(Slaves &slaves);

  std::uint32_t window_bytes() const override { return 1U << 16; }
  std::optional<std::uint32_t> read(std::uint32_t address) override;
  bool write(std::uint32_t address, std::uint32_t value) override;
  bool interrupt() override;
  bool run(unsigned clocks) override;
  void reset() override;

private:
  bool tick();
  void wait();
  cosim::Design::LiteReply tick_lite(const cosim::Design::LiteRequest &request);

  cosim::Design design_;
  Slaves &slaves_;
  bool moved_ = false; // since the last run()
};

} // namespace axm::vfio
