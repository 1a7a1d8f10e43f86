#include "axi_dma.hpp"

namespace axm::vendor {

namespace {

constexpr std::uint32_t kReceives = 0x30, kEnd = 0x5C;
constexpr unsigned kResetClocks = 16;

} // namespace

AxiDma::AxiDma(Master &memory, Objections &objections, const Options &options)
    : options_(options), objections_(objections), memory_{MemoryPort(memory), MemoryPort(memory)},
      stream_(options.fifo), sends_(true, memory_[0], stream_, objections, options_),
      receives_(false, memory_[1], stream_, objections, options_) {}

void AxiDma::reset() {
  stream_.clear();
  sends_.reset();
  receives_.reset();
}

std::uint32_t AxiDma::read_now(std::uint32_t address) {
  if (address >= kEnd) {
    objections_.raise("register-unknown", "offset " + hex(address) + " is read");
    return 0;
  }
  const std::uint32_t offset = address % kReceives;
  const std::uint32_t value = (address < kReceives ? sends_ : receives_).read(offset);
  return offset == 0 && resetting_ != 0 ? value | AxiDmaChannel::kReset : value;
}

// Reset of either channel resets both.
void AxiDma::write_now(std::uint32_t address, std::uint32_t value) {
  if (resetting_ != 0)
    return objections_.raise("during-reset", "offset " + hex(address) + " is written");
  if (address >= kEnd)
    return objections_.raise("register-unknown", "offset " + hex(address) + " is written");
  if (address % kReceives == 0 && (value & AxiDmaChannel::kReset) != 0) {
    reset();
    resetting_ = kResetClocks;
    return;
  }
  (address < kReceives ? sends_ : receives_).write(address % kReceives, value);
}

void AxiDma::tick() {
  if (resetting_ != 0) {
    --resetting_;
    return;
  }
  sends_.tick();
  receives_.tick();
}

bool AxiDma::busy() const { return resetting_ != 0 || sends_.busy() || receives_.busy(); }

} // namespace axm::vendor
