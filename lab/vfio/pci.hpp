// The PCI device that a design is shown as: 256 bytes of configuration space, BAR 0 with the
// design's registers, and INTA, or also BAR 1 with the table of one MSI-X vector.
//
// No vendor number has been assigned to the design. Drivers look at its identification block.
#pragma once

#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace axm::vfio {

inline constexpr std::uint32_t kTableBytes = 4096; // of BAR 1

class ConfigSpace {
public:
  ConfigSpace(std::uint32_t window_bytes, bool msix) : window_bytes_(window_bytes), msix_(msix) {
    reset();
  }

  // Accesses are within the 256 bytes.
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  }
  void write(std::uint64_t offset, std::span<const std::uint8_t> in) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::uint8_t mask = writable_[offset + i];
      std::uint8_t &byte = bytes_[offset + i];
      byte = static_cast<std::uint8_t>((byte & ~mask) | (in[i] & mask));
    }
  }
  // The guest lets the device be a master.
  bool bus_master() const { return (bytes_[PCI_COMMAND] & PCI_COMMAND_MASTER) != 0; }
  bool msix() const { return msix_; }
  void reset() {
    bytes_.fill(0);
    writable_.fill(0);
    put(PCI_VENDOR_ID, kVendor | kDeviceId << 16, 4);
    put(PCI_COMMAND, 0, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_INTX_DISABLE);
    put(PCI_CLASS_REVISION, kSignalProcessing << 8, 4);
    // The low bits of a BAR stay 0: that is how its size is found.
    put(PCI_BASE_ADDRESS_0, 0, 4, ~(window_bytes_ - 1));
    put(PCI_SUBSYSTEM_VENDOR_ID, kVendor | kSubsystemId << 16, 4);
    put(PCI_INTERRUPT_LINE, 0, 1, 0xff);
    put(PCI_INTERRUPT_PIN, 1, 1);
    if (!msix_)
      return;
    put(PCI_BASE_ADDRESS_1, 0, 4, ~(kTableBytes - 1));
    put(PCI_STATUS, PCI_STATUS_CAP_LIST, 2);
    put(PCI_CAPABILITY_LIST, kMsix, 1);
    put(kMsix, PCI_CAP_ID_MSIX, 2); // the last capability, of one vector
    put(kMsix + PCI_MSIX_FLAGS, 0, 2, PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
    put(kMsix + PCI_MSIX_TABLE, 1, 4); // BAR 1, offset 0
    put(kMsix + PCI_MSIX_PBA, 0x800 | 1, 4);
  }

private:
  static constexpr std::uint32_t kVendor = 0x1234, kDeviceId = 0x4158, kSubsystemId = 0x4d31;
  static constexpr std::uint32_t kSignalProcessing = 0x118000;
  static constexpr std::size_t kMsix = 0x40;

  void put(std::size_t offset, std::uint32_t value, std::size_t bytes, std::uint32_t writable = 0) {
    for (std::size_t i = 0; i < bytes; ++i) {
      bytes_[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
      writable_[offset + i] = static_cast<std::uint8_t>(writable >> (8 * i));
    }
  }

  std::uint32_t window_bytes_;
  bool msix_;
  std::array<std::uint8_t, 256> bytes_{}, writable_{};
};

// The device's interrupt line as the client's event descriptors: INTx, which masks itself until the
// client unmasks it, or one MSI-X vector, sent when the line rises.
class Interrupts {
public:
  Interrupts() = default;
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;
  ~Interrupts() {
    connect(VFIO_PCI_INTX_IRQ_INDEX, -1);
    connect(VFIO_PCI_MSIX_IRQ_INDEX, -1);
  }

  // Takes `fd` over; -1 takes the descriptor away.
  void connect(std::uint32_t index, int fd) {
    int &mine = index == VFIO_PCI_INTX_IRQ_INDEX ? intx_ : msix_;
    if (mine >= 0)
      ::close(mine);
    mine = fd;
    if (index == VFIO_PCI_INTX_IRQ_INDEX)
      masked_ = false;
    level_ = false; // the next look at the line is an edge if it is up
  }
  void mask_intx(bool masked) { masked_ = masked; }
  // The line is at `level`. A write to a register (`touched`) while it stays up sends the vector
  // again: a cause that came in the clock in which another was cleared has no edge.
  void follow(bool level, bool touched) {
    const bool edge = level && (!level_ || touched);
    level_ = level;
    if (edge && msix_ >= 0)
      signal(msix_);
    if (level && intx_ >= 0 && !masked_) {
      masked_ = true;
      signal(intx_);
    } else if (!level && masked_ && taken_back()) {
      masked_ = false;
    }
  }

private:
  static void signal(int fd) {
    const std::uint64_t one = 1;
    // An event descriptor that is full has been signalled already.
    [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
  }
  // A line that has fallen before a slow client looked interrupts nobody: what it heard only then
  // would stay up until it touches a register again, which software with nothing to do never does.
  bool taken_back() const {
    std::uint64_t count = 0;
    return intx_ >= 0 && (::fcntl(intx_, F_GETFL) & O_NONBLOCK) != 0 &&
           ::read(intx_, &count, sizeof count) == sizeof count;
  }
  int intx_ = -1, msix_ = -1;
  bool masked_ = false, level_ = false;
};

} // namespace axm::vfio
