#include "axi_traffic_gen.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace axm::vendor {

namespace {

constexpr std::uint32_t kMasterControl = 0x00, kErrorStatus = 0x08, kErrorEnable = 0x0C,
                        kMasterError = 0x10, kParameters = 0x1000, kCommandRam = 0x8000,
                        kHigh = 0xA000, kMasterRam = 0xC000;
constexpr std::uint32_t kEnable = 1U << 20, kLoop = 1U << 19, kRevision = 0x20U << 24;
constexpr std::uint32_t kDone = 1U << 31, kReadResponse = 1U << 17, kWriteResponse = 1U << 18;
constexpr std::uint32_t kErrors = 0x801F0003;
// Of a command's second and third word.
constexpr std::uint32_t kValid = 1U << 31, kReserved = 0x0F000200, kLock = 1U << 8,
                        kDepends = 0x7FFFE000, kLast = 7U << 28;

} // namespace

AxiTrafficGen::AxiTrafficGen(Master &memory, Objections &objections, const Options &options)
    : options_(options), objections_(objections), memory_{MemoryPort(memory), MemoryPort(memory)} {}

// RAMs keep their content.
void AxiTrafficGen::reset() {
  status_ = enable_ = 0;
  enabled_ = false;
  for (MemoryPort &port : memory_)
    port.forget();
}

bool AxiTrafficGen::interrupt() { return (status_ & enable_ & kDone) != 0; }

std::uint32_t AxiTrafficGen::read_now(std::uint32_t address) {
  switch (address) {
  case kMasterControl:
    return kRevision | (enabled_ ? kEnable : 0);
  case kErrorStatus:
    return status_ & (enable_ | kDone);
  case kErrorEnable:
    return enable_;
  default:
    break;
  }
  if (address >= kMasterRam && address < kMasterRam + kRam) {
    std::uint32_t word = 0;
    std::memcpy(&word, ram_.data() + (address - kMasterRam), sizeof word);
    return word;
  }
  raise("register-unknown", "offset " + hex(address) + " is read");
  return 0;
}

void AxiTrafficGen::write_now(std::uint32_t address, std::uint32_t value) {
  if (address >= kParameters)
    return write_ram(address, value);
  if (address == kMasterControl)
    return write_control(value);
  if (address != kErrorStatus && address != kErrorEnable && address != kMasterError)
    return raise("register-unknown", "offset " + hex(address) + " is written");
  if (address == kMasterError)
    return;
  if ((value & ~kErrors) != 0)
    raise("reserved-bit", "offset " + hex(address) + " is written " + hex(value));
  if (address == kErrorStatus)
    status_ &= ~value;
  else
    enable_ = value & kErrors;
}

void AxiTrafficGen::write_ram(std::uint32_t address, std::uint32_t value) {
  const auto within = [&](std::uint32_t base, std::uint32_t bytes) {
    return address >= base && address < base + bytes;
  };
  if (enabled_)
    return raise("ram-busy", "offset " + hex(address) + " is written");
  if (within(kParameters, 2 * 4 * kCommands)) {
    Side &side = sides_[(address - kParameters) / (4 * kCommands)];
    const std::uint32_t number = (address - kParameters) / 4 % kCommands;
    side.parameters[number] = value;
    side.told[number] = true;
  } else if (within(kCommandRam, 2 * 16 * kCommands)) {
    const std::uint32_t word = (address - kCommandRam) / 4;
    sides_[word / (4 * kCommands)].commands[word % (4 * kCommands)] = value;
  } else if (within(kHigh, 2 * 4 * kCommands)) {
    const std::uint32_t word = (address - kHigh) / 4;
    sides_[word / kCommands].high[word % kCommands] = value;
  } else if (within(kMasterRam, kRam)) {
    std::memcpy(ram_.data() + (address - kMasterRam), &value, sizeof value);
  } else {
    raise("register-unknown", "offset " + hex(address) + " is written");
  }
}

void AxiTrafficGen::write_control(std::uint32_t value) {
  if ((value & kLoop) != 0)
    raise("not-modelled", "the master control is written " + hex(value));
  if (enabled_)
    return raise("ram-busy", "the master control is written " + hex(value));
  enabled_ = (value & kEnable) != 0;
  for (Side &side : sides_) {
    side.next = 0;
    side.done = !enabled_;
    side.left_clocks = options_.latency;
  }
}

void AxiTrafficGen::tick() {
  for (std::size_t n = 0; n < sides_.size(); ++n)
    if (!sides_[n].done)
      step(sides_[n], n == 1);
  if (sides_[0].done && sides_[1].done) {
    enabled_ = false;
    status_ |= kDone;
  }
}

void AxiTrafficGen::check(const Side &side, std::uint32_t number, std::uint64_t address,
                          std::uint32_t bytes) {
  const std::uint32_t control = side.commands[4 * number + 1];
  const std::uint32_t place = side.commands[4 * number + 2];
  const std::string what = "command " + std::to_string(number) + ": ";
  const auto size = static_cast<std::uint32_t>(std::countr_zero(options_.data / 8));
  if (!side.told[number])
    raise("command-parameters", what + "its entry of the PARAMRAM");
  if ((control & kReserved) != 0 || place >> 31 != 0)
    raise("descriptor-reserved", what + hex(control));
  if (side.parameters[number] >> 29 != 0 || (control & (kLock | kLast)) != 0 ||
      (control >> 10 & 3) != 1 || (control >> 12 & 7) != size || (place & kDepends) != 0)
    raise("not-modelled", what + hex(control));
  if (address % (options_.data / 8) != (place & (kRam - 1)) % (options_.data / 8))
    raise("place-unaligned", what + hex(address) + " and place " + hex(place));
  if (address / 4096 != (address + bytes - 1) / 4096)
    raise("burst-crosses", what + hex(address));
  if (options_.address < 64 && address >> options_.address != 0)
    raise("address-wide", what + hex(address));
}

// A command each time: its burst is one access.
void AxiTrafficGen::step(Side &side, bool writes) {
  if (side.left_clocks > 0) {
    --side.left_clocks;
    return;
  }
  const std::uint32_t number = side.next++;
  const std::uint32_t control = number < kCommands ? side.commands[4 * number + 1] : 0;
  if ((control & kValid) == 0) {
    side.done = true;
    return;
  }
  const std::uint64_t address =
      side.commands[4 * number] |
      static_cast<std::uint64_t>(options_.address > 32 ? side.high[number] : 0) << 32;
  const std::uint32_t bytes = ((control & 0xFF) + 1) * options_.data / 8;
  const std::uint32_t place = side.commands[4 * number + 2] & (kRam - 1);
  check(side, number, address, bytes);
  std::vector<std::uint8_t> data(bytes);
  for (std::uint32_t i = 0; writes && i < bytes; ++i)
    data[i] = ram_[(place + i) % kRam];
  const bool good = writes ? memory_[1].write(address, data.data(), bytes)
                           : memory_[0].read(address, data.data(), bytes);
  for (std::uint32_t i = 0; !writes && i < bytes; ++i)
    ram_[(place + i) % kRam] = data[i];
  if (!good)
    status_ |= writes ? kWriteResponse : kReadResponse;
  side.left_clocks = options_.latency + (control & 0xFF);
}

} // namespace axm::vendor
