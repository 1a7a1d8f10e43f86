// A slave at an AXI port that uses all freedoms of the protocol, and breaks it where a fault is
// set.
//
// Purpose      A memory without cells: what was never written is a function of address and salt, so
// that
//              no test has to fill it. Accepts when it likes, answers when it likes, in order; data
//              may be taken before their address. Faults are at addresses; channels can hang.
// Checks       A request stays as it is until it is taken; bursts are whole, aligned, within 4 KiB
// and not
//              longer or more than was set. A break ends the program.
// Limits       Answers of one direction come in order, whatever their ID. Limits of bursts are
// those of ID 0,
//              the data; other IDs are rings', whose descriptors are at `ring_base` and above.
#pragma once
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>

#include "chance.hpp"

[[noreturn]] inline void fail(const std::string &what) {
  std::printf("FAILED: %s\n", what.c_str());
  std::fflush(stdout);
  std::exit(1);
}

// How a burst of reading breaks the protocol.
enum class Break { early_last, no_last, fewer_beats, more_beats, wrong_id };
enum Channel : unsigned { AR = 1, R = 2, AW = 4, W = 8, B = 16 };

struct Manners { // of the slave, drawn for each episode
  unsigned ready_percent = 100, valid_percent = 100, latency = 3, latency_spread = 0;
};

