/* DMA memory out of one contiguous piece, without malloc: for targets that have such a piece. */
#ifndef AXM_ARENA_H
#define AXM_ARENA_H

#include <stdint.h>

#include "hal.h"

enum { AXM_ARENA_BLOCKS = 64 };

struct axm_arena {
  struct axm_memory whole;
  struct axm_memory used[AXM_ARENA_BLOCKS]; /* in the order of their addresses */
  uint32_t count;
};

/* The lowest place that fits, or `wanted`; align is a power of two. AXM_ERROR_ARGUMENT,
 * AXM_ERROR_MEMORY, AXM_ERROR_ADDRESS. */
enum axm_status axm_arena_take(struct axm_arena *arena, uint64_t size, uint64_t align,
                               uint64_t wanted, struct axm_memory *memory) AXM_CHECKED;
enum axm_status axm_arena_give(struct axm_arena *arena,
                               const struct axm_memory *memory) AXM_CHECKED;

#endif
