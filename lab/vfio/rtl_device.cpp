#include "rtl_device.hpp"

#include <array>
#include <utility>

namespace axm::vfio {

namespace {

constexpr unsigned kResetClocks = 16;
// Far longer than any register block takes; the design's demultiplexer answers for a dead one
// before.
constexpr unsigned kDeadClocks = 10000;
constexpr std::size_t kMostPorts = 4;
// Registers stay accessible while a design never rests.
constexpr unsigned kMostWait = 1U << 22;

} // namespace

RtlDevice::RtlDevice(Slaves &slaves) : slaves_(slaves) { reset(); }

void RtlDevice::reset() {
  design_.lite({});
  design_.reset(true);
  for (unsigned i = 0; i < kResetClocks; ++i)
    tick();
  slaves_.reset(); // what the design asked for in the first of these clocks is asked by nobody
  design_.reset(false);
  for (unsigned i = 0; i < kResetClocks; ++i)
    tick();
}

// The ports answer what the design shows since its last clock; its outputs follow that answer; then
// all clocks advance.
bool RtlDevice::tick() {
  std::array<cosim::ToMaster, kMostPorts> offers;
  for (std::size_t p = 0; p < cosim::Design::ports(); ++p) {
    offers[p] = slaves_.offer(p, design_.from_master(p));
    design_.to_master(p, offers[p]);
  }
  design_.settle();
  bool moved = false;
  for (std::size_t p = 0; p < cosim::Design::ports(); ++p)
    moved = slaves_.commit(p, design_.from_master(p), offers[p]) || moved;
  slaves_.clock();
  design_.clock();
  moved_ = moved_ || moved;
  return moved;
}

bool RtlDevice::run(unsigned clocks) {
  const bool before = interrupt();
  while (clocks-- > 0) {
    tick();
    if (interrupt() != before)
      break;
  }
  return std::exchange(moved_, false);
}

// A register's output, stable since the last clock.
bool RtlDevice::interrupt() { return design_.interrupt(); }

// The reply is that of the clock of the request.
cosim::Design::LiteReply RtlDevice::tick_lite(const cosim::Design::LiteRequest &request) {
  design_.lite(request);
  design_.settle();
  const cosim::Design::LiteReply reply = design_.lite();
  tick();
  design_.lite({});
  return reply;
}

void RtlDevice::wait() {
  for (unsigned i = 0; i < kMostWait && slaves_.working(); ++i)
    tick();
}

std::optional<std::uint32_t> RtlDevice::read(std::uint32_t address) {
  wait();
  cosim::Design::LiteRequest r;
  r.address = address;
  r.ar_valid = r.r_ready = true;
  for (unsigned i = 0; i < kDeadClocks; ++i) {
    const cosim::Design::LiteReply a = tick_lite(r);
    r.ar_valid = r.ar_valid && !a.ar_ready;
    if (a.r_valid)
      return a.response == cosim::kOkay ? std::optional(a.data) : std::nullopt;
  }
  return std::nullopt;
}

bool RtlDevice::write(std::uint32_t address, std::uint32_t value) {
  wait();
  slaves_.accessed();
  cosim::Design::LiteRequest r;
  r.address = address;
  r.data = value;
  r.aw_valid = r.w_valid = r.b_ready = true;
  for (unsigned i = 0; i < kDeadClocks; ++i) {
    const cosim::Design::LiteReply a = tick_lite(r);
    r.aw_valid = r.aw_valid && !a.aw_ready;
    r.w_valid = r.w_valid && !a.w_ready;
    if (a.b_valid)
      return a.response == cosim::kOkay;
  }
  return false;
}

} // namespace axm::vfio
