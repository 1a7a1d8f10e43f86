#include "lying_device.hpp"

#include "bus_write.hpp"
#include "generated/dma.h"

namespace axm::vfio {

namespace {

constexpr std::uint32_t kWindow = 4096, kTrue = 0x10; // of a block: ID, CAPS, CAPS2
constexpr unsigned kReads = 40, kRuns = 200;          // one in so many is a lie
constexpr std::uint32_t kDescriptor = 32, kEntries = 16, kDone = 24;

} // namespace

std::optional<std::uint32_t> LyingDevice::read(std::uint32_t address) {
  const std::optional<std::uint32_t> word = honest_.read(address);
  if (!word || address < kWindow || address % kWindow < kTrue || !chance(kReads))
    return word;
  switch (random_() % 4) {
  case 0:
    return static_cast<std::uint32_t>(random_());
  case 1:
    return *word + 1;
  case 2:
    return *word ^ 1U << random_() % 32;
  default:
    return chance(8) ? std::optional<std::uint32_t>() : 0; // no answer
  }
}

bool LyingDevice::write(std::uint32_t address, std::uint32_t value) {
  const std::uint32_t offset = address % kWindow;
  if (offset == AXM_DMA_RD_RING_BASE_LO || offset == AXM_DMA_WR_RING_BASE_LO)
    rings_[address] = value;
  // A ring that is switched off is given back, and no longer the device's to write.
  if (offset == AXM_DMA_RD_RING_CONTROL && value == 0)
    rings_.erase(address + AXM_DMA_RD_RING_BASE_LO - AXM_DMA_RD_RING_CONTROL);
  if (offset == AXM_DMA_WR_RING_CONTROL && value == 0)
    rings_.erase(address + AXM_DMA_WR_RING_BASE_LO - AXM_DMA_WR_RING_CONTROL);
  return honest_.write(address, value);
}

bool LyingDevice::run(unsigned clocks) {
  if (!rings_.empty() && chance(kRuns)) {
    const auto ring = std::next(rings_.begin(), static_cast<long>(random_() % rings_.size()));
    const std::uint32_t place = random_() % kEntries * kDescriptor + kDone;
    const std::array<std::uint32_t, 2> words{static_cast<std::uint32_t>(random_()),
                                             static_cast<std::uint32_t>(random_())};
    if (std::uint8_t *const at = memory_.find(ring->second + place, sizeof words, true))
      bus_write(at, reinterpret_cast<const std::uint8_t *>(words.data()), sizeof words);
  }
  return honest_.run(clocks);
}

} // namespace axm::vfio
