// A read or a write engine of a free-running master, and the AFI interface behind it, beat
// by beat: bursts are cut into parts from their first byte on, at most `issue` parts are
// under way, and a read part asks only once its place in the port's FIFO is free.
#pragma once

#include <array>
#include <cstdint>

#include "axiometer/model/burst_addresses.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/stats.hpp"

namespace axm::usp {

// First in, first out, addressed by a running number.
template <class T, unsigned N> class Ring {
public:
  static_assert((N & (N - 1)) == 0);
  bool empty() const { return head_ == tail_; }
  int size() const { return static_cast<int>(tail_ - head_); }
  unsigned head() const { return head_; }
  unsigned tail() const { return tail_; }
  T &front() { return items_[head_ & (N - 1)]; }
  const T &front() const { return items_[head_ & (N - 1)]; }
  T &back() { return items_[(tail_ - 1) & (N - 1)]; }
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

struct Part {
  std::uint64_t address = 0;
  int bytes = 0, beats = 0, columns = 0; // columns: DRAM bursts that it touches
  bool ends_burst = false;
  Clk ready = kNever;    // at the controller's port
  Clk deadline = kNever; // of its class
  int arrived = 0;       // columns whose data are at the AFI (read)
  int moved = 0;         // beats that have passed to or from the master
};

class Engine {
public:
  Engine(const SystemConfig &c, std::size_t index);
  void start(Cycle launch, std::uint64_t pattern_seed);

  bool reads() const { return s_.dir == kRead; }
  int port() const { return s_.port; }
  const PortConfig &port_config() const { return port_; }

  // One PL cycle, which begins in controller clock `now`.
  void step(Cycle cycle, Clk now);
  // From here on is counted.
  void count_from() {
    moved_beats_ = 0;
    stats_ = {};
  }
  std::uint64_t bytes() const { return moved_beats_ * static_cast<std::uint64_t>(beat_); }
  std::uint64_t beats() const { return moved_beats_; }
  const StreamStats &stats() const { return stats_; }
  // Why the DRAM has nothing of this engine's to do.
  BusClass idle_class() const;

  // The next part for the controller's port, if it has arrived there.
  bool offers(Clk now) {
    if (reads())
      return sent_ != parts_.tail() && in_port_ < port_.afi.inflight &&
             parts_.at(sent_).ready <= now;
    return !parts_.empty() && parts_.front().ready <= now;
  }
  Part &part(unsigned number) { return parts_.at(number); }
  // The port takes it: of a read its number, of a write the part itself.
  unsigned take_read() {
    ++in_port_;
    return sent_++;
  }
  Part take_write() {
    const Part p = parts_.front();
    fifo_ -= p.bytes;
    parts_.pop();
    ++in_port_;
    return p;
  }
  void returned(unsigned number) {
    Part &p = parts_.at(number);
    if (++p.arrived == p.columns)
      --in_port_;
  }
  // The controller has the whole write part; its burst is answered at `when`.
  void accepted(bool ends_burst, Clk when) {
    --in_port_;
    if (ends_burst)
      responses_.push(when);
  }

private:
  Part cut(std::uint64_t from, int left) const;
  std::uint64_t burst_address(std::int64_t n); // of burst n, asked for in order
  void complete(Cycle cycle);
  StreamClass step_read(Cycle cycle, Clk now);
  StreamClass step_write(Cycle cycle, Clk now);

  StreamConfig s_;
  BurstAddresses addresses_;
  PortConfig port_;
  int beat_, column_, issue_, fifo_bytes_;
  Clk request_;
  Cycle return_cycles_;

  Cycle launch_ = 0;
  std::int64_t issued_ = 0, cut_ = 0, done_ = 0; // bursts
  std::uint64_t next_ = 0;                       // of the next part
  int left_ = 0;                                 // bytes of the open burst
  bool filling_ = false;                         // a write part takes beats
  Cycle may_issue_ = 0;                          // gap between bursts
  Ring<Part, 128> parts_;
  unsigned sent_ = 0; // next read part for the port
  int in_port_ = 0;   // parts in the controller's port and behind it
  int in_afi_ = 0;    // read parts cut and not yet passed to the master
  int fifo_ = 0;      // bytes of writes
  Ring<Clk, 64> responses_;
  Ring<Cycle, 64> begun_;
  std::uint64_t moved_beats_ = 0;
  StreamStats stats_;
};

} // namespace axm::usp
