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
       AUXILIARY = 0x104,
       TAG_LATENCY = 0x108,
       DATA_LATENCY = 0x10C,
       SYNC = 0x730,
       INVALIDATE_LINE = 0x770,
       INVALIDATE_WAYS = 0x77C,
       CLEAN_LINE = 0x7B0,
};
enum { SCU_CONTROL = 0x00, SCU_INVALIDATE = 0x0C };

static volatile uint32_t *l2(uint32_t offset) { return axm_register(AXM_L2 + offset); }

static void barrier(void) { __asm__ volatile("dsb" ::: "memory"); }

/* The snoop control unit, and this core's part in it: shareable memory is coherent with the
 * coherent port (ACP) only then. ACTLR (DDI 0388): SMP and FW; not exclusive caches, nor lines of
 * zeros, of which L2 has no copy. */
static void join(void) {
  uint32_t control = 0;
  *axm_register(AXM_SCU + SCU_INVALIDATE) = 0xF; /* what it has of core 0 */
  *axm_register(AXM_SCU + SCU_CONTROL) |= 1u;
  barrier();
  __asm__ volatile("mrc p15, 0, %0, c1, c0, 1\n\t"
                   "bic %0, %0, #0x88\n\t"
                   "orr %0, %0, #0x41\n\t"
                   "mcr p15, 0, %0, c1, c0, 1\n\t"
                   "isb"
                   : "+r"(control)
                   :
                   : "memory");
}

void axm_cache_start(void) {
  join();
  /* start.S has written L2 back and switched it off. */
  *l2(AUXILIARY) &= ~(1u << 12 | 1u << 0); /* not exclusive, no lines of zeros */
  *l2(TAG_LATENCY) = AXM_L2_TAG_LATENCY;
  *l2(DATA_LATENCY) = AXM_L2_DATA_LATENCY;
  *l2(INVALIDATE_WAYS) = 0xFFFF;
  while ((*l2(INVALIDATE_WAYS) & 0xFFFFu) != 0) {
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
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 1" ::"r"(line) : "memory"); /* DCCMVAC */
  barrier();
  outer(CLEAN_LINE, begin, end);
}

void axm_cache_invalidate(void *memory, uint64_t size) {
  const uint32_t begin = (uint32_t)(uintptr_t)memory, end = begin + (uint32_t)size;
  barrier();
  outer(INVALIDATE_LINE, begin, end);
  for (uint32_t line = begin; line < end; line += LINE)
    __asm__ volatile("mcr p15, 0, %0, c7, c6, 1" ::"r"(line) : "memory"); /* DCIMVAC */
  barrier();
}
