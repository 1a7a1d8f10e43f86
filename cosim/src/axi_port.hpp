// One AXI port of the chip, between a design's signals and the stepped model: the
// model gives the times, this class data, IDs and responses. It checks the design's
// signals and injects the requested faults.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "axiometer/model/stepped_chip.hpp"
#include "fault.hpp"
#include "port_memory.hpp"
#include "signals.hpp"

namespace axm::cosim {

class AxiPort {
public:
  // Streams are those of the chip, by the number of the master, which a burst's ID holds from
  // `master_bit` on. A master's direction that has none, or -1, is not in use, and whatever comes
  // from it is answered DECERR.
  struct Streams {
    std::vector<int> read, write;
    int master_bit = 0;
  };
  // `crosses`: bursts may cross 4 KiB.
  AxiPort(std::size_t number, Streams streams, std::size_t width_bytes, bool axi3, bool crosses);

  // A new chip: nothing is in flight. The design must be quiet.
  void connect(SteppedChip *chip);

  // What the port drives in this clock, given what the design drives in it. Other signals than
  // VALID and READY are of a channel that is VALID.
  const ToMaster &offer(const FromMaster &m, const PortMemory &memory, Faults &faults);
  // The clock ends: what was valid and ready, as it was offered, has happened. Without faults a
  // clock in which nothing was may be left out.
  void commit(const FromMaster &m, PortMemory &memory, Faults &faults);

  // Whether beats of a read, or the response of a write whose data are there, are still to come.
  bool reading() const { return !reads_.empty(); }
  bool answering() const {
    return !writes_.empty() && writes_.front().moved == writes_.front().beats;
  }
  // Whether in this clock the chip has something for the port, or the port answers without it.
  bool may_answer() const { return (chip_->due() & mine_) != 0 || odd_; }
  bool quiet() const { return reads_.empty() && writes_.empty(); }
  // What the design did wrong on the bus, the first case in words; empty if nothing.
  const std::string &violation() const { return violation_; }

private:
  struct Burst {
    std::uint64_t number = 0;
    std::uint64_t address = 0;
    std::uint32_t id = 0;
    int beats = 1, beat_bytes = 4;
    int moved = 0;
    int stream = -1;
    bool outside = false; // of the memory
    std::uint64_t in_chip = 0;
    bool extra = false; // the chip's beats are through, one too many follows
  };

  static std::uint64_t beat_address(const Burst &b);
  Burst begin(const FromMaster::Address &a, std::uint64_t number, const PortMemory &memory,
              const std::vector<int> &streams, const char *what);
  void complain(const std::string &what);
  bool swallows(const Burst &b, const Faults &faults) const;
  int stream_of(const std::vector<int> &streams, std::uint32_t id) const;
  bool room(int stream) const; // for an address
  // The streams that act in a direction in a cycle; -1: none.
  void drive_chip(const Burst *begins, int moves, int responds);
  // The chip has a beat or the response of a burst, or the port answers without it.
  bool due(const Burst &b) const { return is_own(b) || (chip_->due() >> b.stream & 1) != 0; }
  static bool is_own(const Burst &b) { return b.extra || b.stream < 0; }
  struct Answer {
    std::uint32_t id;
    int response;
  };
  Answer answer(const Burst &b, Channel c, const Faults &faults) const;
  void offer_addresses(const FromMaster &m, Faults &faults);
  void offer_beat(const PortMemory &memory, Faults &faults);
  void offer_response(Faults &faults);
  bool takes_data(const FromMaster &m, Faults &faults) const;
  int take_beat(const Faults &faults);
  int send_beat(const FromMaster &m, PortMemory &memory);

  std::size_t number_;
  Streams streams_;
  std::uint64_t mine_ = 0; // of these, a bit each
  bool odd_ = false;       // some beat or response did not, or will not, wait for the chip
  std::size_t width_;
  bool axi3_, crosses_;
  SteppedChip *chip_ = nullptr;
  std::deque<Burst> reads_;
  ToMaster offers_;
  // A beat that is offered: AXI lets it not change until it is taken. Whether it is of memory that
  // can be read.
  std::optional<bool> offered_;
  std::deque<Burst> writes_; // until their response
  std::size_t writing_ = 0;  // of these, the one whose beats come
  std::uint64_t read_count_ = 0, write_count_ = 0;
  std::string violation_;
};

} // namespace axm::cosim
