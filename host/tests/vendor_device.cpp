// The vendors' engines as devices of a test: see vendor_device.h.
#include "vendor_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine.hpp"
#include "guest_master.hpp"

namespace {

constexpr unsigned kLatency = 20, kClocks = 200; // of memory; that pass during a wait

struct Bench {
  Bench(const std::string &engine, std::uint64_t begin)
      : base(begin), options(axm::vendor::parse(engine, kLatency)),
        objections(std::cerr, options.kind) {
    const int fd = ::memfd_create("memory", 0);
    if (fd < 0 || ::ftruncate(fd, AXM_TEST_MEMORY_BYTES) != 0 ||
        memory.map(AXM_TEST_MEMORY_ADDRESS, AXM_TEST_MEMORY_BYTES, fd, 0, true) != 0)
      throw std::runtime_error("no memory");
    memory.allow(true);
    device = axm::vendor::made(options, master, objections);
  }
  std::uint64_t base;
  axm::vendor::Options options;
  axm::vfio::GuestMemory memory;
  axm::vendor::GuestMaster master{memory};
  axm::vendor::Objections objections;
  std::unique_ptr<axm::vfio::Device> device;
};

std::unique_ptr<Bench> bench;

bool offset_of(std::uint64_t address, std::uint32_t &offset) {
  offset = static_cast<std::uint32_t>(address - bench->base);
  return address >= bench->base && address - bench->base < bench->device->window_bytes();
}

axm_status read32(void *, std::uint64_t address, std::uint32_t *value) {
  std::uint32_t offset = 0;
  const auto word = offset_of(address, offset) ? bench->device->read(offset) : std::nullopt;
  *value = word.value_or(UINT32_MAX);
  return word ? AXM_OK : AXM_ERROR_BUS;
}

axm_status write32(void *, std::uint64_t address, std::uint32_t value) {
  std::uint32_t offset = 0;
  return offset_of(address, offset) && bench->device->write(offset, value) ? AXM_OK : AXM_ERROR_BUS;
}

bool irq(void *) {
  bench->device->run(kClocks);
  return bench->device->interrupt();
}

} // namespace

extern "C" const axm_hal *vendor_device(const char *engine, std::uint64_t base,
                                        axm_test_target *target) {
  const std::string name(engine);
  try {
    bench.reset();
    bench = std::make_unique<Bench>(name == "axi-cdma-sg" ? "axi-cdma" : name, base);
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return nullptr;
  }
  const axm_test_device device{nullptr, read32, write32, irq};
  const axm_hal *hal = axm_hal_test(target, &device);
  axm_test_outside(bench->memory.find(AXM_TEST_MEMORY_ADDRESS, AXM_TEST_MEMORY_BYTES, true));
  return hal;
}

extern "C" unsigned vendor_objections() {
  return bench ? static_cast<unsigned>(bench->objections.all()) : 0;
}
