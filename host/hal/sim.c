/* The co-simulation as a target: bus, memory, time and interrupt are those of sim_bus.h, the line
 * to the host is stdin, which the simulation reads, and stdout. `self` is not used: a process
 * holds one simulation.
 */
#include "targets.h"

#include <stdint.h>

#include "posix_line.h"
#include "sim_bus.h"

enum { OUTPUT = 1 };

static enum axm_status sim_read32(void *self, uint64_t address, uint32_t *value) {
  (void)self;
  return axm_sim_read32(address, value) == 0 ? AXM_OK : AXM_ERROR_BUS;
}

static enum axm_status sim_write32(void *self, uint64_t address, uint32_t value) {
  (void)self;
  return axm_sim_write32(address, value) == 0 ? AXM_OK : AXM_ERROR_BUS;
}

/* One thread runs the program and the simulation: memory is always up to date. */
static void sim_barrier(void *self) { (void)self; }

static enum axm_status sim_cache(void *self, const struct axm_memory *memory, uint64_t offset,
                                 uint64_t size) {
  (void)self;
  return offset <= memory->size && size <= memory->size - offset ? AXM_OK : AXM_ERROR_ARGUMENT;
}

static enum axm_status sim_alloc(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                                 struct axm_memory *memory) {
  (void)self;
  if (size == 0 || align == 0 || (align & (align - 1)) != 0 ||
      (wanted != AXM_ANY_ADDRESS && wanted % align != 0))
    return AXM_ERROR_ARGUMENT;
  memory->size = size;
  if (axm_sim_alloc(size, align, wanted, &memory->bus_address, &memory->memory) != 0)
    return wanted == AXM_ANY_ADDRESS ? AXM_ERROR_MEMORY : AXM_ERROR_ADDRESS;
  return AXM_OK;
}

static enum axm_status sim_release(void *self, const struct axm_memory *memory) {
  (void)self;
  axm_sim_release(memory->bus_address, memory->size);
  return AXM_OK;
}

static uint64_t sim_now_ns(void *self) {
  (void)self;
  return axm_sim_now_ns();
}

static void sim_idle_ns(void *self, uint64_t duration_ns) {
  (void)self;
  axm_sim_idle_ns(duration_ns);
}

static enum axm_status sim_wait_irq(void *self, uint64_t timeout_ns) {
  (void)self;
  const int answer = axm_sim_wait_irq(timeout_ns);
  if (answer < 0)
    return AXM_ERROR_DEAD;
  return answer > 0 ? AXM_OK : AXM_ERROR_TIMEOUT;
}

static enum axm_status sim_read_bytes(void *self, char *bytes, size_t room, size_t *count,
                                      uint64_t timeout_ns) {
  (void)self;
  if (axm_sim_read_bytes(bytes, room, count, timeout_ns) != 0)
    return AXM_ERROR_END;
  return *count == 0 ? AXM_ERROR_TIMEOUT : AXM_OK;
}

static enum axm_status sim_write_bytes(void *self, const char *bytes, size_t count) {
  (void)self;
  return axm_posix_write(OUTPUT, bytes, count);
}

const struct axm_hal *axm_hal_sim(void) {
  static const struct axm_hal hal = {
      .target = "sim",
      .emulated = 1,
      .self = NULL,
      .read32 = sim_read32,
      .write32 = sim_write32,
      .barrier = sim_barrier,
      .alloc = sim_alloc,
      .release = sim_release,
      .clean = sim_cache,
      .invalidate = sim_cache,
      .now_ns = sim_now_ns,
      .idle_ns = sim_idle_ns,
      .wait_irq = sim_wait_irq,
      .read_bytes = sim_read_bytes,
      .write_bytes = sim_write_bytes,
  };
  return &hal;
}
