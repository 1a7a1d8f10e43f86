// The socket of a vfio-user client: messages, little-endian and without gaps, with the descriptors
// that come with them. What follows a header is of <linux/vfio.h>, or of the structures below;
// names are those of QEMU's docs/interop/vfio-user.rst.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace axm::vfio {

using Bytes = std::vector<std::uint8_t>;

struct Header {
  std::uint16_t id, command;
  std::uint32_t size; // with the header
  std::uint32_t flags, error;
};
struct DmaMap {
  std::uint32_t argsz, flags; // 1 readable, 2 writable
  std::uint64_t offset, address, size;
};
struct DmaUnmap {
  std::uint32_t argsz, flags; // 2: all
  std::uint64_t address, size;
};
struct RegionAccess {
  std::uint64_t offset;
  std::uint32_t region, count; // data follow
};

struct Message {
  Header header{};
  Bytes body;
  std::vector<int> fds; // set one to -1 after taking it; the others are closed

  // What the body begins with; false if it is shorter.
  template <class T> bool begins_with(T &value) const {
    if (body.size() < sizeof value)
      return false;
    std::memcpy(&value, body.data(), sizeof value);
    return true;
  }
  int take_fd();
};

template <class T> void append(Bytes &out, const T &value) {
  const auto *const bytes = reinterpret_cast<const std::uint8_t *>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

class Connection {
public:
  // Waits at the socket `path`, which must not exist, for one client. std::system_error if it
  // cannot.
  explicit Connection(const std::string &path);
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection();

  // False if nothing came within `timeout_ms`, or if the client has gone: then it is `closed`.
  bool receive(Message &message, int timeout_ms);
  bool closed() const { return closed_; }
  void reply(const Header &to, std::span<const std::uint8_t> body, int error);

private:
  std::string path_;
  int listener_ = -1, socket_ = -1;
  bool closed_ = false;
};

} // namespace axm::vfio
