#include "axiometer/model/ports/afi.hpp"

#include <bit>

namespace axm::clocked {

Afi::Afi(const SystemConfig &c, int port, Dir dir)
    : dir_(dir), port_(c.ports[static_cast<std::size_t>(port)]), beat_(port_.width_bytes),
      column_(c.dram.column_bytes), column_shift_(std::countr_zero(static_cast<unsigned>(column_))),
      issue_(port_.afi.issue_commands), fifo_bytes_(port_.fifo_bytes[dir]),
      request_(c.paths[static_cast<std::size_t>(port_.path)].request_clocks[dir] /
               c.controller.dram_clocks),
      response_(port_.response_clocks / c.controller.dram_clocks) {}

Part Afi::cut(std::uint64_t from, int left) const {
  Part p;
  p.address = from;
  p.bytes = std::min(port_.part_bytes, left);
  p.beats = (p.bytes + beat_ - 1) / beat_;
  p.columns = static_cast<int>(((from + static_cast<std::uint64_t>(p.bytes) - 1) >> column_shift_) -
                               (from >> column_shift_) + 1);
  p.needs = needs(p);
  p.ends_burst = p.bytes == left;
  return p;
}

void Afi::cut_read(Clk now) {
  if (left_ == 0)
    open_burst();
  Part p = cut(next_, left_);
  p.ready = now + request_;
  next_ += static_cast<std::uint64_t>(p.bytes);
  left_ -= p.bytes;
  fifo_ += p.bytes;
  ++in_afi_;
  ++inflight_;
  if (parts_.push(p) == sent_)
    offer(p.ready);
}

bool Afi::write_beat(Clk now) {
  if (left_ == 0)
    open_burst();
  if (!filling_) {
    parts_.push(cut(next_, left_));
    filling_ = true;
  }
  Part &p = parts_.back();
  const int bytes = std::min(beat_, p.bytes - p.moved * beat_);
  fifo_ += bytes;
  next_ += static_cast<std::uint64_t>(bytes);
  left_ -= bytes;
  if (++p.moved != p.beats)
    return false;
  filling_ = false;
  if (p.ends_burst || !port_.release_whole_burst)
    for (unsigned n = parts_.tail(); n-- != parts_.head() && parts_.at(n).ready == kNever;)
      parts_.at(n).ready = now + request_;
  offer(parts_.front().ready);
  return p.ends_burst;
}

} // namespace axm::clocked
