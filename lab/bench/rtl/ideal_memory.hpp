// An ideal memory behind one AXI port of a verilated design: in order, one beat a clock, never
// busy.
//
// A read's first beat is valid `latency` clocks after the handshake of its address, a write's
// response `latency` clocks after the handshake of its last beat. What it stores and gives back is
// real data.
//
// Use, once a clock:  drive() before the outputs are read,  sample() before the rising edge.
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

template <class Dut> class IdealMemory {
public:
  IdealMemory(Dut &dut, unsigned latency, unsigned beat_bytes = 8)
      : dut_(dut), latency_(latency), bytes_(beat_bytes) {}

  std::uint64_t reads = 0, writes = 0;             // beats moved
  std::uint64_t first_address = 0, last_event = 0; // clocks, for who measures start and end

  std::uint8_t &at(std::uint64_t address) {
    auto &page = pages_[address >> 12];
    if (page.empty())
      page.resize(4096);
    return page[address & 4095];
  }
  bool idle() const { return ar_.empty() && aw_.empty() && w_left_ == 0 && b_.empty(); }

  // Puts on the bus what the memory says in this clock.
  void drive(std::uint64_t clock) {
    dut_.m_axi_arready = dut_.m_axi_awready = dut_.m_axi_wready = 1;
    const bool have = !ar_.empty() && ar_.front().due <= clock;
    dut_.m_axi_rvalid = have;
    if (have) {
      std::uint8_t beat[32];
      for (unsigned i = 0; i < bytes_; ++i)
        beat[i] = at(ar_.front().address + i);
      std::memcpy(&dut_.m_axi_rdata, beat, bytes_);
      dut_.m_axi_rlast = ar_.front().beats == 1;
      dut_.m_axi_rid = ar_.front().id;
      dut_.m_axi_rresp = 0;
    }
    dut_.m_axi_bvalid = !b_.empty() && b_.front() <= clock;
    dut_.m_axi_bresp = 0;
    dut_.m_axi_bid = 0;
  }

  // Takes what moves at the end of this clock.
  void sample(std::uint64_t clock) {
    if (dut_.m_axi_rvalid && dut_.m_axi_rready) {
      auto &burst = ar_.front();
      burst.address += bytes_;
      ++reads;
      last_event = clock;
      if (--burst.beats == 0)
        ar_.pop_front();
    }
    if (dut_.m_axi_bvalid && dut_.m_axi_bready) {
      b_.pop_front();
      last_event = clock;
    }
    if (dut_.m_axi_arvalid) {
      note_address(clock);
      ar_.push_back({dut_.m_axi_araddr, dut_.m_axi_arlen + 1u, clock + latency_,
                     static_cast<unsigned>(dut_.m_axi_arid)});
      check(dut_.m_axi_araddr, dut_.m_axi_arlen + 1u);
    }
    if (dut_.m_axi_awvalid) {
      note_address(clock);
      aw_.push_back({dut_.m_axi_awaddr, dut_.m_axi_awlen + 1u, 0, 0});
      check(dut_.m_axi_awaddr, dut_.m_axi_awlen + 1u);
    }
    if (dut_.m_axi_wvalid)
      write_beat(clock);
  }

private:
  struct Burst {
    std::uint64_t address;
    unsigned beats;
    std::uint64_t due;
    unsigned id;
  };

  void note_address(std::uint64_t clock) {
    if (first_address == 0)
      first_address = clock;
  }

  void check(std::uint64_t address, unsigned beats) const {
    if ((address & 4095) + std::uint64_t{beats} * bytes_ > 4096)
      throw std::runtime_error("a burst crosses 4 KiB");
  }

  void write_beat(std::uint64_t clock) {
    if (aw_.empty())
      throw std::runtime_error("data before its address");
    auto &burst = aw_.front();
    std::uint8_t beat[32];
    std::memcpy(beat, &dut_.m_axi_wdata, bytes_);
    for (unsigned i = 0; i < bytes_; ++i)
      if (dut_.m_axi_wstrb >> i & 1)
        at(burst.address + i) = beat[i];
    burst.address += bytes_;
    ++writes;
    if ((--burst.beats == 0) != static_cast<bool>(dut_.m_axi_wlast))
      throw std::runtime_error("wlast is wrong");
    if (burst.beats == 0) {
      aw_.pop_front();
      b_.push_back(clock + latency_);
    }
  }

  Dut &dut_;
  unsigned latency_, bytes_, w_left_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> pages_;
  std::deque<Burst> ar_, aw_;
  std::deque<std::uint64_t> b_;
};
