#include "faulty.hpp"

#include <array>
#include <iostream>
#include <stdexcept>
#include <string>

#include "bus_write.hpp"
#include "generated/dma.h"

namespace axm::vfio {

namespace {

constexpr std::uint32_t kWindow = 4096, kTrue = 0x10; // of a block: ID, CAPS, CAPS2
constexpr unsigned kReads = 40, kRuns = 200;          // one in so many is a lie
constexpr unsigned kQuick = 10000; // clocks, far more than what is under way takes
constexpr std::uint32_t kDescriptor = 32, kEntries = 16, kDone = 24;

} // namespace

Faulty::Faulty(Device &sound, GuestMemory &memory, std::string_view fault,
               const std::atomic<bool> &dead)
    : sound_(sound), memory_(memory), dead_(dead), stuck_(fault == "stuck"), deaf_(fault == "deaf"),
      quick_(fault == "quick"), gated_(fault == "gated"),
      lies_(!fault.empty() && !stuck_ && !deaf_ && !quick_ && !gated_), open_(!gated_) {
  if (lies_)
    random_.seed(static_cast<std::uint32_t>(std::stoul(std::string(fault))));
}

bool Faulty::lives() {
  const bool dead = dead_;
  if (died_ && !dead)
    sound_.reset();
  died_ = dead;
  return !dead;
}

bool Faulty::at_gate(std::uint32_t address) const {
  return gated_ && address == window_bytes() - kWindow;
}

bool Faulty::hangs(std::string_view how, std::uint32_t address) {
  if (!open_ && !objects_)
    std::cerr << "objection: clock-off: software " << how << " the register at 0x" << std::hex
              << address << std::dec << " while the design's clock is off\n";
  objects_ = objects_ || !open_;
  return !open_;
}

std::optional<std::uint32_t> Faulty::lie(std::uint32_t word) {
  switch (random_() % 4) {
  case 0:
    return static_cast<std::uint32_t>(random_());
  case 1:
    return word + 1;
  case 2:
    return word ^ 1U << random_() % 32;
  default:
    return chance(8) ? std::optional<std::uint32_t>() : 0; // no answer
  }
}

std::optional<std::uint32_t> Faulty::read(std::uint32_t address) {
  if (!lives())
    return std::nullopt;
  if (at_gate(address))
    return open_ ? 1 : 0;
  if (hangs("reads", address))
    return std::nullopt;
  std::optional<std::uint32_t> word = sound_.read(address);
  if (word && aborted_ && address % kWindow == AXM_DMA_WR_STATUS)
    *word |= AXM_DMA_WR_STATUS__BUSY_MASK;
  if (word && lies_ && address >= kWindow && address % kWindow >= kTrue && chance(kReads))
    return lie(*word);
  return word;
}

bool Faulty::write(std::uint32_t address, std::uint32_t value) {
  if (!lives())
    return false;
  if (at_gate(address)) {
    open_ = (value & 1) != 0;
    return true;
  }
  if (hangs("writes", address))
    return false;
  const std::uint32_t offset = address % kWindow;
  const bool aborts = offset == AXM_DMA_WR_CONTROL && (value & AXM_DMA_WR_CONTROL__ABORT_MASK) != 0;
  aborted_ = aborted_ || (stuck_ && aborts);
  if (offset == AXM_DMA_RD_RING_BASE_LO || offset == AXM_DMA_WR_RING_BASE_LO)
    rings_[address] = value;
  // A ring that is switched off is given back, and no longer the device's to write.
  if (offset == AXM_DMA_RD_RING_CONTROL && value == 0)
    rings_.erase(address + AXM_DMA_RD_RING_BASE_LO - AXM_DMA_RD_RING_CONTROL);
  if (offset == AXM_DMA_WR_RING_CONTROL && value == 0)
    rings_.erase(address + AXM_DMA_WR_RING_BASE_LO - AXM_DMA_WR_RING_CONTROL);
  const bool done = sound_.write(address, value);
  if (quick_ && aborts)
    sound_.run(kQuick);
  return done;
}

bool Faulty::interrupt() {
  if (!lives())
    return false;
  const bool line = sound_.interrupt();
  if (line && !line_)
    lost_ = !lost_;
  line_ = line;
  return line && !(deaf_ && lost_);
}

void Faulty::overwrite() {
  const auto ring = std::next(rings_.begin(), static_cast<long>(random_() % rings_.size()));
  const std::uint32_t place = random_() % kEntries * kDescriptor + kDone;
  const std::array<std::uint32_t, 2> words{static_cast<std::uint32_t>(random_()),
                                           static_cast<std::uint32_t>(random_())};
  if (std::uint8_t *const at = memory_.find(ring->second + place, sizeof words, true))
    bus_write(at, reinterpret_cast<const std::uint8_t *>(words.data()), sizeof words);
}

bool Faulty::run(unsigned clocks) {
  if (!lives() || !open_)
    return false;
  if (lies_ && !rings_.empty() && chance(kRuns))
    overwrite();
  return sound_.run(clocks);
}

void Faulty::reset() {
  sound_.reset();
  open_ = !gated_;
}

} // namespace axm::vfio
