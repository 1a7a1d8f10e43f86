// Several masters on one direction of an AFI interface, through a multiplexer in the fabric as
// rtl/mux has it, without registers: addresses by round robin, a burst at a time; write data in
// the order of the addresses; data read and responses go back to whose burst it is. One address,
// one beat and one response a PL cycle. (axm_mux keeps up to 8 write bursts whose data are to come;
// a master has one, so that 4 masters never meet that limit.)
#pragma once

#include <cstddef>
#include <span>

#include "axiometer/model/ports/afi.hpp"
#include "axiometer/model/sources/clocked_master.hpp"
#include "axiometer/model/sources/ring.hpp"

namespace axm::clocked {

class Multiplexer {
public:
  static constexpr std::size_t kMostMasters = 4;

  // A PL cycle of the interface and its masters, in their order.
  void cycle(Cycle cycle, Clk now, Afi &afi, std::span<Master *const> masters) {
    addressed_ = beat_ = response_ = false;
    choose(cycle, afi, masters);
    afi.step(now);
    for (std::size_t k = 0; k < masters.size(); ++k) {
      Side side{*this, afi, k};
      masters[k]->move(cycle, now, side);
    }
  }

private:
  static constexpr std::size_t kNobody = kMostMasters;
  using Owners = Ring<std::size_t, 256>; // 4 masters with up to 63 bursts each

  // What one master sees of the interface.
  struct Side {
    Multiplexer &mux;
    Afi &afi;
    std::size_t me;

    // A requesting master has a burst to begin, and requests until it may.
    bool takes_address() {
      mux.chosen_ = me;
      mux.after_ = me + 1;
      return !mux.owners_.full() && afi.takes_address();
    }
    void address(std::uint64_t address, int bytes) {
      afi.address(address, bytes);
      mux.addressed_ = true;
      mux.chosen_ = kNobody;
      mux.owners_.push(me);
      if (!afi.reads())
        mux.sending_.push(me);
    }
    bool read_beat() const { return mine(mux.owners_) && !mux.beat_ && afi.read_beat(); }
    bool take_beat() {
      mux.beat_ = true;
      const bool ends = afi.take_beat();
      if (ends)
        mux.owners_.pop();
      return ends;
    }
    bool takes_write_beat() const {
      return mine(mux.sending_) && !mux.beat_ && afi.takes_write_beat();
    }
    bool write_beat(Clk now) {
      mux.beat_ = true;
      const bool ends = afi.write_beat(now);
      if (ends)
        mux.sending_.pop();
      return ends;
    }
    bool response(Clk now) const {
      return mine(mux.owners_) && !mux.response_ && afi.response(now);
    }
    void take_response() {
      mux.response_ = true;
      afi.take_response();
      mux.owners_.pop();
    }
    // Behind another master's burst the path is what a burst waits for.
    StreamClass waits_for() const {
      const Owners &turn = afi.reads() ? mux.owners_ : mux.sending_;
      if (turn.empty())
        return kMaster;
      return mine(turn) ? afi.waits_for() : kPath;
    }

  private:
    bool mine(const Owners &turn) const { return !turn.empty() && turn.front() == me; }
  };

  // The master after the last chosen one has the first chance; a choice is final until served.
  void choose(Cycle cycle, Afi &afi, std::span<Master *const> masters) {
    if (chosen_ != kNobody) {
      Side side{*this, afi, chosen_};
      masters[chosen_]->begin(cycle, side);
      return;
    }
    const std::size_t first = after_;
    for (std::size_t k = 0; k < masters.size() && !addressed_ && chosen_ == kNobody; ++k) {
      const std::size_t number = (first + k) % masters.size();
      Side side{*this, afi, number};
      masters[number]->begin(cycle, side);
    }
  }

  Owners owners_;  // of bursts whose data (read) or response (write) are to come
  Owners sending_; // of write bursts whose data are to come
  std::size_t after_ = 0, chosen_ = kNobody;
  bool addressed_ = false, beat_ = false, response_ = false; // in this cycle
};

} // namespace axm::clocked
