// A GP master port: the way to the slave in the fabric, the slave, the way back. Bursts are at the
// slave in the order in which their accesses were issued, so that an access's end is known then.
#pragma once

#include "books.hpp"

namespace axm::sources {

class GpPort {
public:
  // `kept`: whether it counts beats. slave: what is in the fabric, where it is not that of
  // `config`.
  GpPort(const Config &config, Schedule &schedule, bool kept, side::OutsideSlave slave = {});

  // Ends when the last data, or the response, are back. `waits`: for a place among the
  // processor's reads.
  Course read(Transaction &t, std::int64_t bytes, bool waits);
  Time write(Transaction &t, std::int64_t bytes) { return access(t, bytes, false); }
  // A register of a peripheral of the processor. `data`: it puts a beat on, or takes it from, wires
  // into the fabric.
  Time peripheral(Transaction &t, bool read, bool data);

  BeatLog beats;

private:
  // So many places: until when the latest who have one have it, in this order.
  class Places {
  public:
    explicit Places(int count) : count_(static_cast<std::size_t>(count)) {}
    // When the next one is free.
    Time next() const { return until_.size() - first_ < count_ ? 0 : until_[first_]; }
    void take(Time until) {
      if (until_.size() - first_ == count_ && ++first_ > count_ + 16) {
        until_.erase(until_.begin(), until_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
      }
      until_.push_back(until);
    }

  private:
    std::size_t count_, first_ = 0;
    std::vector<Time> until_; // from `first_` on
  };
  // Bursts at the slave, one after the other.
  struct Channel {
    Places places;
    Time taken = 0, data = 0; // since when the next may come in, and move data
  };
  Time access(Transaction &t, std::int64_t bytes, bool read);
  Time serve(Transaction &t, Channel &channel, Time arrived, std::int64_t count, bool read);
  Job read_later(Transaction &t, std::int64_t bytes);

  Schedule &schedule_;
  const Config &config_;
  side::OutsideSlave outside_;
  Edges pl_, interconnect_, apb_;
  Places reads_;
  Queue readers_;
  Channel writes_here_, reads_here_; // a slave that takes one burst has both in the first
};

} // namespace axm::sources
