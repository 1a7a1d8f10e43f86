// Ends a co-simulation that hangs and names the cause: a channel on which the chip owes an answer,
// or a run in which nothing moves.
//
// Purpose      One clear error instead of a simulation that runs for days.
// Limits       Engines have their own time-out (65472 clocks by default), which
//              comes first: the watchdog is for those that have none, and for faults of the model.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "signals.hpp"

namespace axm::cosim {

class Watchdog {
public:
  struct Limits {
    std::uint64_t owed_clocks = 1u << 18;  // a channel waits for the chip
    std::uint64_t still_clocks = 1u << 23; // the agent waits, and no port has a handshake
    double wall_s = 45;                    // either of them, in real time
  };

  Watchdog(std::vector<std::string> ports, Limits limits);

  // A clock of all ports: what the design drives and what the chip offers. `answers`: R and B where
  // the chip has still to bring data or a response.
  void look(Lines asked, Lines offered, Lines answers);
  // The clock ends. `waiting`: the caller waits for an end. std::runtime_error with the port, the
  // engine, the channel and the last handshake if the wait is hopeless.
  void clock(bool waiting);
  // A new run: clears owed answers.
  void begin();

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Channel {
    std::uint64_t handshakes = 0;
    std::uint64_t last = 0;  // clock of the last handshake
    std::uint64_t since = 0; // clock from which on the chip owes one
    double from_s = 0;       // the same in real time
    bool owed = false;
  };
  struct Port {
    std::string name;
    std::array<Channel, kLines> lines;
  };

  bool hopeless(const Channel &line) const;
  void check();
  void note(Channel &line, bool owed, bool moved);
  std::string history(const Port &port) const;
  [[noreturn]] void complain(const std::string &what) const;

  std::vector<Port> ports_;
  Lines owed_ = 0;
  Limits limits_;
  std::uint64_t clocks_ = 0;
  std::uint64_t check_at_ = 0; // no channel is hopeless before by the count of clocks
  std::uint64_t still_ = 0;    // clocks of waiting since the last handshake of any port
  double still_from_s_ = 0;
  // Real time that the simulation ran for; pauses (of the host, of the machine) do not count.
  double wall_s_ = 0;
  Time looked_;
};

} // namespace axm::cosim
