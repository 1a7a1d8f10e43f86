// A GP master port, cycle by cycle: the way to the slave in the fabric, the slave, the way back.
#pragma once

#include "books.hpp"

namespace axm::sources {

class GpPort {
public:
  // `kept`: whether it counts beats.
  GpPort(const Config &config, Schedule &schedule, bool kept);

  // Ends when the last data, or the response, are back. `waits`: for a place among the
  // processor's reads.
  Job read(Transaction &t, std::int64_t bytes, bool waits);
  Job write(Transaction &t, std::int64_t bytes) { return access(t, bytes, false); }
  // A register of a peripheral of the processor. `data`: it puts a beat on, or takes it from, wires
  // into the fabric.
  Job peripheral(Transaction &t, bool read, bool data);

  BeatLog beats;

private:
  Job access(Transaction &t, std::int64_t bytes, bool read);
  // Bursts at the slave, in the order in which their accesses were issued: who may come in, who may
  // move data, and from when on.
  struct Channel {
    Queue door, data;
    Places places;
    Time recovered = 0;
  };
  Job serve(Transaction &t, Channel &channel, int number, std::int64_t count, bool read);
  auto cycles(const Transaction &t, Time n) {
    return schedule_.until(schedule_.now() + n * pl_.period, t.turn);
  }

  const Config &config_;
  Schedule &schedule_;
  Books books_; // for the steps of transactions
  Edges pl_, interconnect_, apb_;
  Places reads_;
  Channel writes_here_, reads_here_; // a slave that takes one burst has both in the first
};

} // namespace axm::sources
