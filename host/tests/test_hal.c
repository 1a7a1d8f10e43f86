/* Tests of the pieces of memory that targets give out, and of the bare-metal target. */
#include <string.h>

#include "arena.h"
#include "check.h"
#include "targets.h"

static unsigned char memory[4096];

static struct axm_arena fresh(void) {
  return (struct axm_arena){
      .whole = {.memory = memory, .bus_address = 0x1000, .size = sizeof memory}};
}

void test_arena(void) {
  struct axm_arena arena = fresh();
  struct axm_memory one, two, three;
  CHECK_EQUAL(axm_arena_take(&arena, 100, 64, AXM_ANY_ADDRESS, &one), AXM_OK);
  CHECK_EQUAL(one.bus_address, 0x1000);
  CHECK(one.memory == memory);
  CHECK_EQUAL(axm_arena_take(&arena, 256, 256, AXM_ANY_ADDRESS, &two), AXM_OK);
  CHECK_EQUAL(two.bus_address, 0x1100);
  CHECK(two.memory == memory + 0x100);
  /* Between them is room for a small one only. */
  CHECK_EQUAL(axm_arena_take(&arena, 128, 128, AXM_ANY_ADDRESS, &three), AXM_OK);
  CHECK_EQUAL(three.bus_address, 0x1080);
  CHECK_EQUAL(axm_arena_give(&arena, &three), AXM_OK);
  CHECK_EQUAL(axm_arena_give(&arena, &three), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 1, 0x1064, &three), AXM_OK);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 1, 0x1080, &three), AXM_ERROR_ADDRESS);
  CHECK_EQUAL(axm_arena_take(&arena, 4096, 1, AXM_ANY_ADDRESS, &three), AXM_ERROR_MEMORY);
  CHECK_EQUAL(axm_arena_take(&arena, UINT64_MAX, 1, AXM_ANY_ADDRESS, &three), AXM_ERROR_MEMORY);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 64, 0x1FC0, &three), AXM_OK);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 64, 0x2000, &three), AXM_ERROR_ADDRESS);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 64, 0x0FC0, &three), AXM_ERROR_ADDRESS);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 64, 0x1FE0, &three), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arena_take(&arena, 64, 48, AXM_ANY_ADDRESS, &three), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arena_take(&arena, 0, 1, AXM_ANY_ADDRESS, &three), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arena_take(&arena, 1, UINT64_C(1) << 63, AXM_ANY_ADDRESS, &three),
              AXM_ERROR_MEMORY);
  arena = fresh();
  for (int i = 0; i < AXM_ARENA_BLOCKS; ++i)
    CHECK_EQUAL(axm_arena_take(&arena, 1, 1, AXM_ANY_ADDRESS, &one), AXM_OK);
  CHECK_EQUAL(axm_arena_take(&arena, 1, 1, AXM_ANY_ADDRESS, &one), AXM_ERROR_MEMORY);
}

static uint64_t ticks;
static const char *incoming;
static char outgoing[16];
static size_t sent;
static uint64_t cleaned, invalidated;

static uint64_t read_ticks(void) { return ticks += 1000; }
static int get(void) { return *incoming == '\0' ? -1 : *incoming++; }
static int put(char byte) {
  if (sent == sizeof outgoing)
    return 0;
  outgoing[sent++] = byte;
  return 1;
}
static int irq(void) { return ticks > 10000; }
static void clean(void *place, uint64_t size) {
  (void)place;
  cleaned += size;
}
static void invalidate(void *place, uint64_t size) {
  (void)place;
  invalidated += size;
  CHECK(cleaned >= invalidated); /* what was written is never thrown away */
}

void test_bare(void) {
  const struct axm_bare_board board = {.name = "board",
                                       .ticks = read_ticks,
                                       .ticks_hz = 1000000,
                                       .get = get,
                                       .put = put,
                                       .irq = irq,
                                       .clean = clean,
                                       .invalidate = invalidate,
                                       .memory = memory,
                                       .memory_bus_address = 0x1000,
                                       .memory_size = sizeof memory};
  const struct axm_hal *hal = axm_hal_bare(&board);
  char bytes[8];
  size_t count = 9;
  incoming = "hello, board";
  CHECK_EQUAL(hal->read_bytes(hal->self, bytes, sizeof bytes, &count, 1000), AXM_OK);
  CHECK_EQUAL(count, 8);
  CHECK_EQUAL(hal->read_bytes(hal->self, bytes, sizeof bytes, &count, 1000), AXM_OK);
  CHECK_EQUAL(count, 4);
  CHECK_EQUAL(hal->read_bytes(hal->self, bytes, sizeof bytes, &count, 1000), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(hal->write_bytes(hal->self, "0123456789abcdef", 16), AXM_OK);
  CHECK_EQUAL(hal->write_bytes(hal->self, "g", 1), AXM_ERROR_END);
  ticks = 0;
  CHECK_EQUAL(hal->wait_irq(hal->self, 3000000), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(hal->wait_irq(hal->self, UINT64_C(60000000000)), AXM_OK);
  /* A count that overflows when it is multiplied before it is divided. */
  ticks = UINT64_C(1) << 40;
  CHECK_EQUAL(hal->now_ns(hal->self) / 1000000000u, (UINT64_C(1) << 40) / 1000000);
  struct axm_memory piece;
  /* Whole lines of one owner, none of them in the processor's caches. */
  struct axm_memory odd;
  CHECK_EQUAL(hal->alloc(hal->self, 5, 1, AXM_ANY_ADDRESS, &odd), AXM_OK);
  CHECK_EQUAL(odd.size, 5);
  CHECK_EQUAL(cleaned, 64);
  CHECK_EQUAL(invalidated, 64);
  CHECK_EQUAL(hal->alloc(hal->self, 64, 1, odd.bus_address + 8, &piece), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(hal->alloc(hal->self, 64, 1, AXM_ANY_ADDRESS, &piece), AXM_OK);
  CHECK_EQUAL(piece.bus_address - odd.bus_address, 64);
  CHECK_EQUAL(hal->clean(hal->self, &odd, 1, 3), AXM_OK);
  CHECK_EQUAL(cleaned, 192);
  CHECK_EQUAL(hal->release(hal->self, &odd), AXM_OK);
  CHECK_EQUAL(hal->clean(hal->self, &piece, 16, 32), AXM_OK);
  CHECK_EQUAL(cleaned, 256);
  CHECK_EQUAL(hal->clean(hal->self, &piece, 33, 32), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(hal->invalidate(hal->self, &piece, 0, 64), AXM_OK);
  CHECK_EQUAL(hal->release(hal->self, &piece), AXM_OK);
  /* Registers are memory. */
  uint32_t word = 0;
  memset(memory, 0, 8);
  CHECK_EQUAL(hal->write32(hal->self, (uintptr_t)memory + 4, 0x12345678), AXM_OK);
  CHECK_EQUAL(hal->read32(hal->self, (uintptr_t)memory + 4, &word), AXM_OK);
  CHECK_EQUAL(word, 0x12345678);
  CHECK_EQUAL(hal->read32(hal->self, (uintptr_t)memory + 2, &word), AXM_ERROR_ADDRESS);
}
