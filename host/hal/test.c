/* The target for tests on the host: see test.h. */
#include "test.h"

#include <string.h>

#include "posix_line.h"

enum { LINE = 64 };

/* What the processor sees; with a cache, also what is in memory, and what the processor's lines
 * held when they were last the same as memory. */
static unsigned char memory[AXM_TEST_MEMORY_BYTES];
static unsigned char behind[AXM_TEST_MEMORY_BYTES], same[AXM_TEST_MEMORY_BYTES];

static void write_back(size_t line) {
  if (memcmp(memory + line, same + line, LINE) == 0)
    return; /* not dirty */
  memcpy(behind + line, memory + line, LINE);
  memcpy(same + line, memory + line, LINE);
}

static void forget(size_t line) {
  memcpy(memory + line, behind + line, LINE);
  memcpy(same + line, behind + line, LINE);
}

unsigned char *axm_test_fabric(const struct axm_test_target *target, uint64_t address,
                               uint64_t bytes) {
  const struct axm_memory *whole = &target->arena.whole;
  const uint64_t offset = address - whole->bus_address;
  if (address < whole->bus_address || bytes > whole->size || offset > whole->size - bytes)
    return NULL;
  return (target->cached ? behind : memory) + (size_t)offset;
}

void axm_test_evict(const struct axm_test_target *target, uint64_t address, uint64_t bytes) {
  const size_t begin = (size_t)(address - target->arena.whole.bus_address);
  for (size_t line = begin / LINE * LINE; target->cached && line < begin + bytes; line += LINE)
    write_back(line);
}

/* Each line of a part of a piece. */
static void each(const struct axm_test_target *target, void (*act)(size_t),
                 const struct axm_memory *piece, uint64_t offset, uint64_t size) {
  const size_t begin = (size_t)((unsigned char *)piece->memory - memory) + (size_t)offset;
  for (size_t line = begin / LINE * LINE; target->cached && line < begin + size; line += LINE)
    act(line);
}

static enum axm_status note(struct axm_test_target *target, bool write, uint64_t address,
                            uint32_t value) {
  const uint64_t number = target->accesses++;
  if (number < AXM_TEST_LOG)
    target->log[number] = (struct axm_test_access){
        .write = write, .address = address, .value = value, .at_ns = target->now_ns};
  target->now_ns += AXM_TEST_ACCESS_NS;
  return target->fail_at == number + 1 ? AXM_ERROR_BUS : AXM_OK;
}

static enum axm_status test_read32(void *self, uint64_t address, uint32_t *value) {
  struct axm_test_target *target = self;
  if (note(target, false, address, 0) != AXM_OK)
    return AXM_ERROR_BUS;
  return target->device.read32(target->device.self, address, value);
}

static enum axm_status test_write32(void *self, uint64_t address, uint32_t value) {
  struct axm_test_target *target = self;
  if (note(target, true, address, value) != AXM_OK)
    return AXM_ERROR_BUS;
  return target->device.write32(target->device.self, address, value);
}

static void test_barrier(void *self) { ++((struct axm_test_target *)self)->barriers; }

static enum axm_status test_alloc(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                                  struct axm_memory *piece) {
  return axm_arena_take(&((struct axm_test_target *)self)->arena, size, align, wanted, piece);
}

static enum axm_status test_release(void *self, const struct axm_memory *piece) {
  return axm_arena_give(&((struct axm_test_target *)self)->arena, piece);
}

static enum axm_status within(const struct axm_memory *piece, uint64_t offset, uint64_t size) {
  return offset <= piece->size && size <= piece->size - offset ? AXM_OK : AXM_ERROR_ARGUMENT;
}

static enum axm_status test_clean(void *self, const struct axm_memory *piece, uint64_t offset,
                                  uint64_t size) {
  struct axm_test_target *target = self;
  ++target->cleaned;
  if (within(piece, offset, size) != AXM_OK)
    return AXM_ERROR_ARGUMENT;
  each(target, write_back, piece, offset, size);
  return AXM_OK;
}

static enum axm_status test_invalidate(void *self, const struct axm_memory *piece, uint64_t offset,
                                       uint64_t size) {
  struct axm_test_target *target = self;
  ++target->invalidated;
  if (within(piece, offset, size) != AXM_OK)
    return AXM_ERROR_ARGUMENT;
  each(target, forget, piece, offset, size);
  return AXM_OK;
}

static uint64_t test_now_ns(void *self) { return ((struct axm_test_target *)self)->now_ns; }

static void test_idle_ns(void *self, uint64_t duration_ns) {
  ((struct axm_test_target *)self)->now_ns += duration_ns;
}

static enum axm_status test_wait_irq(void *self, uint64_t timeout_ns) {
  struct axm_test_target *target = self;
  if (target->hal_dead)
    return AXM_ERROR_DEAD;
  if (target->device.irq == NULL)
    return AXM_ERROR_UNSUPPORTED;
  const uint64_t limit = target->now_ns + timeout_ns;
  for (;;) {
    if (target->device.irq(target->device.self))
      return AXM_OK;
    if (target->now_ns >= limit)
      return AXM_ERROR_TIMEOUT;
    target->now_ns += AXM_TEST_ACCESS_NS;
  }
}

static enum axm_status test_read_bytes(void *self, char *bytes, size_t room, size_t *count,
                                       uint64_t timeout_ns) {
  const struct axm_test_target *target = self;
  const enum axm_status status =
      axm_posix_read(target->input, bytes, room, count, target->line_in_real_time ? timeout_ns : 0);
  return status;
}

static enum axm_status test_write_bytes(void *self, const char *bytes, size_t count) {
  return axm_posix_write(((struct axm_test_target *)self)->output, bytes, count);
}

const struct axm_hal *axm_hal_test(struct axm_test_target *target,
                                   const struct axm_test_device *device) {
  memset(target, 0, sizeof *target);
  memset(memory, 0, sizeof memory);
  memset(behind, 0, sizeof behind);
  memset(same, 0, sizeof same);
  target->device = *device;
  target->output = 1;
  target->arena.whole = (struct axm_memory){
      .memory = memory, .bus_address = AXM_TEST_MEMORY_ADDRESS, .size = sizeof memory};
  target->hal = (struct axm_hal){
      .target = "test",
      .self = target,
      .read32 = test_read32,
      .write32 = test_write32,
      .barrier = test_barrier,
      .alloc = test_alloc,
      .release = test_release,
      .clean = test_clean,
      .invalidate = test_invalidate,
      .now_ns = test_now_ns,
      .idle_ns = test_idle_ns,
      .wait_irq = test_wait_irq,
      .read_bytes = test_read_bytes,
      .write_bytes = test_write_bytes,
  };
  return &target->hal;
}
