/* DMA memory out of one piece: see arena.h. */
#include "arena.h"

/* Where the gap before used block `i` begins. */
static uint64_t gap_start(const struct axm_arena *arena, uint32_t i) {
  if (i == 0)
    return arena->whole.bus_address;
  return arena->used[i - 1].bus_address + arena->used[i - 1].size;
}

static uint64_t gap_end(const struct axm_arena *arena, uint32_t i) {
  return i < arena->count ? arena->used[i].bus_address
                          : arena->whole.bus_address + arena->whole.size;
}

enum axm_status axm_arena_take(struct axm_arena *arena, uint64_t size, uint64_t align,
                               uint64_t wanted, struct axm_memory *memory) {
  if (size == 0 || align == 0 || (align & (align - 1)) != 0 ||
      (wanted != AXM_ANY_ADDRESS && (wanted & (align - 1)) != 0))
    return AXM_ERROR_ARGUMENT;
  const enum axm_status refused = wanted == AXM_ANY_ADDRESS ? AXM_ERROR_MEMORY : AXM_ERROR_ADDRESS;
  if (arena->count == AXM_ARENA_BLOCKS || size > arena->whole.size)
    return refused;
  for (uint32_t i = 0; i <= arena->count; ++i) {
    const uint64_t start = gap_start(arena, i);
    const uint64_t end = gap_end(arena, i);
    uint64_t at = wanted;
    if (wanted == AXM_ANY_ADDRESS) {
      if (start > UINT64_MAX - (align - 1))
        break;
      at = (start + (align - 1)) & ~(align - 1);
    }
    if (at < start || at > end || size > end - at)
      continue;
    for (uint32_t k = arena->count; k > i; --k)
      arena->used[k] = arena->used[k - 1];
    const size_t offset = (size_t)(at - arena->whole.bus_address);
    *memory = (struct axm_memory){
        .memory = (unsigned char *)arena->whole.memory + offset, .bus_address = at, .size = size};
    arena->used[i] = *memory;
    ++arena->count;
    return AXM_OK;
  }
  return refused;
}

enum axm_status axm_arena_give(struct axm_arena *arena, const struct axm_memory *memory) {
  for (uint32_t i = 0; i < arena->count; ++i) {
    if (arena->used[i].bus_address != memory->bus_address)
      continue;
    for (uint32_t k = i + 1; k < arena->count; ++k)
      arena->used[k - 1] = arena->used[k];
    --arena->count;
    return AXM_OK;
  }
  return AXM_ERROR_ARGUMENT;
}
