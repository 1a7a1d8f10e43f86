/* One level of sections of 1 MiB (ARMv7-A: short-descriptor format). */
#include "bare.h"

enum { SECTIONS = 4096 };

#define SECTION 0x2u
#define FULL_ACCESS (3u << 10)
#define DEVICE (SECTION | FULL_ACCESS | 1u << 2 | 1u << 4)            /* TEX 0, B; never executed */
#define CACHED (SECTION | FULL_ACCESS | 1u << 12 | 1u << 3 | 1u << 2) /* TEX 1, C, B */

static uint32_t table[SECTIONS] __attribute__((aligned(16384)));

static void map(uint32_t begin, uint64_t end, uint32_t kind) {
  for (uint64_t at = begin; at < end; at += 1u << 20)
    table[at >> 20] = (uint32_t)at | kind;
}

/* All of L1's data cache, whose content is not known at reset: 4 ways of 256 lines of 32 bytes. */
static void forget_data(void) {
  for (uint32_t way = 0; way < 4; ++way)
    for (uint32_t set = 0; set < 256; ++set)
      __asm__ volatile("mcr p15, 0, %0, c7, c6, 2" ::"r"(way << 30 | set << 5)); /* DCISW */
  __asm__ volatile("dsb" ::: "memory");
}

void axm_mmu_start(void) {
  map(0, AXM_FABRIC_BEGIN, CACHED); /* the memory is below it */
  if (axm_window_access == NULL)    /* an emulator's fabric is not there: each access is an abort */
    map(AXM_FABRIC_BEGIN, AXM_FABRIC_END, DEVICE);
  map(AXM_PERIPHERALS, UINT64_C(1) << 32, DEVICE);
  forget_data();
  axm_l2_start();
  uint32_t control = 0;
  __asm__ volatile("mcr p15, 0, %0, c2, c0, 2\n\t" /* TTBCR: TTBR0 for all */
                   "mcr p15, 0, %1, c2, c0, 0\n\t" /* TTBR0, walks not cached */
                   "mcr p15, 0, %2, c3, c0, 0\n\t" /* DACR: domain 0 obeys the table */
                   "mcr p15, 0, %0, c8, c7, 0\n\t" /* TLBIALL */
                   "dsb\n\tisb\n\t"
                   "mrc p15, 0, %3, c1, c0, 0\n\t"
                   "orr %3, %3, #0x1800\n\t" /* instruction cache, prediction */
                   "orr %3, %3, #0x0005\n\t" /* data cache, MMU */
                   "mcr p15, 0, %3, c1, c0, 0\n\t"
                   "isb"
                   : "+r"(control)
                   : "r"(table), "r"(1), "r"(0)
                   : "memory");
}
