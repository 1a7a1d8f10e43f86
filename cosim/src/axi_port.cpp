#include "axi_port.hpp"

#include <algorithm>
#include <utility>

namespace axm::cosim {

AxiPort::AxiPort(std::size_t number, Streams streams, std::size_t width_bytes, bool axi3,
                 bool crosses)
    : number_(number), streams_(std::move(streams)), width_(width_bytes), axi3_(axi3),
      crosses_(crosses) {
  for (const auto *half : {&streams_.read, &streams_.write})
    for (const int stream : *half)
      mine_ |= stream < 0 ? 0 : std::uint64_t{1} << stream;
}

int AxiPort::stream_of(const std::vector<int> &streams, std::uint32_t id) const {
  const std::size_t master = id >> streams_.master_bit;
  return master < streams.size() ? streams[master] : -1;
}

bool AxiPort::room(int stream) const {
  return stream < 0 || chip_->takes_address(static_cast<std::size_t>(stream));
}

void AxiPort::connect(SteppedChip *chip) {
  chip_ = chip;
  reads_.clear();
  offered_.reset();
  writes_.clear();
  writing_ = 0;
  read_count_ = write_count_ = 0;
  odd_ = false;
}

void AxiPort::complain(const std::string &what) {
  if (violation_.empty())
    violation_ = "port " + std::to_string(number_) + ": " + what;
}

std::uint64_t AxiPort::beat_address(const Burst &b) {
  if (b.moved == 0)
    return b.address;
  const auto size = static_cast<std::uint64_t>(b.beat_bytes);
  return (b.address / size + static_cast<std::uint64_t>(b.moved)) * size;
}

// ---- what the port drives --------------------------------------------------------

// An early last ends the burst for the design; the chip's remaining beat goes nowhere.
bool AxiPort::swallows(const Burst &b, const Faults &faults) const {
  return b.beats > 1 && b.moved == b.beats - 1 &&
         faults.has(number_, Channel::r, FaultKind::early_last, b.number);
}

// Most of it in functions of its own: in most clocks there is little to do.
const ToMaster &AxiPort::offer(const FromMaster &m, const PortMemory &memory, Faults &faults) {
  ToMaster &t = offers_;
  t.ar_ready = t.aw_ready = t.w_ready = t.r_valid = t.b_valid = false;
  if (m.ar.valid || m.aw.valid)
    offer_addresses(m, faults);
  if (reading() && due(reads_.front()))
    offer_beat(memory, faults);
  if (answering() && due(writes_.front()))
    offer_response(faults);
  if (m.w_valid)
    t.w_ready = takes_data(m, faults);
  return t;
}

void AxiPort::offer_addresses(const FromMaster &m, Faults &faults) {
  ToMaster &t = offers_;
  t.ar_ready = m.ar.valid && room(stream_of(streams_.read, m.ar.id)) &&
               !faults.hangs(number_, Channel::ar, read_count_);
  t.aw_ready = m.aw.valid && room(stream_of(streams_.write, m.aw.id)) &&
               !faults.hangs(number_, Channel::aw, write_count_);
}

// Data of a burst whose address comes in this very clock are taken, too.
bool AxiPort::takes_data(const FromMaster &m, Faults &faults) const {
  const Burst *const begun = writing_ < writes_.size() ? &writes_[writing_] : nullptr;
  const bool begins = offers_.aw_ready;
  if (begun == nullptr && !begins)
    return false;
  const int stream = begun != nullptr ? begun->stream : stream_of(streams_.write, m.aw.id);
  return (stream < 0 ||
          chip_->takes_write_beat(static_cast<std::size_t>(stream), begins ? m.aw.beats : 0)) &&
         !faults.hangs(number_, Channel::w, begun != nullptr ? begun->number : write_count_);
}

// What answers a burst on a channel, with the faults that are planned for it there.
AxiPort::Answer AxiPort::answer(const Burst &b, Channel c, const Faults &faults) const {
  const auto fault = [&](FaultKind k) { return faults.has(number_, c, k, b.number); };
  return {fault(FaultKind::wrong_id) ? b.id ^ 1u : b.id,
          fault(FaultKind::slave_error)                                 ? kSlaveError
          : fault(FaultKind::decode_error) || b.outside || b.stream < 0 ? kDecodeError
                                                                        : kOkay};
}

void AxiPort::offer_beat(const PortMemory &memory, Faults &faults) {
  ToMaster &t = offers_;
  const Burst &b = reads_.front();
  t.r_valid = !swallows(b, faults) && !faults.hangs(number_, Channel::r, b.number);
  if (!t.r_valid)
    return;
  const auto fault = [&](FaultKind k) { return faults.has(number_, Channel::r, k, b.number); };
  const Answer own = answer(b, Channel::r, faults);
  t.r_id = own.id;
  t.r_response = own.response;
  const int last = fault(FaultKind::early_last) ? std::max(b.beats - 2, 0) : b.beats - 1;
  t.r_last = b.extra ||
             (b.moved == last && !fault(FaultKind::late_last) && !fault(FaultKind::missing_last));
  if (b.outside || b.extra) {
    t.r_data = {};
    return;
  }
  if (!offered_)
    offered_ = memory.read(beat_address(b) / width_ * width_, width_, t.r_data.data());
  if (!*offered_)
    t.r_response = kDecodeError;
}

void AxiPort::offer_response(Faults &faults) {
  ToMaster &t = offers_;
  const Burst &b = writes_.front();
  t.b_valid = !faults.hangs(number_, Channel::b, b.number);
  if (!t.b_valid)
    return;
  const Answer own = answer(b, Channel::b, faults);
  t.b_id = own.id;
  t.b_response = own.response;
}

// ---- what has happened -----------------------------------------------------------

AxiPort::Burst AxiPort::begin(const FromMaster::Address &a, std::uint64_t number,
                              const PortMemory &memory, const std::vector<int> &streams,
                              const char *what) {
  Burst b{number, a.address, a.id, a.beats, a.beat_bytes};
  b.stream = stream_of(streams, a.id);
  odd_ = odd_ || b.stream < 0;
  const auto size = static_cast<std::uint64_t>(a.beat_bytes);
  const std::uint64_t end = (a.address / size + static_cast<std::uint64_t>(a.beats)) * size;
  b.outside = !memory.holds(a.address, end - a.address);
  b.in_chip = b.outside ? 0 : memory.in_chip(a.address);
  if (a.burst != 1)
    complain(std::string(what) + ": only INCR bursts are simulated");
  if (axi3_ && a.beats > 16)
    complain(std::string(what) + ": a burst of " + std::to_string(a.beats) +
             " beats; AXI3 has at most 16");
  if (size > width_)
    complain(std::string(what) + ": a beat wider than the bus");
  if (!crosses_ && a.address / 4096 != (end - 1) / 4096)
    complain(std::string(what) + ": a burst crosses a 4 KiB boundary");
  return b;
}

void AxiPort::drive_chip(const Burst *begins, int moves, int responds) {
  constexpr std::optional<BurstRequest> kNone;
  const auto drive = [&](int stream, const std::optional<BurstRequest> &request) {
    chip_->drive(static_cast<std::size_t>(stream), request, moves == stream, responds == stream);
  };
  const int begun = begins == nullptr ? -1 : begins->stream;
  if (begun >= 0)
    drive(begun, BurstRequest{begins->in_chip, begins->beats, begins->beat_bytes});
  if (moves >= 0 && moves != begun)
    drive(moves, kNone);
  if (responds >= 0 && responds != begun && responds != moves)
    drive(responds, kNone);
}

void AxiPort::commit(const FromMaster &m, PortMemory &memory, Faults &faults) {
  const ToMaster &t = offers_;
  const bool taken = t.r_valid && m.r_ready;
  int moves = -1; // the stream that moves a beat
  if (taken || (reading() && swallows(reads_.front(), faults) && due(reads_.front())))
    moves = take_beat(faults);
  const bool read_begins = m.ar.valid && t.ar_ready;
  if (read_begins)
    reads_.push_back(begin(m.ar, read_count_++, memory, streams_.read, "read"));
  if (read_begins || moves >= 0)
    drive_chip(read_begins ? &reads_.back() : nullptr, moves, -1);

  const bool write_begins = m.aw.valid && t.aw_ready;
  if (write_begins)
    writes_.push_back(begin(m.aw, write_count_++, memory, streams_.write, "write"));
  const bool answered = t.b_valid && m.b_ready;
  const int responds = answered ? writes_.front().stream : -1;
  const int sends = m.w_valid && t.w_ready ? send_beat(m, memory) : -1;
  if (answered) {
    writes_.pop_front();
    --writing_;
  }
  if (write_begins || sends >= 0 || responds >= 0)
    drive_chip(write_begins ? &writes_.back() : nullptr, sends, responds);
}

// A beat of a read is through; the stream that it moves, or -1.
int AxiPort::take_beat(const Faults &faults) {
  Burst &b = reads_.front();
  const int moves = b.extra ? -1 : b.stream;
  offered_.reset();
  ++b.moved;
  const bool late = faults.has(number_, Channel::r, FaultKind::late_last, b.number);
  if (b.moved == b.beats && late && !b.extra)
    b.extra = odd_ = true;
  else if (b.moved >= b.beats)
    reads_.pop_front();
  return moves;
}

// The same of a write.
int AxiPort::send_beat(const FromMaster &m, PortMemory &memory) {
  Burst &b = writes_[writing_];
  if (axi3_ && m.w_id != b.id)
    complain("the ID of write data differs from that of their address");
  if (m.w_last != (b.moved == b.beats - 1))
    complain("WLAST is not at the burst's last beat");
  const std::uint64_t line = beat_address(b) / width_ * width_;
  if (!b.outside && b.stream >= 0 && !memory.write(line, width_, m.w_data.data(), m.w_strobes))
    b.outside = true;
  if (++b.moved == b.beats)
    ++writing_;
  return b.stream;
}

} // namespace axm::cosim
