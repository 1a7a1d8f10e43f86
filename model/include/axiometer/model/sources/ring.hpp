// First in, first out, addressed by a running number.
#pragma once

#include <array>

namespace axm::clocked {

// N: how many it holds, a power of two; whoever pushes sees to it that they fit.
template <class T, unsigned N> class Ring {
public:
  static_assert((N & (N - 1)) == 0);
  bool empty() const { return head_ == tail_; }
  bool full() const { return tail_ - head_ == N; }
  int size() const { return static_cast<int>(tail_ - head_); }
  unsigned head() const { return head_; }
  unsigned tail() const { return tail_; }
  T &front() { return items_[head_ & (N - 1)]; }
  const T &front() const { return items_[head_ & (N - 1)]; }
  T &back() { return items_[(tail_ - 1) & (N - 1)]; }
  const T &at(unsigned number) const { return items_[number & (N - 1)]; }
  T &at(unsigned number) { return items_[number & (N - 1)]; }
  unsigned push(const T &x) {
    items_[tail_ & (N - 1)] = x;
    return tail_++;
  }
  void pop() { ++head_; }

private:
  std::array<T, N> items_;
  unsigned head_ = 0, tail_ = 0;
};

} // namespace axm::clocked
