// A general-purpose master port (M_AXI_GP) with a slave in the fabric, and the processor's own
// registers behind the same interconnect.
//
// Purpose      A read or write of the processor or its DMA engine: through the interconnect,
//              across the clocks, at the slave, and back.
// Limits       The slave serves bursts in order: one at a time, or of each direction as many as it
//              takes, whose data follow one another. Bursts are cut at `burst_beats`.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "axiometer/model/processor/config.hpp"

namespace axm::processor {

// When beats moved at the fabric's end of an interface, and how many cycles lay between them.
class Beats {
public:
  explicit Beats(const Clock &pl) : pl_(pl) {}
  void at(Time t) {
    if (count_)
      ++between_[(t - last_) / pl_.period];
    else
      first_ = t;
    last_ = t;
    ++count_;
  }
  std::int64_t count() const { return count_; }
  Time first() const { return first_; }
  Time last() const { return last_; }
  const std::map<Time, std::int64_t> &between() const { return between_; }

private:
  Clock pl_;
  std::int64_t count_ = 0;
  Time first_ = 0, last_ = 0;
  std::map<Time, std::int64_t> between_;
};

// A slave that is simulated elsewhere: it gets a burst's address at `start`, an edge of the fabric,
// and returns the edges at which its beats began, and the edge of its response (write).
struct Served {
  std::vector<Time> beats;
  Time end = 0; // a read's: after its last beat
};
using OutsideSlave = std::function<Served(Time start, int beats, bool read)>;

class GpPort {
public:
  explicit GpPort(const Config &config);
  void use(OutsideSlave slave) { outside_ = std::move(slave); }

  // A read issued at t: when its last data are back; a write: when its response is. `waits`:
  // whether it waits for a place among the processor's own reads.
  Time read(Time t, int bytes, Trail *trail = nullptr, bool waits = true);
  Time write(Time t, int bytes, Trail *trail = nullptr);
  // A register of the processor's own peripherals, EMIO's among them; `data` moves a beat of it
  // into or out of the fabric.
  Time reg(Time t, bool read, bool data, Trail *trail = nullptr);

  const Beats &beats() const { return beats_; }
  const Clock &pl() const { return pl_; }
  const Clock &interconnect() const { return interconnect_; }

private:
  void at_slave(Time start, int beats, bool read, Time data_free);
  Time serve(Time arrived, int beats, bool read, Trail *trail);
  Time access(Time t, int bytes, bool read, Trail *trail);

  GpConfig gp_;
  SlaveConfig slave_;
  Clock pl_, interconnect_, apb_;
  int gpio_clocks_;
  Beats beats_;
  Time slave_free_ = 0;
  // Of a slave that takes several bursts, those of a direction.
  struct Channel {
    std::vector<Time> places; // when they are free
    Time taken = 0, data_free = 0;
  };
  Channel channels_[2];
  OutsideSlave outside_;
  Served served_;           // the latest burst
  std::vector<Time> reads_; // when the places for reads are free
};

} // namespace axm::processor
