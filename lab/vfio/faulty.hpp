// A device with a fault, for drivers that must live with it; and one that dies, for all of them.
//
//   a seed  it lies: now and then a register reads as something else, or a descriptor's completion
//   is
//           overwritten in the guest's memory. Block 0, and the identification and capabilities of
//           the others, stay true, so that the driver starts. The masters stay honest: only an
//           IOMMU stops a device that writes to other memory.
//   stuck   the writing half never comes to rest after its first abort
//   deaf    every second interrupt is lost: the line rises without a message
//   quick   no fault, a trap: an abort has ended before software looks again
//   gated   no fault, a trap: its clock has a gate, bit 0 at the window's last block, closed at
//           first. An access while it is closed, which hangs a processor, is an objection.
//
// While it is dead, registers read as ones, writes are lost, no clock passes and no interrupt
// comes, as without power. The client's connection stays: QEMU 11.1 ends itself when that is cut in
// the middle of an access. One that lives again begins with a reset.
#pragma once

#include <atomic>
#include <map>
#include <random>
#include <string_view>

#include "device.hpp"
#include "guest_memory.hpp"

namespace axm::vfio {

class Faulty final : public Device {
public:
  // `fault`: as above, or empty. `dead` may change at any time, by a signal's handler too.
  // std::invalid_argument if `fault` is none of these.
  Faulty(Device &sound, GuestMemory &memory, std::string_view fault, const std::atomic<bool> &dead);

  bool objects() const { return objects_; }

  std::uint32_t window_bytes() const override { return sound_.window_bytes(); }
  std::optional<std::uint32_t> read(std::uint32_t address) override;
  bool write(std::uint32_t address, std::uint32_t value) override;
  bool interrupt() override;
  bool run(unsigned clocks) override;
  void reset() override;

private:
  bool lives();
  bool at_gate(std::uint32_t address) const;
  bool hangs(std::string_view how, std::uint32_t address);
  bool chance(unsigned of) { return random_() % of == 0; }
  std::optional<std::uint32_t> lie(std::uint32_t word);
  void overwrite();

  Device &sound_;
  GuestMemory &memory_;
  const std::atomic<bool> &dead_;
  bool stuck_, deaf_, quick_, gated_, lies_;
  bool died_ = false; // when last looked at
  bool open_, objects_ = false;
  bool aborted_ = false, line_ = false, lost_ = false;
  std::mt19937 random_;
  std::map<std::uint32_t, std::uint32_t> rings_; // by the register of the address, which it holds
};

} // namespace axm::vfio