template <class Dut> class Memory {
public:
  Memory(Dut &dut, unsigned width, std::uint64_t seed) : dut_(dut), width_(width), chance_(seed) {}

  Manners manners;
  unsigned hangs = 0; // channels on which nothing moves
  std::uint64_t salt = 0;
  unsigned longest_read = 256, longest_write = 256, most_reads = 64, most_writes = 64;
  std::map<std::uint64_t, unsigned> read_faults;  // address of a beat: its RRESP
  std::map<std::uint64_t, unsigned> write_faults; // address of a beat: BRESP of its burst
  std::map<std::uint64_t, Break> breaks;          // address of a beat: what becomes of its burst
  std::map<std::uint64_t, Break> wrong_answers;   // address of a beat: BID of its burst
  std::unordered_map<std::uint64_t, std::uint8_t> written;
  static constexpr std::uint64_t ring_base = 0x5600000000;
  static constexpr unsigned data_cache = 2, ring_cache = 3; // AxCACHE: as set, and as reset
  std::unordered_map<std::uint64_t, std::uint8_t> ring; // descriptors
  std::uint64_t beats_written = 0;                      // of data and descriptors
  bool held_bus = false; // the master may withdraw its offers: it was set to forget the bus
  bool lenient = false;  // does not report a master's faults: the assertions must

  std::uint8_t original(std::uint64_t address) const {
    std::uint64_t x = (address + salt) * 0xD6E8FEB86659FD93u;
    return static_cast<std::uint8_t>((x ^ x >> 32) * 0xD6E8FEB86659FD93u >> 56);
  }
  void put_word(std::uint64_t address, std::uint32_t value) {
    for (unsigned k = 0; k < 4; ++k)
      ring[address + k] = static_cast<std::uint8_t>(value >> 8 * k);
  }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    for (unsigned k = 0; k < 4; ++k)
      value |= static_cast<std::uint32_t>(ring[address + k]) << 8 * k;
    return value;
  }
  bool idle() const {
    return reads_.empty() && writes_.empty() && data_.empty() && answers_.empty();
  }

  void reset() {
    reads_.clear();
    writes_.clear();
    data_.clear();
    answers_.clear();
    offered_r_ = offered_b_ = false;
    offers_.fill({});
  }

  void drive(std::uint64_t clock) {
    dut_.m_axi_arready = may(AR, manners.ready_percent);
    dut_.m_axi_awready = may(AW, manners.ready_percent);
    dut_.m_axi_wready = may(W, manners.ready_percent);
    offered_r_ = offered_r_ ||
                 (!reads_.empty() && reads_.front().due <= clock && may(R, manners.valid_percent));
    offered_b_ = offered_b_ || (!answers_.empty() && answers_.front().due <= clock &&
                                may(B, manners.valid_percent));
    dut_.m_axi_rvalid = offered_r_;
    dut_.m_axi_bvalid = offered_b_;
    if (offered_r_)
      offer_beat();
    if (offered_b_) {
      dut_.m_axi_bresp = answers_.front().resp;
      dut_.m_axi_bid = answers_.front().id;
    }
  }

  void sample(std::uint64_t clock) {
    look(0, dut_.m_axi_arvalid, dut_.m_axi_arready, {dut_.m_axi_araddr, dut_.m_axi_arlen, 0});
    look(1, dut_.m_axi_awvalid, dut_.m_axi_awready, {dut_.m_axi_awaddr, dut_.m_axi_awlen, 0});
    std::array<std::uint8_t, 32> beat{};
    std::memcpy(beat.data(), &dut_.m_axi_wdata, width_);
    std::uint64_t sum = 0;
    for (unsigned k = 0; k < width_; ++k) // lanes that are not written may change
      if (dut_.m_axi_wstrb >> k & 1)
        sum = sum * 257 + beat[k] + 1;
    look(2, dut_.m_axi_wvalid, dut_.m_axi_wready, {sum, dut_.m_axi_wstrb, dut_.m_axi_wlast});
    if (offered_r_ && dut_.m_axi_rready) {
      offered_r_ = false;
      if (++reads_.front().at == reads_.front().beats)
        reads_.pop_front();
    }
    if (offered_b_ && dut_.m_axi_bready) {
      offered_b_ = false;
      answers_.pop_front();
    }
    const auto due = [&] {
      return clock + manners.latency + chance_.between(0, manners.latency_spread);
    };
    if (dut_.m_axi_arvalid && dut_.m_axi_arready) {
      reads_.push_back(
          taken(dut_.m_axi_araddr, dut_.m_axi_arlen + 1u, longest_read, due(), dut_.m_axi_arid));
      look_at(dut_.m_axi_arsize, dut_.m_axi_arburst, dut_.m_axi_arcache, dut_.m_axi_arid);
      if (of_data(reads_) > most_reads)
        wrong("more bursts of reading in flight than allowed");
      read_break(reads_.back());
    }
    if (dut_.m_axi_awvalid && dut_.m_axi_awready) {
      writes_.push_back(
          taken(dut_.m_axi_awaddr, dut_.m_axi_awlen + 1u, longest_write, due(), dut_.m_axi_awid));
      look_at(dut_.m_axi_awsize, dut_.m_axi_awburst, dut_.m_axi_awcache, dut_.m_axi_awid);
      if (of_data(writes_) + of_data(answers_) > most_writes)
        wrong("more bursts of writing in flight than allowed");
    }
    if (dut_.m_axi_wvalid && dut_.m_axi_wready)
      data_.push_back({beat, static_cast<std::uint32_t>(dut_.m_axi_wstrb), dut_.m_axi_wlast != 0});
    while (!writes_.empty() && !data_.empty())
      write_beat(clock);
  }

