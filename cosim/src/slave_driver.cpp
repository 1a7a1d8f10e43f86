#include "slave_driver.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace axm::cosim {

namespace {

// Clocks without a handshake after which the slave counts as hung.
constexpr int kHung = 4096;

} // namespace

std::uint32_t SlaveDriver::word(std::uint32_t address, std::uint32_t seed) {
  return address ^ address << 16 ^ seed;
}

FromSlave SlaveDriver::tick(ToSlave &pins) {
  pins.b_ready = answered_;
  answered_ = false;
  const FromSlave s = simulation_.tick_slave(pins);
  ++clock_;
  return s;
}

void SlaveDriver::idle_until(std::int64_t clock) {
  if (clock < clock_)
    throw std::runtime_error("a burst comes before the slave is free");
  ToSlave pins;
  while (clock_ < clock)
    tick(pins);
}

// A burst whose address is valid in the clock `at`. Its beats follow one a clock as the slave takes
// or gives them; times are clocks.
processor::Served SlaveDriver::serve(std::int64_t at, int beats, bool read) {
  idle_until(at);
  processor::Served served;
  ToSlave pins;
  pins.address = address_;
  pins.beats = beats;
  bool asked = false;
  int waited = 0;
  while (static_cast<int>(served.beats.size()) < beats) {
    const std::uint32_t place = address_ + 4 * static_cast<std::uint32_t>(served.beats.size());
    (read ? pins.ar_valid : pins.aw_valid) = !asked;
    pins.w_valid = !read;
    pins.w_data = word(place, seed_);
    pins.w_last = static_cast<int>(served.beats.size()) == beats - 1;
    pins.r_ready = read;
    const std::int64_t now = clock_;
    const FromSlave s = tick(pins);
    asked = asked || (read ? s.ar_ready : s.aw_ready);
    if (read ? s.r_valid : s.w_ready) {
      if (read && (s.r_response != kOkay || s.r_data != word(place, seed_)))
        ++wrong_;
      served.beats.push_back(now);
      waited = 0;
    } else if (++waited > kHung) {
      throw std::runtime_error("the slave hangs");
    }
  }
  served.end = clock_;
  if (!read) {
    pins = {};
    FromSlave s;
    for (waited = 0; !(s = simulation_.look_at_slave()).b_valid; tick(pins))
      if (++waited > kHung)
        throw std::runtime_error("the slave hangs");
    if (s.b_response != kOkay)
      ++wrong_;
    served.end = clock_;
    answered_ = true;
  }
  address_ = (address_ + 4 * static_cast<std::uint32_t>(beats)) % bytes_;
  return served;
}

void SlaveDriver::fill(std::uint64_t size, std::uint32_t seed) {
  seed_ = seed;
  address_ = 0;
  for (std::uint64_t a = 0; a < std::min<std::uint64_t>(size, bytes_); a += 4)
    serve(clock_, 1, false);
  idle_until(clock_ + 1);
}

void SlaveDriver::check(std::uint64_t size, std::uint32_t seed) {
  seed_ = seed;
  address_ = 0;
  wrong_ = 0;
  for (std::uint64_t a = 0; a < std::min<std::uint64_t>(size, bytes_); a += 4)
    serve(clock_, 1, true);
  if (wrong_)
    throw std::runtime_error(std::to_string(wrong_) + " words in the slave are wrong");
}

processor::Outcome SlaveDriver::transfer(const processor::Config &config, std::uint32_t seed) {
  seed_ = seed;
  address_ = 0;
  wrong_ = 0;
  idle_until(clock_ + 16); // the slave rests
  const std::int64_t begin = clock_, period = config.clocks.pl, phase = config.clocks.pl_phase;
  const auto slave = [&](processor::Time start, int beats, bool read) {
    processor::Served s = serve(begin + (start - phase) / period, beats, read);
    for (processor::Time &beat : s.beats)
      beat = (beat - begin) * period + phase;
    s.end = (s.end - begin) * period + phase;
    return s;
  };
  const processor::Outcome outcome = processor::run(config, slave);
  idle_until(clock_ + 1);
  if (wrong_)
    throw std::runtime_error(std::to_string(wrong_) + " words or responses are wrong");
  return outcome;
}

} // namespace axm::cosim
