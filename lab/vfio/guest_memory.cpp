#include "guest_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace axm::vfio {

int GuestMemory::map(std::uint64_t address, std::uint64_t size, int fd, std::uint64_t offset,
                     bool writable) {
  Region region{size, nullptr, writable};
  if (fd >= 0) {
    void *const at = ::mmap(nullptr, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd,
                            static_cast<off_t>(offset));
    ::close(fd);
    if (at == MAP_FAILED)
      return EINVAL;
    region.bytes = static_cast<std::uint8_t *>(at);
  }
  return regions_.emplace(address, region).second ? 0 : EEXIST;
}

void GuestMemory::close(Region &region) {
  if (region.bytes != nullptr)
    ::munmap(region.bytes, region.size);
}

int GuestMemory::unmap(std::uint64_t address, std::uint64_t size) {
  const auto at = regions_.find(address);
  if (at == regions_.end() || at->second.size != size)
    return ENOENT;
  close(at->second);
  regions_.erase(at);
  return 0;
}

void GuestMemory::unmap_all() {
  for (auto &[address, region] : regions_)
    close(region);
  regions_.clear();
}

std::uint8_t *GuestMemory::find(std::uint64_t address, std::uint64_t bytes, bool for_writing) {
  auto at = regions_.upper_bound(address);
  if (!allowed_ || at == regions_.begin())
    return nullptr;
  --at;
  const Region &region = at->second;
  const std::uint64_t offset = address - at->first;
  if (region.bytes == nullptr || offset > region.size || bytes > region.size - offset ||
      (for_writing && !region.writable))
    return nullptr;
  return region.bytes + offset;
}

} // namespace axm::vfio
