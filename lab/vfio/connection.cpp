#include "connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace axm::vfio {

namespace {

constexpr std::uint32_t kReply = 1, kNoReply = 1 << 4, kError = 1 << 5;
constexpr std::size_t kMostFds = 8, kMostMessage = 1 << 20;

} // namespace

int Message::take_fd() { return fds.empty() ? -1 : std::exchange(fds.front(), -1); }

Connection::Connection(const std::string &path) : path_(path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ >= 0 &&
      !::bind(listener_, reinterpret_cast<sockaddr *>(&address), sizeof address) &&
      !::listen(listener_, 1))
    socket_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket_ < 0)
    throw std::system_error(errno, std::generic_category(), path);
}

Connection::~Connection() {
  ::close(socket_);
  ::close(listener_);
  ::unlink(path_.c_str());
}

// Descriptors come with the first byte of their message, so they are the header's.
bool Connection::receive(Message &message, int timeout_ms) {
  pollfd p{socket_, POLLIN, 0};
  if (::poll(&p, 1, timeout_ms) <= 0)
    return false;
  iovec part{&message.header, sizeof message.header};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostFds)];
  msghdr h{};
  h.msg_iov = &part;
  h.msg_iovlen = 1;
  h.msg_control = control;
  h.msg_controllen = sizeof control;
  closed_ = ::recvmsg(socket_, &h, MSG_WAITALL | MSG_CMSG_CLOEXEC) != sizeof message.header ||
            message.header.size < sizeof message.header || message.header.size > kMostMessage;
  if (closed_)
    return false;
  message.fds.clear();
  if (const cmsghdr *const c = CMSG_FIRSTHDR(&h); c != nullptr && c->cmsg_type == SCM_RIGHTS) {
    message.fds.resize((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(message.fds.data(), CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
  }
  message.body.resize(message.header.size - sizeof message.header);
  closed_ = !message.body.empty() &&
            ::recv(socket_, message.body.data(), message.body.size(), MSG_WAITALL) !=
                static_cast<ssize_t>(message.body.size());
  return !closed_;
}

void Connection::reply(const Header &to, std::span<const std::uint8_t> body, int error) {
  if ((to.flags & kNoReply) != 0)
    return;
  Header h = to;
  h.flags = kReply | (error != 0 ? kError : 0);
  h.error = static_cast<std::uint32_t>(error);
  h.size = static_cast<std::uint32_t>(sizeof h + body.size());
  Bytes out;
  append(out, h);
  out.insert(out.end(), body.begin(), body.end());
  // A socket that blocks takes all of it, or its client has gone.
  closed_ = ::send(socket_, out.data(), out.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(h.size);
}

} // namespace axm::vfio
