#include "axi_memory.hpp"

#include <algorithm>
#include <cstring>

#include "bus_write.hpp"

namespace axm::vfio {

namespace {

constexpr std::size_t kMostBursts = 64; // of a direction

// Beat `number` of a burst: the first may begin within its beat, the others do not.
std::uint64_t beat_address(const cosim::FromMaster::Address &a, int number) {
  const auto bytes = static_cast<std::uint64_t>(a.beat_bytes);
  return (a.address & ~(bytes - 1)) + static_cast<std::uint64_t>(number) * bytes;
}

} // namespace

// The beat is read when it is first offered: AXI lets it not change after that.
void AxiMemory::fetch() {
  Burst &b = reads_.front();
  const auto bytes = static_cast<std::size_t>(b.address.beat_bytes);
  beat_ = {};
  beat_.r_valid = true;
  beat_.r_id = b.address.id;
  beat_.r_last = b.moved + 1 == b.address.beats;
  const std::uint8_t *const from = memory_.find(beat_address(b.address, b.moved), bytes, false);
  if (from == nullptr)
    beat_.r_response = cosim::kDecodeError;
  else
    std::memcpy(beat_.r_data.data(), from, bytes);
  fetched_ = true;
}

cosim::ToMaster AxiMemory::offer(const cosim::FromMaster &m) {
  if (!fetched_ && !reads_.empty() && reads_.front().due <= now_)
    fetch();
  cosim::ToMaster t;
  if (fetched_)
    t = beat_;
  t.ar_ready = reads_.size() < kMostBursts;
  t.aw_ready = writes_.size() + responses_.size() < kMostBursts;
  t.w_ready = !writes_.empty() || (m.aw.valid && t.aw_ready);
  if (!responses_.empty() && responses_.front().due <= now_) {
    t.b_valid = true;
    t.b_id = responses_.front().address.id;
    t.b_response = responses_.front().failed ? cosim::kDecodeError : cosim::kOkay;
  }
  return t;
}

void AxiMemory::store(Burst &b, const cosim::FromMaster &m) {
  const auto bytes = static_cast<std::size_t>(b.address.beat_bytes);
  const std::uint64_t all = bytes == 64 ? ~0ULL : (1ULL << bytes) - 1;
  const std::uint64_t strobes = m.w_strobes & all;
  if (strobes != 0) {
    std::uint8_t *const to = memory_.find(beat_address(b.address, b.moved), bytes, true);
    if (to == nullptr)
      b.failed = true;
    else
      bus_write(to, m.w_data.data(), bytes, strobes);
  }
  ++b.moved;
}

bool AxiMemory::commit(const cosim::FromMaster &m, const cosim::ToMaster &t) {
  bool moved = false;
  if (t.r_valid && m.r_ready) {
    moved = true;
    fetched_ = false;
    if (++reads_.front().moved == reads_.front().address.beats)
      reads_.pop_front();
  }
  if (t.b_valid && m.b_ready) {
    moved = true;
    responses_.pop_front();
  }
  if (m.ar.valid && t.ar_ready) {
    moved = true;
    ++settings_[{m.ar.cache, m.ar.prot}];
    reads_.push_back({m.ar, now_ + latency_});
  }
  if (m.aw.valid && t.aw_ready) {
    moved = true;
    ++settings_[{m.aw.cache, m.aw.prot}];
    writes_.push_back({m.aw});
  }
  if (m.w_valid && t.w_ready) {
    moved = true;
    store(writes_.front(), m);
    // The design's own WLAST ends the burst; its checks see to it that the length agrees.
    if (m.w_last) {
      writes_.front().due = now_ + latency_;
      responses_.push_back(writes_.front());
      writes_.pop_front();
    }
  }
  ++now_;
  return moved;
}

void AxiMemory::reset() {
  reads_.clear();
  writes_.clear();
  responses_.clear();
  fetched_ = false;
}

} // namespace axm::vfio
