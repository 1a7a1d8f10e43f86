#include "connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace axm::vfio {

namespace {

[[noreturn]] void fail(const std::string &what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

} // namespace

Connection::Connection(const std::string &path) : path_(path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw std::runtime_error("the socket's path is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr *>(&address), sizeof address) ||
      ::listen(listener_, 1))
    fail("cannot listen at " + path);
  socket_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket_ < 0)
    fail("no client connected to " + path);
}

Connection::~Connection() {
  for (const int fd : fds_)
    ::close(fd);
  if (socket_ >= 0)
    ::close(socket_);
  ::close(listener_);
  ::unlink(path_.c_str());
}

// What has come, without waiting; descriptors come with the first bytes of their message.
void Connection::fill() {
  const std::size_t had = bytes_.size();
  bytes_.resize(had + 65536);
  iovec part{bytes_.data() + had, bytes_.size() - had};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostFds)];
  msghdr h{};
  h.msg_iov = &part;
  h.msg_iovlen = 1;
  h.msg_control = control;
  h.msg_controllen = sizeof control;
  const ssize_t n = ::recvmsg(socket_, &h, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  bytes_.resize(had + static_cast<std::size_t>(n > 0 ? n : 0));
  if (n == 0 || (n < 0 && errno == ECONNRESET))
    closed_ = true;
  if (n <= 0)
    return;
  for (cmsghdr *c = CMSG_FIRSTHDR(&h); c != nullptr; c = CMSG_NXTHDR(&h, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
      continue;
    for (std::size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      fds_.push_back(fd);
    }
  }
}

bool Connection::take(Message &message) {
  if (bytes_.size() < sizeof(Header))
    return false;
  std::memcpy(&message.header, bytes_.data(), sizeof(Header));
  const std::size_t size = message.header.size;
  if (size < sizeof(Header) || size > kMostMessage)
    throw std::runtime_error("a message of " + std::to_string(size) + " bytes");
  if (bytes_.size() < size)
    return false;
  message.body.assign(bytes_.begin() + sizeof(Header),
                      bytes_.begin() + static_cast<std::ptrdiff_t>(size));
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
  // Only these carry descriptors, and a client that sends some waits for the answer, so that none
  // of a later message can be among them.
  message.fds.clear();
  if (message.header.command == kDmaMap || message.header.command == kSetIrqs) {
    message.fds.assign(fds_.begin(), fds_.end());
    fds_.clear();
  }
  return true;
}

bool Connection::receive(Message &message, int timeout_ms) {
  if (take(message))
    return true;
  if (timeout_ms != 0) {
    pollfd p{socket_, POLLIN, 0};
    if (::poll(&p, 1, timeout_ms) <= 0)
      return false;
  }
  fill();
  return take(message);
}

void Connection::reply(const Header &to, std::span<const std::uint8_t> body, std::uint32_t error) {
  if ((to.flags & kNoReply) != 0)
    return;
  Header h = to;
  h.flags = kReply | (error != 0 ? kError : 0);
  h.error = error;
  h.size = static_cast<std::uint32_t>(sizeof h + body.size());
  std::vector<std::uint8_t> out(h.size);
  std::memcpy(out.data(), &h, sizeof h);
  if (!body.empty())
    std::memcpy(out.data() + sizeof h, body.data(), body.size());
  for (std::size_t sent = 0; sent < out.size();) {
    const ssize_t n = ::send(socket_, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      closed_ = true;
      return;
    }
    sent += static_cast<std::size_t>(n);
  }
}

} // namespace axm::vfio
