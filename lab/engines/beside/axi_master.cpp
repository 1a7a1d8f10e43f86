#include "axi_master.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace axm::beside {

namespace {

// Far longer than the simulation's own watchdog lets a channel wait.
constexpr unsigned kPatience = 1U << 24;

} // namespace

cosim::FromMaster::Address AxiMaster::burst(std::uint64_t address, std::size_t bytes) const {
  cosim::FromMaster::Address a;
  a.valid = true;
  a.address = address;
  a.beats = static_cast<int>((address % width_ + bytes + width_ - 1) / width_);
  a.beat_bytes = static_cast<int>(width_);
  return a;
}

void AxiMaster::wait(const bool &done) {
  for (unsigned clocks = 0; !done; ++clocks) {
    if (clocks == kPatience)
      throw std::runtime_error("the design does not answer an engine's access");
    pass_();
  }
}

bool AxiMaster::read(std::uint64_t address, void *to, std::size_t bytes) {
  pins_.ar = burst(address, bytes);
  pins_.r_ready = true;
  ++reads_.bursts;
  reads_.beats += static_cast<std::uint64_t>(pins_.ar.beats);
  reads_.bytes += bytes;
  address_ = address;
  to_ = static_cast<std::uint8_t *>(to);
  bytes_ = bytes;
  beats_ = pins_.ar.beats;
  moved_ = 0;
  done_ = false;
  good_ = true;
  wait(done_);
  pins_.r_ready = false;
  return good_;
}

bool AxiMaster::write(std::uint64_t address, const void *from, std::size_t bytes) {
  pins_.aw = burst(address, bytes);
  pins_.b_ready = true;
  ++writes_.bursts;
  writes_.beats += static_cast<std::uint64_t>(pins_.aw.beats);
  writes_.bytes += bytes;
  address_ = address;
  from_ = static_cast<const std::uint8_t *>(from);
  bytes_ = bytes;
  beats_ = pins_.aw.beats;
  moved_ = 0;
  done_ = false;
  good_ = true;
  offer_beat();
  wait(done_);
  pins_.b_ready = false;
  return good_;
}

bool AxiMaster::look(std::uint64_t address, void *to, std::size_t bytes) {
  return memory_.holds(address, bytes) &&
         memory_.read(address, bytes, static_cast<std::uint8_t *>(to));
}

// Beat `moved_` of the burst: its bytes in their lanes.
void AxiMaster::offer_beat() {
  const std::uint64_t line =
      address_ / width_ * width_ + static_cast<std::uint64_t>(moved_) * width_;
  pins_.w_valid = true;
  pins_.w_last = moved_ + 1 == beats_;
  pins_.w_strobes = 0;
  pins_.w_data.fill(0);
  for (std::size_t lane = 0; lane < width_; ++lane) {
    const std::uint64_t at = line + lane;
    if (at < address_ || at >= address_ + bytes_)
      continue;
    pins_.w_strobes |= std::uint64_t{1} << lane;
    pins_.w_data[lane] = from_[at - address_];
  }
}

void AxiMaster::commit(const cosim::ToMaster &t) {
  if (pins_.ar.valid && t.ar_ready)
    pins_.ar.valid = false;
  if (pins_.aw.valid && t.aw_ready)
    pins_.aw.valid = false;
  if (pins_.r_ready && t.r_valid) {
    const std::uint64_t line =
        address_ / width_ * width_ + static_cast<std::uint64_t>(moved_) * width_;
    for (std::size_t lane = 0; lane < width_; ++lane)
      if (line + lane >= address_ && line + lane < address_ + bytes_)
        to_[line + lane - address_] = t.r_data[lane];
    good_ = good_ && t.r_response == cosim::kOkay;
    done_ = ++moved_ == beats_;
    if (t.r_last != done_)
      throw std::runtime_error("RLAST is not at the last beat of an engine's burst");
  }
  if (pins_.w_valid && t.w_ready) {
    if (++moved_ == beats_)
      pins_.w_valid = false;
    else
      offer_beat();
  }
  if (pins_.b_ready && t.b_valid) {
    good_ = t.b_response == cosim::kOkay;
    done_ = true;
  }
}

} // namespace axm::beside
