/* Maintenance for masters in the fabric that see memory and not the caches. L1: CP15 operations by
 * address to the point of coherency (DDI 0406); L2: the PL310's by physical address (DDI 0246).
 *
 * Clean goes outwards, invalidate inwards: a line that L1 still had would else come back from L2,
 * or L2's old copy into L1.
 */
#include "bare.h"

enum { LINE = 32 };
enum { /* PL310 */
       CONTROL = 0x100,
       TAG_LATENCY = 0x108,
       DATA_LATENCY = 0x10C,
       SYNC = 0x730,
       INVALIDATE_LINE = 0x770,
       INVALIDATE_WAYS = 0x77C,
       CLEAN_LINE = 0x7B0,
};

static volatile uint32_t *l2(uint32_t offset) { return axm_register(AXM_L2 + offset); }

static void barrier(void) { __asm__ volatile("dsb" ::: "memory"); }

/* Latencies and SLCR.L2C_RAM: UG585, chapter 3, initialisation of the L2 cache. */
void axm_l2_start(void) {
  if ((*l2(CONTROL) & 1u) != 0)
    return; /* a boot loader has it on: its lines are memory's */
  *axm_register(AXM_SLCR_SLCR_UNLOCK) = 0xDF0D;
  *axm_register(AXM_SLCR_L2C_RAM) = 0x00020202;
  *axm_register(AXM_SLCR_SLCR_LOCK) = 0x767B;
  *l2(TAG_LATENCY) = 0x111;
  *l2(DATA_LATENCY) = 0x121;
  *l2(INVALIDATE_WAYS) = 0xFF;
  while ((*l2(INVALIDATE_WAYS) & 0xFFu) != 0) {
  }
  *l2(SYNC) = 0;
  *l2(CONTROL) = 1;
  barrier();
}

static void outer(uint32_t operation, uint32_t begin, uint32_t end) {
  for (uint32_t line = begin; line < end; line += LINE)
    *l2(operation) = line;
  *l2(SYNC) = 0;
  barrier();
}

void axm_cache_clean(void *memory, uint64_t size) {
  const uint32_t begin = (uint32_t)(uintptr_t)memory, end = begin + (uint32_t)size;
  for (uint32_t line = begin; line < end; line += LINE)
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 1" ::"r"(line)); /* DCCMVAC */
  barrier();
  outer(CLEAN_LINE, begin, end);
}

void axm_cache_invalidate(void *memory, uint64_t size) {
  const uint32_t begin = (uint32_t)(uintptr_t)memory, end = begin + (uint32_t)size;
  outer(INVALIDATE_LINE, begin, end);
  for (uint32_t line = begin; line < end; line += LINE)
    __asm__ volatile("mcr p15, 0, %0, c7, c6, 1" ::"r"(line)); /* DCIMVAC */
  barrier();
}
