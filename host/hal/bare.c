/* A processor without operating system as a target. The board's file supplies timer, UART,
 * cache maintenance and a piece of memory (struct axm_bare_board in targets.h).
 *
 * Registers are accessed where they are: the memory map must have them as device memory. An
 * access that no slave answers is the processor's abort, which the board's file may handle.
 */
#include "arena.h"
#include "barrier.h"
#include "targets.h"

#include <stdbool.h>

static struct {
  struct axm_bare_board board;
  struct axm_arena arena;
  struct axm_hal hal;
} bare;

static enum axm_status reachable(uint64_t address) {
  return address % 4 == 0 && address <= UINTPTR_MAX - 3 ? AXM_OK : AXM_ERROR_ADDRESS;
}

/* Whether a slave answered the access before. */
static enum axm_status answered(void) {
  return bare.board.failed != NULL && bare.board.failed() != 0 ? AXM_ERROR_BUS : AXM_OK;
}

static enum axm_status bare_fabric(void *self) {
  (void)self;
  return bare.board.configured == NULL || bare.board.configured() != 0 ? AXM_OK : AXM_ERROR_FABRIC;
}

static enum axm_status bare_read32(void *self, uint64_t address, uint32_t *value) {
  (void)self;
  const enum axm_status status = reachable(address);
  if (status != AXM_OK)
    return status;
  *value = *(volatile const uint32_t *)(uintptr_t)address;
  return answered();
}

static enum axm_status bare_write32(void *self, uint64_t address, uint32_t value) {
  (void)self;
  const enum axm_status status = reachable(address);
  if (status != AXM_OK)
    return status;
  *(volatile uint32_t *)(uintptr_t)address = value;
  return answered();
}

static void bare_barrier(void *self) {
  (void)self;
  axm_device_barrier();
}

static bool cached(void) { return bare.board.clean != NULL || bare.board.invalidate != NULL; }

/* Whole cache lines, so that no line holds what belongs to two. */
static enum axm_status maintain(void (*act)(void *, uint64_t), const struct axm_memory *memory,
                                uint64_t offset, uint64_t size) {
  if (offset > memory->size || size > memory->size - offset)
    return AXM_ERROR_ARGUMENT;
  if (act == NULL || size == 0)
    return AXM_OK;
  const uint64_t before = offset % AXM_BARE_LINE;
  const uint64_t whole = (before + size + AXM_BARE_LINE - 1) / AXM_BARE_LINE * AXM_BARE_LINE;
  act((unsigned char *)memory->memory + (size_t)(offset - before), whole);
  return AXM_OK;
}

static enum axm_status bare_alloc(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                                  struct axm_memory *memory) {
  (void)self;
  if (!cached())
    return axm_arena_take(&bare.arena, size, align, wanted, memory);
  if (size == 0 || size > UINT64_MAX - AXM_BARE_LINE ||
      (wanted != AXM_ANY_ADDRESS && wanted % AXM_BARE_LINE != 0))
    return AXM_ERROR_ARGUMENT;
  struct axm_memory lines = {0};
  const uint64_t whole = (size + AXM_BARE_LINE - 1) / AXM_BARE_LINE * AXM_BARE_LINE;
  const enum axm_status status = axm_arena_take(
      &bare.arena, whole, align < AXM_BARE_LINE ? AXM_BARE_LINE : align, wanted, &lines);
  if (status != AXM_OK)
    return status;
  *memory =
      (struct axm_memory){.memory = lines.memory, .bus_address = lines.bus_address, .size = size};
  /* What the processor has written there before must not come back over what a device writes. */
  (void)maintain(bare.board.clean, &lines, 0, whole);
  (void)maintain(bare.board.invalidate, &lines, 0, whole);
  return AXM_OK;
}

static enum axm_status bare_release(void *self, const struct axm_memory *memory) {
  (void)self;
  return axm_arena_give(&bare.arena, memory);
}

static enum axm_status bare_clean(void *self, const struct axm_memory *memory, uint64_t offset,
                                  uint64_t size) {
  (void)self;
  return maintain(bare.board.clean, memory, offset, size);
}

static enum axm_status bare_invalidate(void *self, const struct axm_memory *memory, uint64_t offset,
                                       uint64_t size) {
  (void)self;
  return maintain(bare.board.invalidate, memory, offset, size);
}

static uint64_t bare_now_ns(void *self) {
  (void)self;
  const uint64_t ticks = bare.board.ticks();
  const uint64_t hz = bare.board.ticks_hz;
  /* In two parts, so that the product does not overflow. */
  return ticks / hz * 1000000000u + ticks % hz * 1000000000u / hz;
}

static void bare_idle_ns(void *self, uint64_t duration_ns) {
  const uint64_t begin = bare_now_ns(self);
  while (bare_now_ns(self) - begin < duration_ns) {
  }
}

static enum axm_status bare_wait_irq(void *self, uint64_t timeout_ns) {
  if (bare.board.irq == NULL)
    return AXM_ERROR_UNSUPPORTED;
  const uint64_t begin = bare_now_ns(self);
  do {
    if (bare.board.irq() != 0)
      return AXM_OK;
  } while (bare_now_ns(self) - begin < timeout_ns);
  return AXM_ERROR_TIMEOUT;
}

static enum axm_status bare_read_bytes(void *self, char *bytes, size_t room, size_t *count,
                                       uint64_t timeout_ns) {
  const uint64_t begin = bare_now_ns(self);
  *count = 0;
  do {
    for (int byte = 0; *count < room && (byte = bare.board.get()) >= 0;)
      bytes[(*count)++] = (char)byte;
    if (*count > 0)
      return AXM_OK;
  } while (bare_now_ns(self) - begin < timeout_ns);
  return AXM_ERROR_TIMEOUT;
}

static enum axm_status bare_write_bytes(void *self, const char *bytes, size_t count) {
  (void)self;
  for (size_t i = 0; i < count; ++i) {
    if (bare.board.put(bytes[i]) == 0)
      return AXM_ERROR_END;
  }
  return AXM_OK;
}

const struct axm_hal *axm_hal_bare(const struct axm_bare_board *board) {
  bare.board = *board;
  bare.arena = (struct axm_arena){.whole = {.memory = board->memory,
                                            .bus_address = board->memory_bus_address,
                                            .size = board->memory_size}};
  bare.hal = (struct axm_hal){
      .target = board->name,
      .emulated = board->emulated,
      .self = NULL,
      .coherency = board->coherency,
      .platform = board->platform,
      .fabric = bare_fabric,
      .read32 = bare_read32,
      .write32 = bare_write32,
      .barrier = bare_barrier,
      .alloc = bare_alloc,
      .release = bare_release,
      .clean = bare_clean,
      .invalidate = bare_invalidate,
      .now_ns = bare_now_ns,
      .idle_ns = bare_idle_ns,
      .wait_irq = bare_wait_irq,
      .read_bytes = bare_read_bytes,
      .write_bytes = bare_write_bytes,
  };
  return &bare.hal;
}
