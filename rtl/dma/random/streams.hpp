// The ends of a DMA engine's streams: a taker that stores its beats, and a giver of packets.
//
// The taker is a FIFO of `limit` beats that reports its room; the giver reports its available beats
// and packets. Both stop and go at random.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <vector>

#include "memory.hpp"

template <class Dut> class Taker {
public:
  Taker(Dut &dut, unsigned width, std::uint64_t seed) : dut_(dut), width_(width), chance_(seed) {}

  unsigned limit = 512, ready_percent = 100, drain_percent = 100;
  std::vector<std::uint8_t> bytes;   // all that came
  std::vector<std::size_t> ends;     // where packets end in them
  std::vector<std::size_t> beats_at; // where beats begin

  void clear() {
    bytes.clear();
    ends.clear();
    beats_at.clear();
    held_ = 0;
  }

  void drive() {
    dut_.m_axis_room = limit - held_;
    dut_.m_axis_tready = chance_.percent(ready_percent);
    leaves_ = held_ > 0 && chance_.percent(drain_percent);
  }

  void sample() {
    held_ -= leaves_;
    if (!dut_.m_axis_tvalid || !dut_.m_axis_tready)
      return;
    if (++held_ > limit)
      fail("a beat came that there is no room for");
    std::array<std::uint8_t, 32> beat{};
    std::memcpy(beat.data(), &dut_.m_axis_tdata, width_);
    beats_at.push_back(bytes.size());
    const std::uint64_t keep = dut_.m_axis_tkeep;
    if (keep & (keep + 1))
      fail("TKEEP has a hole");
    for (unsigned k = 0; k < width_; ++k)
      if (keep >> k & 1)
        bytes.push_back(beat[k]);
    if (dut_.m_axis_tlast)
      ends.push_back(bytes.size());
  }

private:
  Dut &dut_;
  unsigned width_;
  Chance chance_;
  unsigned held_ = 0;
  bool leaves_ = false;
};

struct StreamBeat {
  std::array<std::uint8_t, 32> bytes{};
  unsigned count = 0; // of them
  bool last = false;
};

template <class Dut> class Giver {
public:
  Giver(Dut &dut, unsigned width, std::uint64_t seed) : dut_(dut), width_(width), chance_(seed) {}

  unsigned come_percent = 100;
  std::deque<StreamBeat> coming;
  // Whether what was taken ends within a packet; nullopt: the engine was perhaps told to forget it.
  std::optional<bool> in_packet = false;

  void clear() {
    coming.clear();
    there_.clear();
    packets_ = 0;
  }
  bool empty() const { return coming.empty() && there_.empty(); }

  void drive() {
    if (!coming.empty() && chance_.percent(come_percent)) {
      packets_ += coming.front().last;
      there_.push_back(coming.front());
      coming.pop_front();
    }
    dut_.s_axis_avail = there_.size();
    dut_.s_axis_packets = packets_;
    dut_.s_axis_tvalid = !there_.empty();
    if (there_.empty())
      return;
    const StreamBeat &beat = there_.front();
    std::memcpy(&dut_.s_axis_tdata, beat.bytes.data(), width_);
    dut_.s_axis_tkeep = static_cast<std::uint32_t>((std::uint64_t{1} << beat.count) - 1);
    dut_.s_axis_tlast = beat.last;
  }

  void sample() {
    if (!dut_.s_axis_tvalid || !dut_.s_axis_tready)
      return;
    packets_ -= there_.front().last;
    in_packet = !there_.front().last;
    there_.pop_front();
  }

private:
  Dut &dut_;
  unsigned width_;
  Chance chance_;
  std::deque<StreamBeat> there_;
  unsigned packets_ = 0;
};
