#include "watchdog.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <stdexcept>

namespace axm::cosim {

namespace {

using std::chrono::steady_clock;

constexpr const char *kNames[] = {"AR", "R", "AW", "W", "B"};
constexpr const char *kOwed[] = {"no address is accepted", "no data arrive",
                                 "no address is accepted", "no data are accepted",
                                 "no response arrives"};
// Real time is read this seldom; a longer time between two readings was a pause.
constexpr std::uint64_t kWallClocks = 1024;
constexpr double kPauseS = 5;

std::string span(std::uint64_t clocks, double wall_s) {
  char text[64];
  std::snprintf(text, sizeof text, "%llu clocks (%.0f s of real time)",
                static_cast<unsigned long long>(clocks), wall_s);
  return text;
}

} // namespace

Watchdog::Watchdog(std::vector<std::string> ports, Limits limits) : limits_(limits) {
  for (std::string &name : ports)
    ports_.push_back({std::move(name), {}});
  looked_ = steady_clock::now();
}

void Watchdog::begin() {
  still_ = 0;
  owed_ = 0;
  for (Port &port : ports_)
    for (Channel &line : port.lines)
      line.owed = false;
}

void Watchdog::note(Channel &c, bool owed, bool moved) {
  if (moved) {
    ++c.handshakes;
    c.last = clocks_;
    c.owed = false;
    still_ = 0;
  } else if (owed && !c.owed) {
    c.owed = true;
    c.since = clocks_;
    check_at_ = std::min(check_at_, clocks_ + limits_.owed_clocks);
    c.from_s = wall_s_;
  } else if (!owed) {
    c.owed = false;
  }
}

void Watchdog::look(Lines asked, Lines offered, Lines answers) {
  const Lines moved = asked & offered;
  constexpr Lines kRequests = lines(0xff, 0, 0xff, 0xff, 0);
  const Lines owed = asked & (kRequests | answers) & ~moved;
  for (Lines changed = moved | (owed ^ owed_); changed != 0; changed &= changed - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(changed));
    note(ports_[at % 8].lines[at / 8], (owed >> at & 1) != 0, (moved >> at & 1) != 0);
  }
  owed_ = owed;
}

std::string Watchdog::history(const Port &port) const {
  std::string text;
  for (int line = 0; line < kLines; ++line) {
    const Channel &c = port.lines[static_cast<std::size_t>(line)];
    text += (text.empty() ? "" : ", ") + std::string(kNames[line]) + " " +
            (c.handshakes == 0 ? "none"
                               : std::to_string(c.handshakes) + ", the last " +
                                     std::to_string(clocks_ - c.last) + " clocks ago");
  }
  return text;
}

void Watchdog::complain(const std::string &what) const {
  throw std::runtime_error("the simulation hangs: " + what);
}

bool Watchdog::hopeless(const Channel &c) const {
  return c.owed &&
         (clocks_ - c.since >= limits_.owed_clocks || wall_s_ - c.from_s >= limits_.wall_s);
}

void Watchdog::check() {
  check_at_ = UINT64_MAX;
  for (const Port &port : ports_)
    for (int line = 0; line < kLines; ++line) {
      const Channel &c = port.lines[static_cast<std::size_t>(line)];
      if (hopeless(c))
        complain("the " + std::string(line < kAw ? "reading" : "writing") + " engine at port " +
                 port.name + " waits at channel " + kNames[line] + ", where " + kOwed[line] +
                 " for " + span(clocks_ - c.since, wall_s_ - c.from_s) +
                 "; handshakes there: " + history(port));
      if (c.owed)
        check_at_ = std::min(check_at_, c.since + limits_.owed_clocks);
    }
}

void Watchdog::clock(bool waiting) {
  ++clocks_;
  if (clocks_ % kWallClocks == 0) {
    const auto now = steady_clock::now();
    wall_s_ += std::min(std::chrono::duration<double>(now - looked_).count(), kPauseS);
    looked_ = now;
    check();
  } else if (clocks_ >= check_at_) {
    check();
  }
  if (!waiting || ports_.empty())
    return;
  if (still_ == 0)
    still_from_s_ = wall_s_;
  ++still_;
  const double wall_s = wall_s_ - still_from_s_;
  if (still_ < limits_.still_clocks && wall_s < limits_.wall_s)
    return;
  std::string text = "a run waits for its end, and no port has had a handshake for " +
                     span(still_, wall_s) + "; handshakes";
  for (const Port &port : ports_)
    text += " at port " + port.name + ": " + history(port) + ";";
  complain(text.substr(0, text.size() - 1));
}

} // namespace axm::cosim
