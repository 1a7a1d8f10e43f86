// What the tests of the engines share: a guest's memory, a device, and who waits for it.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine.hpp"
#include "guest_master.hpp"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " #condition "\n";                            \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

namespace bench {

using axm::vendor::Objections;
using axm::vendor::Rule;

constexpr std::uint64_t kBase = 0x1000'0000, kBytes = 4 << 20;
constexpr unsigned kPatience = 2'000'000; // clocks

// Every rule that any bench has seen broken.
inline std::array<std::uint64_t, axm::vendor::kRules.size()> &seen() {
  static std::array<std::uint64_t, axm::vendor::kRules.size()> counts{};
  return counts;
}

class Bench {
public:
  explicit Bench(const std::string &engine, unsigned latency = 5)
      : options(axm::vendor::parse(engine, latency)), objections(said, options.kind) {
    const int fd = ::memfd_create("guest", 0);
    CHECK(fd >= 0 && ::ftruncate(fd, kBytes) == 0);
    CHECK(memory.map(kBase, kBytes, fd, 0, true) == 0);
    memory.allow(true);
    device = axm::vendor::made(options, master, objections);
  }
  ~Bench() {
    for (const auto &rule : axm::vendor::kRules) {
      CHECK(objections.of(rule.rule) == 0 || !rule.source(options.kind).empty());
      seen()[static_cast<std::size_t>(rule.rule)] += objections.of(rule.rule);
    }
  }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;

  std::uint32_t get(std::uint32_t address) { return device->read(address).value(); }
  void put(std::uint32_t address, std::uint32_t value) { device->write(address, value); }
  // Until a register has all of `bits`; whether it ever had.
  bool until(std::uint32_t address, std::uint32_t bits) {
    for (unsigned clocks = 0; clocks < kPatience; clocks += 64) {
      if ((get(address) & bits) == bits)
        return true;
      device->run(64);
    }
    return false;
  }
  void run(unsigned clocks = 20000) {
    while (clocks > 0) {
      device->run(1);
      --clocks;
    }
  }
  std::uint8_t *at(std::uint64_t address) { return memory.find(address, 1, true); }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, at(address), sizeof value);
    return value;
  }
  void word(std::uint64_t address, std::uint32_t value) {
    std::memcpy(at(address), &value, sizeof value);
  }
  // A different pattern for each packet.
  void fill(std::uint64_t address, std::size_t bytes, unsigned number) {
    for (std::size_t i = 0; i < bytes; ++i)
      at(address)[i] = static_cast<std::uint8_t>(i * 7 + number * 31 + (i >> 8));
  }
  bool same(std::uint64_t one, std::uint64_t other, std::size_t bytes) {
    return std::memcmp(at(one), at(other), bytes) == 0;
  }
  // No objection so far.
  void clean() {
    if (objections.all() != 0) {
      std::cerr << said.str();
      std::exit(1);
    }
  }
  // The last step broke this rule, and no other.
  void objected(Rule rule, int line) {
    if (objections.of(rule) == 0 || objections.all() != objections.of(rule)) {
      std::cerr << "line " << line << ": not "
                << axm::vendor::kRules[static_cast<std::size_t>(rule)].name << " alone:\n"
                << said.str();
      std::exit(1);
    }
  }

  axm::vendor::Options options;
  std::ostringstream said;
  Objections objections;
  axm::vfio::GuestMemory memory;
  axm::vendor::GuestMaster master{memory};
  std::unique_ptr<axm::vfio::Device> device;
};

void memory_port();
void axi_dma();
void axi_cdma();
void msgdma();
void axi_traffic_gen();

} // namespace bench

#define OBJECTED(bench, rule) (bench).objected(axm::vendor::Rule::rule, __LINE__)
