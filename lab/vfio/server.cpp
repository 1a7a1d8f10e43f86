#include "server.hpp"

#include <cerrno>
#include <string_view>

namespace axm::vfio {

namespace {

// Clocks between two looks at the socket while the design works; how many clocks without a
// movement are rest. Then a message is waited for, and some clocks pass for each wait: until the
// longest of the design's timers has run out (65536 clocks), and thereafter.
constexpr unsigned kBurstClocks = 64, kStillClocks = 1024, kTimedClocks = 1 << 17;
constexpr unsigned kRestClocks = 512, kIdleClocks = 16;
constexpr int kRestMs = 1;
constexpr std::uint32_t kWritable = 2, kUnmapAll = 2; // of a mapping
constexpr int kRegionShift = 40; // region n's offsets begin here; VFIO's own choice

enum Command : std::uint16_t {
  kVersion = 1,
  kDmaMap = 2,
  kDmaUnmap = 3,
  kGetInfo = 4,
  kGetRegionInfo = 5,
  kGetIrqInfo = 7,
  kSetIrqs = 8,
  kRegionRead = 9,
  kRegionWrite = 10,
  kReset = 13,
};
// The version, 0.0, and what the server can do.
constexpr std::string_view kAnswer{"\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":65536}}\0",
                                   50};

} // namespace

void Server::serve(Connection &connection) {
  Message message;
  unsigned still = kStillClocks;
  while (!connection.closed()) {
    // All that has come is answered before more time passes: the client waits.
    while (connection.receive(message, still >= kStillClocks ? kRestMs : 0)) {
      Bytes out;
      const int error = obey(message, out);
      if (error != 0)
        out.clear();
      interrupts_.follow(device_.interrupt(), false); // before the client hears of its access
      connection.reply(message.header, out, error);
      for (const int fd : message.fds)
        if (fd >= 0)
          ::close(fd);
      still = 0;
    }
    const unsigned clocks = still < kStillClocks   ? kBurstClocks
                            : still < kTimedClocks ? kRestClocks
                                                   : kIdleClocks;
    still = device_.run(clocks) ? 0 : std::min(still + clocks, kTimedClocks);
    interrupts_.follow(device_.interrupt(), false);
  }
}

int Server::obey(Message &message, Bytes &out) {
  DmaMap map{};
  DmaUnmap unmap{};
  RegionAccess access{};
  switch (message.header.command) {
  case kVersion:
    out.assign(kAnswer.begin(), kAnswer.end());
    return 0;
  case kDmaMap:
    return message.begins_with(map) ? memory_.map(map.address, map.size, message.take_fd(),
                                                  map.offset, (map.flags & kWritable) != 0)
                                    : EINVAL;
  case kDmaUnmap:
    if (!message.begins_with(unmap))
      return EINVAL;
    append(out, unmap);
    if ((unmap.flags & kUnmapAll) == 0)
      return memory_.unmap(unmap.address, unmap.size);
    memory_.unmap_all();
    return 0;
  case kGetInfo:
    for (const std::uint32_t word :
         {16U, std::uint32_t{VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI},
          std::uint32_t{VFIO_PCI_NUM_REGIONS}, std::uint32_t{VFIO_PCI_NUM_IRQS}})
      append(out, word);
    return 0;
  case kGetRegionInfo:
    return region_info(message, out);
  case kGetIrqInfo:
    return irq_info(message, out);
  case kSetIrqs:
    return set_irqs(message);
  case kRegionRead:
  case kRegionWrite:
    if (!message.begins_with(access) || access.count > 65536 ||
        access.offset > bytes_of(access.region) ||
        access.count > bytes_of(access.region) - access.offset)
      return EINVAL;
    append(out, access);
    return message.header.command == kRegionRead
               ? read(access, out)
               : write(access, std::span(message.body).subspan(sizeof access));
  case kReset:
    device_.reset();
    config_.reset();
    memory_.allow(false);
    return 0;
  default:
    return ENOTSUP;
  }
}

