#include "sim_bus.hpp"

#include "sim_bus.h"

#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <iostream>
#include <string>

#include "control.hpp"

namespace {

axm::cosim::Simulation *the_simulation = nullptr;
std::string from_desk; // bytes that have come, up to the last whole line or beyond
std::string for_agent; // of these, what the agent has still to take

// Far longer than any line of the host for the simulation.
constexpr std::size_t kMostControl = 1 << 24;

std::uint64_t clocks_in(std::uint64_t ns) {
  const std::uint64_t period = the_simulation->period_ps();
  // In two parts, so that the product does not overflow.
  return ns / period * 1000 + (ns % period * 1000 + period - 1) / period;
}

void answer(const std::string &line) {
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
    if (n <= 0)
      std::_Exit(1); // no reader any more
    sent += static_cast<std::size_t>(n);
  }
}

// Moves whole lines on: those with a "!" are obeyed here, the others are the agent's.
void sort_lines() {
  for (auto end = from_desk.find('\n'); end != std::string::npos; end = from_desk.find('\n')) {
    const std::string line = from_desk.substr(0, end + 1);
    from_desk.erase(0, end + 1);
    if (line[0] == '!')
      answer(axm::cosim::control(*the_simulation, line.substr(1, line.size() - 2)));
    else
      for_agent += line;
  }
}

// An error in the simulation must not pass through C code as an exception.
template <class F> int guarded(F f) {
  try {
    return f();
  } catch (const std::exception &e) {
    std::cerr << "co-simulation: " << e.what() << "\n";
    std::_Exit(3);
  }
}

} // namespace

namespace axm::cosim {

void attach(Simulation &simulation) { the_simulation = &simulation; }

} // namespace axm::cosim

extern "C" {

int axm_sim_read32(uint64_t address, uint32_t *value) {
  if (address > UINT32_MAX)
    return -1; // no slave there
  return guarded([&] { return the_simulation->read(static_cast<uint32_t>(address), *value); });
}

int axm_sim_write32(uint64_t address, uint32_t value) {
  if (address > UINT32_MAX)
    return -1;
  return guarded([&] { return the_simulation->write(static_cast<uint32_t>(address), value); });
}

uint64_t axm_sim_now_ns(void) { return the_simulation->time_ps() / 1000; }

int axm_sim_wait_irq(uint64_t timeout_ns) {
  return guarded([&] { return the_simulation->wait_for_interrupt(clocks_in(timeout_ns)) ? 1 : 0; });
}

void axm_sim_idle_ns(uint64_t duration_ns) {
  guarded([&] {
    the_simulation->await(clocks_in(duration_ns));
    return 0;
  });
}

int axm_sim_alloc(uint64_t size, uint64_t align, uint64_t wanted, uint64_t *bus_address,
                  void **memory) {
  std::uint8_t *host = nullptr;
  std::optional<std::uint64_t> at;
  try {
    at = the_simulation->memory().allocate(
        size, align, wanted == UINT64_MAX ? std::nullopt : std::optional<std::uint64_t>(wanted),
        &host);
  } catch (const std::bad_alloc &) {
    return -1; // this machine has less memory than the chip that is simulated
  }
  if (!at)
    return -1;
  *bus_address = *at;
  *memory = host;
  return 0;
}

void axm_sim_release(uint64_t bus_address, uint64_t) {
  the_simulation->memory().release(bus_address);
}

int axm_sim_read_bytes(char *bytes, size_t room, size_t *count, uint64_t timeout_ns) {
  *count = 0;
  const auto ms = static_cast<int>(std::min<uint64_t>(timeout_ns / 1000000, 3600000));
  while (for_agent.empty()) {
    pollfd p{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&p, 1, ms);
    if (ready == 0)
      return 0;
    char some[4096];
    const ssize_t n = ready < 0 ? -1 : ::read(STDIN_FILENO, some, sizeof some);
    if (n <= 0) {
      for_agent += from_desk; // half a line, for the agent to complain of
      from_desk.clear();
      if (for_agent.empty())
        return -1;
      break;
    }
    from_desk.append(some, static_cast<std::size_t>(n));
    sort_lines();
    // A line that does not end must not fill the memory.
    if (from_desk.size() > kMostControl)
      std::_Exit(1); // the host is mad
    if (from_desk.size() > sizeof some && from_desk[0] != '!') {
      for_agent += from_desk;
      from_desk.clear();
    }
  }
  *count = std::min(room, for_agent.size());
  std::memcpy(bytes, for_agent.data(), *count);
  for_agent.erase(0, *count);
  return 0;
}

int axm_sim_write_bytes(const char *bytes, size_t count) {
  for (size_t sent = 0; sent < count;) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes + sent, count - sent);
    if (n <= 0)
      return -1;
    sent += static_cast<size_t>(n);
  }
  return 0;
}
}
