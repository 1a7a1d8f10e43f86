#include "guest_memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace axm::vfio {

int GuestMemory::map(std::uint64_t address, std::uint64_t size, int fd, std::uint64_t offset,
                     bool writable) {
  const auto refuse = [fd](int error) {
    if (fd >= 0)
      ::close(fd);
    return error;
  };
  if (size == 0 || address + (size - 1) < address)
    return refuse(EINVAL);
  const auto next = regions_.lower_bound(address);
  if (next != regions_.end() && next->first - address < size)
    return refuse(EINVAL);
  if (next != regions_.begin()) {
    const auto before = std::prev(next);
    if (address - before->first < before->second.size)
      return refuse(EINVAL);
  }
  Region region{size, nullptr, writable};
  if (fd >= 0) {
    struct stat file{};
    // Beyond the file's end an access would end this process.
    if (::fstat(fd, &file) != 0 || offset > static_cast<std::uint64_t>(file.st_size) ||
        size > static_cast<std::uint64_t>(file.st_size) - offset)
      return refuse(EINVAL);
    void *const at = ::mmap(nullptr, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd,
                            static_cast<off_t>(offset));
    if (at == MAP_FAILED)
      return refuse(errno);
    ::close(fd);
    region.bytes = static_cast<std::uint8_t *>(at);
  }
  regions_.emplace(address, region);
  return 0;
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
