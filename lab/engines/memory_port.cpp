#include "memory_port.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace axm::vendor {

namespace {

constexpr std::uint64_t kPage = 4096; // no burst crosses it

} // namespace

bool MemoryPort::in_fabric(std::uint64_t address, std::size_t bytes) const {
  return address >= kFabric && address - kFabric + bytes <= fabric_.size();
}

std::size_t MemoryPort::burst(std::uint64_t address) const {
  const std::uint64_t most = std::min<std::uint64_t>(master_.burst_bytes(), kPage);
  return static_cast<std::size_t>(most - address % most);
}

bool MemoryPort::read(std::uint64_t address, void *to, std::size_t bytes, std::size_t more) {
  auto *out = static_cast<std::uint8_t *>(to);
  if (in_fabric(address, bytes)) {
    std::memcpy(out, fabric_.data() + (address - kFabric), bytes);
    return true;
  }
  if (master_.burst_bytes() == 0)
    return master_.read(address, out, bytes);
  while (bytes > 0) {
    if (ahead_.bytes.empty() || ahead_.at != address) {
      Piece piece{address, std::vector<std::uint8_t>(std::min(burst(address), bytes + more))};
      if (!master_.read(address, piece.bytes.data(), piece.bytes.size()))
        return false;
      ahead_ = std::move(piece);
    }
    const std::size_t n = std::min(bytes, ahead_.bytes.size());
    std::memcpy(out, ahead_.bytes.data(), n);
    ahead_.bytes.erase(ahead_.bytes.begin(), ahead_.bytes.begin() + static_cast<long>(n));
    ahead_.at += n;
    out += n;
    address += n;
    bytes -= n;
  }
  return true;
}

bool MemoryPort::write(std::uint64_t address, const void *from, std::size_t bytes,
                       std::size_t more) {
  const auto *in = static_cast<const std::uint8_t *>(from);
  if (in_fabric(address, bytes)) {
    std::memcpy(fabric_.data() + (address - kFabric), in, bytes);
    return true;
  }
  if (master_.burst_bytes() == 0)
    return master_.write(address, in, bytes);
  bool good = gathered_.bytes.empty() || gathered_.end() == address || flush();
  while (bytes > 0) {
    if (gathered_.bytes.empty())
      gathered_.at = address;
    const std::size_t n = std::min(bytes, burst(address));
    gathered_.bytes.insert(gathered_.bytes.end(), in, in + n);
    in += n;
    address += n;
    bytes -= n;
    if (address % master_.burst_bytes() == 0 || (bytes == 0 && more == 0))
      good = flush() && good;
  }
  return good;
}

bool MemoryPort::flush() {
  const Piece piece = std::exchange(gathered_, {});
  return master_.write(piece.at, piece.bytes.data(), piece.bytes.size());
}

void MemoryPort::forget() { ahead_ = gathered_ = {}; }

} // namespace axm::vendor