private:
  struct Burst {
    std::uint64_t address, due;
    unsigned beats, at, last_at, resp, id;
  };
  struct Beat {
    std::array<std::uint8_t, 32> bytes;
    std::uint32_t strobes;
    bool last;
  };
  struct Offer {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    bool operator==(const Offer &) const = default;
  };
  struct Seen {
    bool waits = false;
    Offer what;
  };

  void wrong(const std::string &what) const {
    if (!lenient)
      fail(what);
  }

  bool may(Channel channel, unsigned percent) {
    return !(hangs & channel) && chance_.percent(percent);
  }

  void look(unsigned channel, bool valid, bool ready, Offer now) {
    Seen &seen = offers_[channel];
    static const char *const names[] = {"AR", "AW", "W"};
    if (seen.waits && !held_bus) {
      if (!valid)
        wrong(std::string(names[channel]) + "VALID fell before READY");
      if (!(now == seen.what))
        wrong(std::string(names[channel]) + " changed before READY");
    }
    seen = {valid && !ready, now};
  }

  static std::size_t of_data(const std::deque<Burst> &bursts) {
    std::size_t count = 0;
    for (const Burst &burst : bursts)
      count += burst.address < ring_base;
    return count;
  }

  Burst taken(std::uint64_t address, unsigned beats, unsigned longest, std::uint64_t due,
              unsigned id) const {
    if (address % width_)
      wrong("a burst is not aligned");
    if (address % 4096 + beats * width_ > 4096)
      wrong("a burst crosses 4 KiB");
    if ((id != 0) != (address >= ring_base))
      wrong("an ID is not that of the data or of a ring");
    if (beats > (id ? 32 / width_ : longest))
      wrong("a burst is longer than allowed");
    return {address, due, beats, 0, beats - 1, 0, id};
  }

  void look_at(unsigned size, unsigned burst, unsigned cache, unsigned id) const {
    if (1u << size != width_ || burst != 1)
      wrong("a burst is not one of whole beats to rising addresses");
    if (cache != (id ? ring_cache : data_cache))
      wrong("AxCACHE is not that of the data or of a ring");
  }

  void read_break(Burst &burst) {
    const auto found = breaks.lower_bound(burst.address);
    if (found == breaks.end() || found->first >= burst.address + burst.beats * width_)
      return;
    switch (found->second) {
    case Break::early_last:
      burst.last_at = burst.beats > 1 ? burst.beats - 2 : 99999;
      break;
    case Break::no_last:
      burst.last_at = 99999;
      break;
    case Break::fewer_beats:
      if (burst.beats > 1)
        burst.last_at = --burst.beats - 1;
      else
        burst.last_at = 99999;
      break;
    case Break::more_beats:
      burst.last_at = burst.beats++;
      break;
    case Break::wrong_id:
      burst.id = 3;
      break;
    }
  }

  void offer_beat() {
    const Burst &burst = reads_.front();
    const std::uint64_t place = burst.address + burst.at * width_;
    std::array<std::uint8_t, 32> beat{};
    for (unsigned k = 0; k < width_; ++k)
      beat[k] = place < ring_base ? original(place + k) : ring[place + k];
    std::memcpy(&dut_.m_axi_rdata, beat.data(), width_);
    const auto fault = read_faults.find(place);
    dut_.m_axi_rresp = fault == read_faults.end() ? 0 : fault->second;
    dut_.m_axi_rlast = burst.at == burst.last_at;
    dut_.m_axi_rid = burst.id;
  }

  void write_beat(std::uint64_t clock) {
    Burst &burst = writes_.front();
    const Beat &beat = data_.front();
    const std::uint64_t place = burst.address + burst.at * width_;
    beats_written += beat.strobes != 0;
    for (unsigned k = 0; k < width_; ++k)
      if (beat.strobes >> k & 1)
        (place < ring_base ? written : ring)[place + k] = beat.bytes[k];
    if (const auto fault = write_faults.find(place); fault != write_faults.end())
      burst.resp = fault->second;
    if (wrong_answers.count(place))
      burst.id = 3;
    if (beat.last != (burst.at == burst.last_at))
      wrong("WLAST is wrong");
    data_.pop_front();
    if (++burst.at < burst.beats)
      return;
    burst.due = clock + manners.latency + chance_.between(0, manners.latency_spread);
    answers_.push_back(burst);
    writes_.pop_front();
  }

  Dut &dut_;
  unsigned width_;
  Chance chance_;
  bool offered_r_ = false, offered_b_ = false;
  std::array<Seen, 3> offers_{};
  std::deque<Burst> reads_, writes_, answers_;
  std::deque<Beat> data_;
};
