/* The target for tests on the host: see test.h. */
#include "test.h"

#include <string.h>

#include "posix_line.h"

/* Memory, as test.h describes it. What the program reads and writes is `memory`; `same` is what it
 * held when it was last one with what is outside of the processor, so that a difference is what the
 * program has written since. */
static unsigned char memory[AXM_TEST_MEMORY_BYTES], same[AXM_TEST_MEMORY_BYTES];
static unsigned char outside[AXM_TEST_MEMORY_BYTES]; /* memory, or the coherent caches */
static unsigned char before[AXM_TEST_MEMORY_BYTES];  /* what `outside` held at the last barrier */
static unsigned char posted[AXM_TEST_MEMORY_BYTES];  /* lines that were cleaned since */
static bool in_flight[AXM_TEST_MEMORY_BYTES / AXM_TEST_SHORT_LINE];

static bool dirty(size_t at, size_t line) { return memcmp(memory + at, same + at, line) != 0; }

static bool *flight(size_t at) { return &in_flight[at / AXM_TEST_SHORT_LINE]; }

static uint32_t draw(struct axm_test_target *target) {
  target->seed = target->seed * 1664525u + 1013904223u;
  return target->seed >> 8;
}

/* A fetch that no barrier parts from what came before may find what was there before, but not after
 * it has found what is there now. */
static void fetch(struct axm_test_target *target, size_t at) {
  if (target->seed != 0 && draw(target) % 4 == 0)
    memcpy(before + at, outside + at, target->line);
  memcpy(memory + at, *flight(at) ? posted + at : before + at, target->line);
  memcpy(same + at, memory + at, target->line);
}

static void land(const struct axm_test_target *target, size_t at) {
  memcpy(outside + at, posted + at, target->line);
  memcpy(before + at, posted + at, target->line);
  *flight(at) = false;
}

/* To memory, by maintenance: not before the next barrier, or some time until then. */
static void post(struct axm_test_target *target, size_t at) {
  if (!dirty(at, target->line))
    return;
  memcpy(posted + at, memory + at, target->line);
  memcpy(same + at, memory + at, target->line);
  *flight(at) = true;
}

/* To memory, by the cache itself. */
static void evict(struct axm_test_target *target, size_t at) {
  if (*flight(at))
    land(target, at);
  post(target, at);
  if (*flight(at))
    land(target, at);
}

/* Bytes that the program wrote become visible to coherent masters, and theirs to the program. */
static void meet(const struct axm_test_target *target, size_t at) {
  if (!dirty(at, target->line) && memcmp(outside + at, same + at, target->line) == 0)
    return;
  for (size_t i = at; i < at + target->line; ++i) {
    if (memory[i] != same[i])
      outside[i] = memory[i];
    memory[i] = same[i] = outside[i];
  }
}

static bool snooped(const struct axm_test_target *target) {
  return target->cached && target->coherent && target->shareable;
}

/* What may happen to a line at any time. */
static void wander(struct axm_test_target *target, size_t at) {
  if (snooped(target)) {
    meet(target, at);
  } else if (*flight(at)) {
    land(target, at);
  } else if (dirty(at, target->line)) {
    evict(target, at);
  } else if (!target->keeps) {
    fetch(target, at); /* dropped, and fetched again speculatively */
  }
}

/* Bytes of the memory that are in use. */
static size_t used(const struct axm_test_target *target) {
  const struct axm_arena *arena = &target->arena;
  if (arena->count == 0)
    return 0;
  const struct axm_memory *last = &arena->used[arena->count - 1];
  const uint64_t end = last->bus_address + last->size - arena->whole.bus_address;
  return (size_t)((end + AXM_TEST_LINE - 1) / AXM_TEST_LINE * AXM_TEST_LINE);
}

static void time_passes(struct axm_test_target *target) {
  enum { LINES = 8 };
  const size_t lines = used(target) / target->line;
  for (int i = 0; target->cached && target->seed != 0 && lines > 0 && i < LINES; ++i)
    wander(target, draw(target) % lines * target->line);
}

unsigned char *axm_test_fabric(const struct axm_test_target *target, uint64_t address,
                               uint64_t bytes) {
  const struct axm_memory *whole = &target->arena.whole;
  const uint64_t offset = address - whole->bus_address;
  if (address < whole->bus_address || bytes > whole->size || offset > whole->size - bytes)
    return NULL;
  return (target->cached ? outside : memory) + (size_t)offset;
}

void axm_test_evict(struct axm_test_target *target, uint64_t address, uint64_t bytes) {
  const size_t begin = (size_t)(address - target->arena.whole.bus_address);
  for (size_t at = begin / target->line * target->line;
       target->cached && !snooped(target) && at < begin + bytes; at += target->line)
    evict(target, at);
}

/* Each line of a part of a piece. */
static void each(struct axm_test_target *target, void (*act)(struct axm_test_target *, size_t),
                 const struct axm_memory *piece, uint64_t offset, uint64_t size) {
  const size_t begin = (size_t)((unsigned char *)piece->memory - memory) + (size_t)offset;
  for (size_t at = begin / target->line * target->line;
       target->cached && !snooped(target) && at < begin + size; at += target->line)
    act(target, at);
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
  time_passes(target);
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

static void test_barrier(void *self) {
  struct axm_test_target *target = self;
  ++target->barriers;
  const size_t end = target->cached ? used(target) : 0;
  for (size_t at = 0; at < end; at += target->line) {
    if (snooped(target))
      meet(target, at);
    else if (*flight(at))
      land(target, at);
  }
  if (end > 0)
    memcpy(before, outside, end);
}

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
  each(target, post, piece, offset, size);
  return AXM_OK;
}

static enum axm_status test_invalidate(void *self, const struct axm_memory *piece, uint64_t offset,
                                       uint64_t size) {
  struct axm_test_target *target = self;
  ++target->invalidated;
  if (within(piece, offset, size) != AXM_OK)
    return AXM_ERROR_ARGUMENT;
  each(target, fetch, piece, offset, size);
  return AXM_OK;
}

static uint64_t test_now_ns(void *self) {
  struct axm_test_target *target = self;
  time_passes(target);
  return target->now_ns;
}

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
    time_passes(target);
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
  memset(same, 0, sizeof same);
  memset(before, 0, sizeof before);
  memset(in_flight, 0, sizeof in_flight);
  memset(outside, 0, sizeof outside);
  target->device = *device;
  target->line = AXM_TEST_LINE;
  target->shareable = true;
  target->output = 1;
  target->arena.whole = (struct axm_memory){
      .memory = memory, .bus_address = AXM_TEST_MEMORY_ADDRESS, .size = sizeof memory};
  target->hal = (struct axm_hal){
      .target = "test",
      .emulated = 1,
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
