// The socket of a vfio-user client: whole messages with the descriptors that came with them.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "protocol.hpp"

namespace axm::vfio {

struct Message {
  Header header{};
  std::vector<std::uint8_t> body;
  std::vector<int> fds; // set one to -1 after taking it; the others are closed
};

class Connection {
public:
  // Waits at the socket `path`, which must not exist, for one client. std::runtime_error if it
  // cannot.
  explicit Connection(const std::string &path);
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection();

  // False if nothing came within `timeout_ms`. std::runtime_error for a client that sends nonsense;
  // `closed` once it has gone.
  bool receive(Message &message, int timeout_ms);
  bool closed() const { return closed_; }
  void reply(const Header &to, std::span<const std::uint8_t> body, std::uint32_t error = 0);

private:
  bool take(Message &message);
  void fill();

  std::string path_;
  int listener_ = -1, socket_ = -1;
  bool closed_ = false;
  std::vector<std::uint8_t> bytes_; // that came and were not yet a whole message
  std::deque<int> fds_;
};

} // namespace axm::vfio
