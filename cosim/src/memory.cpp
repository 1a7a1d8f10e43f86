#include "memory.hpp"

#include <algorithm>

namespace axm::cosim {

std::uint8_t *Memory::find(std::uint64_t address, std::size_t &run) {
  auto next = buffers_.upper_bound(address);
  if (next != buffers_.begin()) {
    const auto &[begin, buffer] = *std::prev(next);
    if (address - begin < buffer.size) {
      run = static_cast<std::size_t>(buffer.size - (address - begin));
      return buffer.bytes.get() + (address - begin);
    }
  }
  auto &page = pages_[address / kPage];
  if (page == nullptr)
    page = std::make_unique<std::uint8_t[]>(kPage);
  std::uint64_t end = (address / kPage + 1) * kPage;
  if (next != buffers_.end())
    end = std::min(end, next->first);
  run = static_cast<std::size_t>(end - address);
  return page.get() + address % kPage;
}

std::uint8_t *Memory::find_in_line(std::uint64_t address, std::size_t bytes) {
  const std::uint64_t line = address / kLine, at = address % kLine;
  if (at + bytes > kLine)
    return nullptr;
  Known &known = known_[(line ^ line >> 8) % known_.size()];
  if (known.line != line) {
    std::size_t run = 0;
    std::uint8_t *const begin = find(line * kLine, run);
    if (run < kLine)
      return nullptr;
    known = {line, begin};
  }
  return known.bytes + at;
}

bool Memory::read(std::uint64_t address, std::size_t bytes, std::uint8_t *out) const {
  // Pages that were never written are created on the way; contents stay.
  auto &self = const_cast<Memory &>(*this);
  if (const std::uint8_t *const from = self.find_in_line(address, bytes)) {
    std::memcpy(out, from, bytes);
    return true;
  }
  while (bytes > 0) {
    std::size_t run = 0;
    const std::uint8_t *from = self.find(address, run);
    run = std::min(run, bytes);
    std::memcpy(out, from, run);
    out += run;
    address += run;
    bytes -= run;
  }
  return true;
}

bool Memory::write(std::uint64_t address, std::size_t bytes, const std::uint8_t *in,
                   std::uint64_t strobes) {
  std::size_t run = 0;
  std::uint8_t *to = nullptr;
  const std::uint64_t all = bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
  if ((strobes & all) == all) {
    to = find_in_line(address, bytes);
    if (to != nullptr) {
      std::memcpy(to, in, bytes);
      return true;
    }
  }
  for (std::size_t i = 0; i < bytes; ++i, --run) {
    if (run == 0)
      to = find(address + i, run);
    if (strobes >> i & 1)
      *to = in[i];
    ++to;
  }
  return true;
}

bool Memory::is_free(std::uint64_t address, std::uint64_t size) const {
  if (!holds(address, size))
    return false;
  return std::ranges::none_of(buffers_, [&](const auto &b) {
    return address < b.first + b.second.size && b.first < address + size;
  });
}

std::optional<std::uint64_t> Memory::allocate(std::uint64_t size, std::uint64_t align,
                                              std::optional<std::uint64_t> wanted,
                                              std::uint8_t **host) {
  align = std::max<std::uint64_t>(align, 1);
  std::optional<std::uint64_t> at = wanted;
  if (!at) {
    std::uint64_t candidate = 0;
    for (const auto &[begin, buffer] : buffers_)
      if (!is_free(candidate, size))
        candidate = (begin + buffer.size + align - 1) / align * align;
    at = candidate;
  }
  if (size == 0 || *at % align != 0 || !is_free(*at, size))
    return std::nullopt;
  Buffer buffer{size, std::make_unique<std::uint8_t[]>(size)};
  *host = buffer.bytes.get();
  known_.fill({});
  buffers_[*at] = std::move(buffer);
  return at;
}

bool Memory::release(std::uint64_t address) {
  known_.fill({});
  return buffers_.erase(address) == 1;
}

} // namespace axm::cosim
