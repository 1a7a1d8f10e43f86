// A stream of bytes with packet ends, and the FIFO that it goes through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace axm::vendor {

class Stream {
public:
  explicit Stream(std::size_t bytes) : bytes_(bytes) {}

  std::size_t room() const { return bytes_.size() - static_cast<std::size_t>(in_ - out_); }
  bool waiting() const { return in_ != out_ || !ends_.empty(); }
  // There has to be room for them.
  void push(const std::uint8_t *from, std::size_t count, bool last) {
    for (std::size_t i = 0; i < count; ++i)
      bytes_[static_cast<std::size_t>(in_++ % bytes_.size())] = from[i];
    if (last)
      ends_.push_back(in_);
  }
  // Bytes of one packet, at most `most`; whether its end came with them.
  std::size_t pop(std::uint8_t *to, std::size_t most, bool &last) {
    const std::uint64_t until = ends_.empty() ? in_ : ends_.front();
    const std::size_t count = std::min(most, static_cast<std::size_t>(until - out_));
    for (std::size_t i = 0; i < count; ++i)
      to[i] = bytes_[static_cast<std::size_t>(out_++ % bytes_.size())];
    last = !ends_.empty() && out_ == ends_.front();
    if (last)
      ends_.pop_front();
    return count;
  }
  void clear() {
    out_ = in_;
    ends_.clear();
  }

private:
  std::vector<std::uint8_t> bytes_;
  std::uint64_t in_ = 0, out_ = 0; // bytes that ever came and went
  std::deque<std::uint64_t> ends_; // of packets, as counts of bytes
};

} // namespace axm::vendor