std::uint32_t Server::bytes_of(std::uint32_t region) const {
  switch (region) {
  case VFIO_PCI_BAR0_REGION_INDEX:
    return device_.window_bytes();
  case VFIO_PCI_BAR1_REGION_INDEX:
    return config_.msix() ? kTableBytes : 0;
  case VFIO_PCI_CONFIG_REGION_INDEX:
    return 256;
  default:
    return 0;
  }
}

int Server::region_info(const Message &message, Bytes &out) const {
  vfio_region_info info{};
  if (!message.begins_with(info))
    return EINVAL;
  const std::uint64_t offset = static_cast<std::uint64_t>(info.index) << kRegionShift;
  const std::uint32_t size = bytes_of(info.index);
  const std::uint32_t flags = size ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0;
  append(out, vfio_region_info{sizeof info, flags, info.index, 0, size, offset});
  return 0;
}

int Server::irq_info(const Message &message, Bytes &out) const {
  vfio_irq_info info{};
  if (!message.begins_with(info))
    return EINVAL;
  const bool intx = info.index == VFIO_PCI_INTX_IRQ_INDEX;
  const bool there = intx || (info.index == VFIO_PCI_MSIX_IRQ_INDEX && config_.msix());
  std::uint32_t flags = there ? VFIO_IRQ_INFO_EVENTFD : 0;
  if (there)
    flags |= intx ? VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED : VFIO_IRQ_INFO_NORESIZE;
  append(out, vfio_irq_info{sizeof info, flags, info.index, there ? 1U : 0U});
  return 0;
}

// There is one of each.
int Server::set_irqs(Message &message) {
  vfio_irq_set set{};
  if (!message.begins_with(set) ||
      (set.index != VFIO_PCI_INTX_IRQ_INDEX && set.index != VFIO_PCI_MSIX_IRQ_INDEX))
    return EINVAL;
  if ((set.flags & VFIO_IRQ_SET_ACTION_TRIGGER) != 0)
    interrupts_.connect(set.index, message.take_fd());
  else if (set.index == VFIO_PCI_INTX_IRQ_INDEX)
    interrupts_.mask_intx((set.flags & VFIO_IRQ_SET_ACTION_MASK) != 0);
  return 0;
}

int Server::read(const RegionAccess &a, Bytes &out) {
  out.resize(sizeof a + a.count); // of BAR 1, the client has the table itself
  const std::span<std::uint8_t> data = std::span(out).subspan(sizeof a);
  if (a.region == VFIO_PCI_CONFIG_REGION_INDEX)
    config_.read(a.offset, data);
  if (a.region != VFIO_PCI_BAR0_REGION_INDEX)
    return 0;
  // Words that are read in parts are read as wholes; software for the design does not do this.
  std::uint32_t word = 0;
  for (std::uint64_t i = 0; i < a.count; ++i) {
    const std::uint64_t at = a.offset + i;
    if (i == 0 || at % 4 == 0)
      word = device_.read(static_cast<std::uint32_t>(at & ~3ULL)).value_or(~0U);
    data[i] = static_cast<std::uint8_t>(word >> (8 * (at % 4)));
  }
  return 0;
}

int Server::write(const RegionAccess &a, std::span<const std::uint8_t> data) {
  if (data.size() != a.count)
    return EINVAL;
  if (a.region == VFIO_PCI_CONFIG_REGION_INDEX) {
    config_.write(a.offset, data);
    memory_.allow(config_.bus_master());
  }
  if (a.region != VFIO_PCI_BAR0_REGION_INDEX)
    return 0;
  if (a.offset % 4 != 0 || data.size() % 4 != 0)
    return EINVAL; // registers take whole words
  for (std::size_t i = 0; i < data.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, data.data() + i, sizeof word);
    device_.write(static_cast<std::uint32_t>(a.offset + i), word);
  }
  interrupts_.follow(device_.interrupt(), true);
  return 0;
}

} // namespace axm::vfio
