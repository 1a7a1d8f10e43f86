#include "axiometer/model/usp/engine.hpp"

#include <algorithm>

namespace axm::usp {

Engine::Engine(const SystemConfig &c, std::size_t index)
    : s_(c.streams[index]), addresses_(s_), port_(c.ports[static_cast<std::size_t>(s_.port)]),
      beat_(port_.width_bytes), column_(c.dram.column_bytes), issue_(port_.afi.issue),
      fifo_bytes_(port_.fifo_bytes[s_.dir]),
      request_(c.paths[static_cast<std::size_t>(port_.path)].request_clocks[s_.dir] /
               c.controller.ddrc.clocks),
      return_cycles_(port_.return_cycles) {}

void Engine::start(Cycle launch, std::uint64_t pattern_seed) {
  launch_ = launch;
  addresses_.start(pattern_seed);
}

std::uint64_t Engine::burst_address(std::int64_t n) {
  const std::uint64_t address = addresses_.at(n);
  addresses_.advance();
  return address;
}

Part Engine::cut(std::uint64_t from, int left) const {
  Part p;
  const auto column = static_cast<std::uint64_t>(column_);
  p.address = from;
  p.bytes = std::min(port_.part_bytes, left);
  p.beats = (p.bytes + beat_ - 1) / beat_;
  p.columns = static_cast<int>((from + static_cast<std::uint64_t>(p.bytes) - 1) / column -
                               from / column + 1);
  p.ends_burst = p.bytes == left;
  return p;
}

void Engine::complete(Cycle cycle) {
  const Cycle latency = cycle - begun_.front();
  begun_.pop();
  ++done_;
  ++stats_.bursts;
  stats_.latency_sum += latency;
  ++stats_.latency[Histogram::bin(latency)];
}

void Engine::step(Cycle cycle, Clk now) {
  const StreamClass c = cycle < launch_ ? kLaunch
                        : reads()       ? step_read(cycle, now)
                                        : step_write(cycle, now);
  ++stats_.classes[c];
  moved_beats_ += c == kData;
}

StreamClass Engine::step_read(Cycle cycle, Clk now) {
  if (issued_ - done_ < s_.outstanding && cycle >= may_issue_) {
    begun_.push(cycle);
    ++issued_;
    may_issue_ = s_.gap_cycles > 0 ? cycle + (s_.burst_bytes + beat_ - 1) / beat_ + s_.gap_cycles
                                   : cycle + 1;
  }
  if (in_afi_ < issue_) {
    if (left_ == 0 && cut_ < issued_) {
      next_ = burst_address(cut_);
      left_ = s_.burst_bytes;
    }
    if (left_ > 0) {
      Part p = cut(next_, left_);
      if (fifo_ + p.bytes <= fifo_bytes_) {
        p.ready = now + request_;
        next_ += static_cast<std::uint64_t>(p.bytes);
        left_ -= p.bytes;
        fifo_ += p.bytes;
        cut_ += p.ends_burst;
        ++in_afi_;
        parts_.push(p);
      }
    }
  }
  if (parts_.empty())
    return kMaster;
  Part &p = parts_.front();
  const auto column = static_cast<std::uint64_t>(column_);
  const auto offset = static_cast<std::uint64_t>(p.moved * beat_);
  if (p.arrived <= static_cast<int>((p.address + offset) / column - p.address / column))
    return sent_ == parts_.head() ? kPath : p.arrived > 0 ? kLatency : kController;
  if (++p.moved == p.beats) {
    --in_afi_;
    fifo_ -= p.bytes;
    const bool ends = p.ends_burst;
    parts_.pop();
    if (ends)
      complete(cycle);
  }
  return kData;
}

StreamClass Engine::step_write(Cycle cycle, Clk now) {
  while (!responses_.empty() && responses_.front() <= now) {
    responses_.pop();
    complete(cycle);
  }
  if (left_ == 0) {
    if (issued_ - done_ >= s_.outstanding || cycle < may_issue_)
      return kMaster;
    begun_.push(cycle);
    next_ = burst_address(issued_++);
    left_ = s_.burst_bytes;
  }
  if (!filling_) {
    if (parts_.size() >= issue_)
      return in_port_ > 0 ? kController : kPath;
    parts_.push(cut(next_, left_));
    filling_ = true;
  }
  if (fifo_ + beat_ > fifo_bytes_)
    return in_port_ > 0 ? kController : kPath;
  Part &p = parts_.back();
  const int bytes = std::min(beat_, p.bytes - p.moved * beat_);
  fifo_ += bytes;
  next_ += static_cast<std::uint64_t>(bytes);
  left_ -= bytes;
  if (++p.moved == p.beats) {
    filling_ = false;
    if (p.ends_burst && s_.gap_cycles > 0)
      may_issue_ = cycle + 1 + s_.gap_cycles;
    if (p.ends_burst || !port_.release_whole_burst)
      for (unsigned n = parts_.tail(); n-- != parts_.head() && parts_.at(n).ready == kNever;)
        parts_.at(n).ready = now + request_;
  }
  return kData;
}

BusClass Engine::idle_class() const {
  if (parts_.empty())
    return issued_ > done_ ? kIdlePort : kIdleNoRequest;
  return in_port_ > 0 ? kIdlePath : kIdlePort;
}

} // namespace axm::usp
