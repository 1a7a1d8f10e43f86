#include "msgdma.hpp"

#include <algorithm>

namespace axm::vendor {

namespace {

constexpr std::uint32_t kApart = 0x80;

} // namespace

Msgdma::Msgdma(Master &memory, Objections &objections, const Options &options)
    : options_(options), objections_(objections),
      memory_{MemoryPort(memory), MemoryPort(memory), MemoryPort(memory)}, stream_(options.fifo),
      cores_{MsgdmaCore("send: ", memory_[0], nullptr, &stream_, objections, options_),
             MsgdmaCore("receive: ", memory_[1], &stream_, nullptr, objections, options_),
             MsgdmaCore("copy: ", memory_[2], nullptr, nullptr, objections, options_)} {}

bool Msgdma::interrupt() {
  return std::ranges::any_of(cores_, [](const MsgdmaCore &c) { return c.line(); });
}

void Msgdma::reset() {
  stream_.clear();
  for (MsgdmaCore &c : cores_)
    c.reset();
}

MsgdmaCore *Msgdma::core(std::uint32_t address) {
  if (address / kApart < cores_.size() && address % kApart < MsgdmaCore::kBytes)
    return &cores_[address / kApart];
  objections_.raise("register-unknown", "offset " + hex(address) + " is in no core's map");
  return nullptr;
}

std::uint32_t Msgdma::read_now(std::uint32_t address) {
  MsgdmaCore *const c = core(address);
  return c == nullptr ? 0 : c->read(address % kApart);
}

void Msgdma::write_now(std::uint32_t address, std::uint32_t value) {
  if (MsgdmaCore *const c = core(address))
    c->write(address % kApart, value);
}

void Msgdma::tick() {
  for (MsgdmaCore &c : cores_)
    c.tick();
}

bool Msgdma::busy() const {
  return std::ranges::any_of(cores_, [](const MsgdmaCore &c) { return c.busy(); });
}

} // namespace axm::vendor
