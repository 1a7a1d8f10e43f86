// One direction of an AFI interface, beat by beat: bursts are cut into parts from their first
// byte on, and at most `issue` parts are under way. A read part keeps its place in the port's FIFO
// from when it is cut until the fabric has taken its last beat, and one is cut while no more than
// the FIFO holds is taken: so there is one part beyond it. Published counts of reads in flight show
// this, and the bursts that wait before (`address_bursts`) and parts behind (`inflight_parts`);
// they are the same on both boards. On one side is the port's master, a `Master` of the model, a
// multiplexer, or RTL; on the other a port of the controller (`Ports`).
//
// In each PL cycle, in this order:
//   1. `address`, at most once: AR or AW of a burst is accepted;
//   2. `step`;
//   3. `take_beat` if `read_beat`, or `write_beat` if `takes_write_beat`, and `take_response`
//      if `response`, each at most once, as AXI's ready and valid have it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "axiometer/model/accounting/stats.hpp"
#include "axiometer/model/config.hpp"
#include "axiometer/model/sources/ring.hpp"

namespace axm::clocked {

struct Part {
  std::uint64_t address = 0;
  int bytes = 0, beats = 0, columns = 0; // columns: DRAM bursts that it touches
  bool ends_burst = false;
  Clk ready = kNever;    // at the controller's port
  Clk deadline = kNever; // of its class
  int arrived = 0;       // columns whose data are at the AFI (read)
  int moved = 0;         // beats that have passed to or from the master
  int needs = 0;         // columns that must be there for the next beat (read)
};

class Afi {
public:
  // Bursts that are accepted and not yet cut.
  static constexpr unsigned kMostBursts = 64;

  Afi(const SystemConfig &c, int port, Dir dir);

  // A time of the controller's ports, lowered to when a part will be there for them.
  void offers_to(Clk *ports) { ports_ = ports; }

  bool reads() const { return dir_ == kRead; }
  const PortConfig &port_config() const { return port_; }

  // ---- the master's side; `now` is the controller clock in which the PL cycle begins ---------
  bool takes_address() const {
    return reads() ? bursts_.size() + (left_ > 0) < port_.afi.address_bursts : !bursts_.full();
  }
  // A burst of whole beats but for its last, aligned to a beat.
  void address(std::uint64_t address, int bytes) { bursts_.push({address, bytes}); }
  void step(Clk now) {
    if (reads() && in_afi_ < issue_ && inflight_ < port_.afi.inflight_parts &&
        fifo_ <= fifo_bytes_ && (left_ > 0 || !bursts_.empty()))
      cut_read(now);
  }

  // Whether the next beat of the oldest burst is here.
  bool read_beat() const {
    return !parts_.empty() && parts_.front().arrived >= parts_.front().needs;
  }
  // True if it was its burst's last.
  bool take_beat() {
    Part &p = parts_.front();
    if (++p.moved != p.beats) {
      p.needs = needs(p);
      return false;
    }
    --in_afi_;
    fifo_ -= p.bytes;
    passed_ -= p.columns;
    const bool ends = p.ends_burst;
    parts_.pop();
    return ends;
  }

  // Whether there is a place for a beat of a burst whose address has come.
  bool takes_write_beat() const {
    return (filling_ || parts_.size() < issue_) && fifo_ + beat_ <= fifo_bytes_;
  }
  // True if it was its burst's last.
  bool write_beat(Clk now);

  // Whether a write burst that was not reported is complete.
  bool response(Clk now) const { return !responses_.empty() && responses_.front() <= now; }
  void take_response() { responses_.pop(); }

  // Why the data channel stalls, if the master is not the cause.
  StreamClass waits_for() const {
    if (!reads())
      return in_port_ > 0 ? kController : kPath;
    if (parts_.empty())
      return kMaster;
    return sent_ == parts_.head() ? kPath : parts_.front().arrived > 0 ? kLatency : kController;
  }
  // Why the DRAM has nothing of this interface's to do.
  BusClass idle_class() const {
    if (parts_.empty())
      return kIdleNoRequest;
    return in_port_ > 0 ? kIdlePath : kIdlePort;
  }

  // ---- the side of the controller's port -----------------------------------------------------
  // The next part, if it has arrived there.
  bool offers(Clk now) const { return offer_ <= now; }
  Clk offers_from() const { return offer_; }
  Part &part(unsigned number) { return parts_.at(number); }
  const Part &part(unsigned number) const { return parts_.at(number); }
  // The port takes it: of a read its number, of a write the part itself.
  unsigned take_read() {
    ++in_port_;
    const unsigned taken = sent_++;
    offer_ = sent_ != parts_.tail() ? parts_.at(sent_).ready : kNever;
    return taken;
  }
  Part take_write() {
    const Part p = parts_.front();
    fifo_ -= p.bytes;
    parts_.pop();
    offer_ = parts_.empty() ? kNever : parts_.front().ready;
    ++in_port_;
    return p;
  }
  // Whether the arbiter may begin to pass this read part, and that it does.
  bool may_pass(unsigned number) const {
    return passed_ == 0 || passed_ + parts_.at(number).columns <= port_.afi.passed_commands;
  }
  void passes(unsigned number) { passed_ += parts_.at(number).columns; }
  void returned(unsigned number) {
    Part &p = parts_.at(number);
    if (++p.arrived == p.columns) {
      --in_port_;
      --inflight_;
    }
  }
  // The controller has the whole write part.
  void accepted(bool ends_burst, Clk now) {
    --in_port_;
    if (ends_burst)
      responses_.push(now + response_);
  }

private:
  struct Burst {
    std::uint64_t address = 0;
    int bytes = 0;
  };

  void open_burst() {
    next_ = bursts_.front().address;
    left_ = bursts_.front().bytes;
    bursts_.pop();
  }
  void offer(Clk from) {
    offer_ = from;
    if (ports_ != nullptr)
      *ports_ = std::min(*ports_, from);
  }
  Part cut(std::uint64_t from, int left) const;
  void cut_read(Clk now);
  int needs(const Part &p) const {
    const int from = static_cast<int>(p.address) & (column_ - 1);
    return ((from + std::min((p.moved + 1) * beat_, p.bytes) - 1) >> column_shift_) + 1;
  }

  Dir dir_;
  PortConfig port_;
  int beat_, column_, column_shift_, issue_, fifo_bytes_;
  Clk request_, response_;

  std::uint64_t next_ = 0; // of the next part
  int left_ = 0;           // bytes of the open burst
  bool filling_ = false;   // a write part takes beats
  Clk *ports_ = nullptr;
  Clk offer_ = kNever; // when the next part is at the controller's port
  unsigned sent_ = 0;  // next read part for the port
  int in_port_ = 0;    // parts in the controller's port and behind it
  int inflight_ = 0;   // read parts cut and not back
  int passed_ = 0;     // commands of read parts that the arbiter began to pass and are not taken
  int in_afi_ = 0;     // read parts cut and not yet passed to the master
  int fifo_ = 0;       // bytes: of reads reserved, of writes held
  Ring<Burst, kMostBursts> bursts_; // accepted and not yet cut
  Ring<Clk, 64> responses_;
  Ring<Part, 128> parts_;
};

} // namespace axm::clocked
