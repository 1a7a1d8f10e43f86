#include "guest_master.hpp"

#include <algorithm>
#include <cstring>

#include "bus_write.hpp"

namespace axm::vendor {

namespace {

constexpr std::size_t kPage = 4096; // regions of the guest may end at each

std::size_t in_page(std::uint64_t address, std::size_t bytes) {
  return std::min(bytes, kPage - static_cast<std::size_t>(address % kPage));
}

} // namespace

bool GuestMaster::read(std::uint64_t address, void *to, std::size_t bytes) {
  auto *out = static_cast<std::uint8_t *>(to);
  while (bytes > 0) {
    const std::size_t n = in_page(address, bytes);
    const std::uint8_t *const from = guest_.find(address, n, false);
    if (from == nullptr)
      return false;
    std::memcpy(out, from, n);
    out += n;
    address += n;
    bytes -= n;
  }
  return true;
}

bool GuestMaster::write(std::uint64_t address, const void *from, std::size_t bytes) {
  const auto *in = static_cast<const std::uint8_t *>(from);
  while (bytes > 0) {
    const std::size_t n = in_page(address, bytes);
    std::uint8_t *const to = guest_.find(address, n, true);
    if (to == nullptr)
      return false;
    vfio::bus_write(to, in, n);
    in += n;
    address += n;
    bytes -= n;
  }
  return true;
}

} // namespace axm::vendor
