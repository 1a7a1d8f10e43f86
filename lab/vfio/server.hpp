// Serves a device to one vfio-user client (QEMU 10.1 or newer: -device vfio-user-pci).
//
// Purpose      An unmodified kernel in a virtual machine drives the design as a PCI device.
// Limits       Function only: times, in clocks or in seconds, are not those of a chip. One client,
//              which is trusted; registers by messages (no mapped BAR); no migration.
#pragma once

#include "connection.hpp"
#include "device.hpp"
#include "guest_memory.hpp"
#include "pci.hpp"

namespace axm::vfio {

class Server {
public:
  // `memory` is the one that the device reaches, while the guest lets it be a master.
  Server(Device &device, GuestMemory &memory, bool msix)
      : device_(device), memory_(memory), config_(device.window_bytes(), msix) {}

  // Until the client goes.
  void serve(Connection &connection);

private:
  // An errno, and what is answered in `out`.
  int obey(Message &message, Bytes &out);
  int region_info(const Message &message, Bytes &out) const;
  int irq_info(const Message &message, Bytes &out) const;
  int set_irqs(Message &message);
  int read(const RegionAccess &access, Bytes &out);
  int write(const RegionAccess &access, std::span<const std::uint8_t> data);
  std::uint32_t bytes_of(std::uint32_t region) const;

  Device &device_;
  GuestMemory &memory_;
  ConfigSpace config_;
  Interrupts interrupts_;
};

} // namespace axm::vfio
