// Serves a device to one vfio-user client (QEMU 10.1 or newer: -device vfio-user-pci).
//
// Purpose      An unmodified kernel in a virtual machine drives the design as a PCI device.
// Limits       Function only: times, in clocks or in seconds, are not those of a chip. One client;
//              registers by messages (no mapped BAR); no migration.
#pragma once

#include <cstdint>
#include <span>

#include "config_space.hpp"
#include "connection.hpp"
#include "device.hpp"
#include "guest_memory.hpp"
#include "interrupts.hpp"

namespace axm::vfio {

class Server {
public:
  // `memory` is the one that the device reaches; the device is not clocked as a master while the
  // guest does not let it be one.
  Server(Device &device, GuestMemory &memory, bool msix);

  // Until the client goes. std::runtime_error if it sends nonsense.
  void serve(Connection &connection);

private:
  using Bytes = std::vector<std::uint8_t>;
  // An errno, and what is answered in `out`.
  std::uint32_t obey(Message &message, Bytes &out);
  std::uint32_t version(const Message &message, Bytes &out);
  std::uint32_t map(Message &message);
  std::uint32_t unmap(const Message &message, Bytes &out);
  std::uint32_t region_info(const Message &message, Bytes &out) const;
  std::uint32_t irq_info(const Message &message, Bytes &out) const;
  std::uint32_t set_irqs(Message &message);
  std::uint32_t read_region(const Message &message, Bytes &out);
  std::uint32_t write_region(const Message &message, Bytes &out);
  std::uint32_t write_many(const Message &message, Bytes &out);
  std::uint32_t store(const RegionAccess &access, std::span<const std::uint8_t> data);
  void reset();

  Device &device_;
  GuestMemory &memory_;
  ConfigSpace config_;
  Interrupts interrupts_;
};

} // namespace axm::vfio
