#include "server.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace axm::vfio {

namespace {

// Clocks between two looks at the socket while the design works; how many clocks without a
// movement are rest. Then a message is waited for, and some clocks pass for each wait: until the
// longest of the design's timers has run out (65536 clocks), and thereafter.
constexpr unsigned kBurstClocks = 64, kStillClocks = 1024, kTimedClocks = 1 << 17;
constexpr unsigned kRestClocks = 512, kIdleClocks = 16;
constexpr int kRestMs = 1;
constexpr std::uint32_t kFlagReset = 1, kFlagPci = 2;                 // of a device
constexpr std::uint32_t kReadable = 1, kWritable = 2;                 // of a region, a mapping
constexpr std::uint32_t kEventFd = 1, kMaskable = 2, kAutomasked = 4; // of an interrupt
constexpr std::uint32_t kNoResize = 8;
constexpr std::uint32_t kDataNone = 1, kDataBool = 2, kDataEventFd = 4; // of SET_IRQS
constexpr std::uint32_t kActionMask = 8, kActionUnmask = 16, kActionTrigger = 32;
constexpr std::uint32_t kUnmapAll = 2;
// Region n's offsets begin here; VFIO's own choice.
constexpr int kRegionShift = 40;

template <class T> bool take(const Message &message, T &value) {
  if (message.body.size() < sizeof value)
    return false;
  std::memcpy(&value, message.body.data(), sizeof value);
  return true;
}

template <class T> void give(std::vector<std::uint8_t> &out, const T &value) {
  const auto *const bytes = reinterpret_cast<const std::uint8_t *>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

int take_fd(Message &message, std::size_t number) {
  if (number >= message.fds.size())
    return -1;
  return std::exchange(message.fds[number], -1);
}

} // namespace

Server::Server(Device &device, GuestMemory &memory, bool msix)
    : device_(device), memory_(memory), config_(device.window_bytes(), msix) {}

void Server::reset() {
  device_.reset();
  config_.reset();
  memory_.allow(false);
}

void Server::serve(Connection &connection) {
  Message message;
  unsigned still = kStillClocks;
  while (!connection.closed()) {
    // All that has come is answered before more time passes: the client waits.
    while (connection.receive(message, still >= kStillClocks ? kRestMs : 0)) {
      Bytes out;
      const std::uint32_t error = obey(message, out);
      if (error != 0)
        out.clear();
      connection.reply(message.header, out, error);
      for (int &fd : message.fds)
        Interrupts::close_unused(fd);
      still = 0;
    }
    const unsigned clocks = still < kStillClocks   ? kBurstClocks
                            : still < kTimedClocks ? kRestClocks
                                                   : kIdleClocks;
    still = device_.run(clocks) ? 0 : std::min(still + clocks, kTimedClocks);
    interrupts_.follow(device_.interrupt(), false);
  }
  memory_.unmap_all();
  interrupts_.clear();
}

std::uint32_t Server::obey(Message &message, Bytes &out) {
  if ((message.header.flags & kTypeMask) == kReply)
    throw std::runtime_error("a reply without a request");
  switch (message.header.command) {
  case kVersion:
    return version(message, out);
  case kDmaMap:
    return map(message);
  case kDmaUnmap:
    return unmap(message, out);
  case kGetInfo:
    give(out, DeviceInfo{sizeof(DeviceInfo), kFlagReset | kFlagPci, kRegions, kIrqs});
    return 0;
  case kGetRegionInfo:
    return region_info(message, out);
  case kGetIrqInfo:
    return irq_info(message, out);
  case kSetIrqs:
    return set_irqs(message);
  case kRegionRead:
    return read_region(message, out);
  case kRegionWrite:
    return write_region(message, out);
  case kRegionWriteMulti:
    return write_many(message, out);
  case kReset:
    reset();
    return 0;
  default:
    return ENOTSUP;
  }
}

std::uint32_t Server::version(const Message &message, Bytes &out) {
  Version asked{};
  if (!take(message, asked) || asked.major != 0)
    return EINVAL;
  give(out, Version{0, 0});
  const std::string text = R"({"capabilities":{"max_msg_fds":)" + std::to_string(kMostFds) +
                           R"(,"max_data_xfer_size":65536,"write_multiple":true}})";
  out.insert(out.end(), text.begin(), text.end());
  out.push_back(0);
  return 0;
}

std::uint32_t Server::map(Message &message) {
  DmaMap m{};
  if (!take(message, m))
    return EINVAL;
  return static_cast<std::uint32_t>(
      memory_.map(m.address, m.size, take_fd(message, 0), m.offset, (m.flags & kWritable) != 0));
}

std::uint32_t Server::unmap(const Message &message, Bytes &out) {
  DmaUnmap m{};
  if (!take(message, m))
    return EINVAL;
  give(out, m);
  if ((m.flags & kUnmapAll) != 0) {
    memory_.unmap_all();
    return 0;
  }
  return static_cast<std::uint32_t>(memory_.unmap(m.address, m.size));
}

std::uint32_t Server::region_info(const Message &message, Bytes &out) const {
  RegionInfo info{};
  if (!take(message, info) || info.index >= kRegions)
    return EINVAL;
  info.argsz = sizeof info;
  info.flags = kReadable | kWritable;
  info.capabilities = 0;
  info.offset = static_cast<std::uint64_t>(info.index) << kRegionShift;
  info.size = info.index == kBar0Region                     ? device_.window_bytes()
              : info.index == kBar1Region && config_.msix() ? kTableBytes
              : info.index == kConfigRegion                 ? 256
                                                            : 0;
  if (info.size == 0)
    info.flags = 0;
  give(out, info);
  return 0;
}

std::uint32_t Server::irq_info(const Message &message, Bytes &out) const {
  IrqInfo info{};
  if (!take(message, info) || info.index >= kIrqs)
    return EINVAL;
  info.argsz = sizeof info;
  info.flags = 0;
  info.count = 0;
  if (info.index == Interrupts::kIntx) {
    info.flags = kEventFd | kMaskable | kAutomasked;
    info.count = 1;
  } else if (info.index == Interrupts::kMsix && config_.msix()) {
    info.flags = kEventFd | kNoResize;
    info.count = 1;
  }
  give(out, info);
  return 0;
}

std::uint32_t Server::set_irqs(Message &message) {
  SetIrqs s{};
  if (!take(message, s) || (s.index != Interrupts::kIntx && s.index != Interrupts::kMsix))
    return EINVAL;
  if (s.start != 0 || s.count > 1)
    return EINVAL; // there is one of each
  const auto kind = static_cast<Interrupts::Kind>(s.index);
  if ((s.flags & (kActionMask | kActionUnmask)) != 0) {
    if (kind == Interrupts::kIntx)
      interrupts_.mask_intx((s.flags & kActionMask) != 0);
  } else if ((s.flags & kActionTrigger) != 0 && (s.flags & (kDataNone | kDataEventFd)) != 0) {
    interrupts_.connect(kind, take_fd(message, 0));
  } else if ((s.flags & kDataBool) == 0) {
    return EINVAL;
  }
  return 0;
}

std::uint32_t Server::read_region(const Message &message, Bytes &out) {
  RegionAccess a{};
  if (!take(message, a) || a.count == 0 || a.count > 65536)
    return EINVAL;
  give(out, a);
  out.resize(sizeof a + a.count);
  const std::span<std::uint8_t> data(out.data() + sizeof a, a.count);
  if (a.region == kConfigRegion)
    return config_.read(a.offset, data) ? 0 : EINVAL;
  if (a.region == kBar1Region && config_.msix() && a.offset < kTableBytes)
    return 0; // the client has the table itself
  if (a.region != kBar0Region || a.count > 8 || a.offset > device_.window_bytes() ||
      a.count > device_.window_bytes() - a.offset)
    return EINVAL;
  // Words that are read in parts are read as wholes; software for the design does not do this.
  for (std::uint64_t at = a.offset & ~3ULL; at < a.offset + a.count; at += 4) {
    const std::uint32_t word = device_.read(static_cast<std::uint32_t>(at)).value_or(~0U);
    for (std::uint64_t b = 0; b < 4; ++b)
      if (at + b >= a.offset && at + b < a.offset + a.count)
        data[at + b - a.offset] = static_cast<std::uint8_t>(word >> (8 * b));
  }
  return 0;
}

std::uint32_t Server::store(const RegionAccess &a, std::span<const std::uint8_t> data) {
  if (a.region == kConfigRegion) {
    const bool there = config_.write(a.offset, data);
    memory_.allow(config_.bus_master());
    return there ? 0 : EINVAL;
  }
  if (a.region == kBar1Region && config_.msix() && a.offset < kTableBytes)
    return 0;
  if (a.region != kBar0Region || a.offset > device_.window_bytes() ||
      data.size() > device_.window_bytes() - a.offset || a.offset % 4 != 0 ||
      (data.size() != 4 && data.size() != 8))
    return EINVAL; // registers take whole words
  for (std::size_t i = 0; i < data.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, data.data() + i, sizeof word);
    device_.write(static_cast<std::uint32_t>(a.offset + i), word);
  }
  interrupts_.follow(device_.interrupt(), true);
  return 0;
}

std::uint32_t Server::write_region(const Message &message, Bytes &out) {
  RegionAccess a{};
  if (!take(message, a) || a.count == 0 || a.count != message.body.size() - sizeof a)
    return EINVAL;
  give(out, a);
  return store(a, std::span(message.body).subspan(sizeof a));
}

// Each element is an access and eight bytes; the access has the number of valid bytes.
std::uint32_t Server::write_many(const Message &message, Bytes &out) {
  constexpr std::size_t kElement = sizeof(RegionAccess) + 8;
  WriteMulti many{};
  if (!take(message, many) || many.count > message.body.size() / kElement ||
      message.body.size() < sizeof many + many.count * kElement)
    return EINVAL;
  give(out, many);
  std::uint32_t error = 0;
  for (std::uint64_t i = 0; i < many.count; ++i) {
    const auto element = std::span(message.body).subspan(sizeof many + i * kElement, kElement);
    RegionAccess a{};
    std::memcpy(&a, element.data(), sizeof a);
    if (a.count == 0 || a.count > 8)
      return EINVAL;
    if (const std::uint32_t e = store(a, element.subspan(sizeof a, a.count)); e != 0)
      error = e;
  }
  return error;
}

} // namespace axm::vfio
