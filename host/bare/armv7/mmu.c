/* One level of sections of 1 MiB (ARMv7-A: short-descriptor format, DDI 0406, B3.5). */
#include "bare.h"

enum { SECTIONS = 4096 };

#define SECTION 0x2u
#define FULL_ACCESS (3u << 10)
#define NEVER_EXECUTED (1u << 4)
#define DEVICE (SECTION | FULL_ACCESS | NEVER_EXECUTED | 1u << 2) /* TEX 0, B: shareable device */
#define CODE                                                                                       \
  (SECTION | FULL_ACCESS | 1u << 16 | 1u << 12 | 1u << 3 | 1u << 2) /* S, TEX 1, C, B              \
                                                                     */
#define DATA (CODE | NEVER_EXECUTED)

static uint32_t axm_sections[SECTIONS] __attribute__((aligned(16384)));

void axm_map(uint64_t begin, uint64_t end, enum axm_map_kind kind) {
  static const uint32_t kinds[] = {[AXM_CODE] = CODE, [AXM_DATA] = DATA, [AXM_DEVICE] = DEVICE};
  for (uint64_t at = begin; at < end; at += 1u << 20)
    axm_sections[at >> 20] = (uint32_t)at | kinds[kind];
}

void axm_processor_start(void) {
  uint32_t control = 0;
  axm_chip_start();
  axm_abort_start();
  axm_memory_map();
  axm_cache_start();
  __asm__ volatile("mcr p15, 0, %0, c2, c0, 2\n\t" /* TTBCR: TTBR0 for all */
                   "mcr p15, 0, %1, c2, c0, 0\n\t" /* TTBR0, walks not cached */
                   "mcr p15, 0, %2, c3, c0, 0\n\t" /* DACR: domain 0 obeys the table */
                   "mcr p15, 0, %0, c8, c7, 0\n\t" /* TLBIALL */
                   "dsb\n\tisb\n\t"
                   "mrc p15, 0, %0, c1, c0, 0\n\t"
                   "orr %0, %0, #0x1800\n\t" /* instruction cache, prediction */
                   "orr %0, %0, #0x0005\n\t" /* data cache, MMU */
                   "mcr p15, 0, %0, c1, c0, 0\n\t"
                   "isb"
                   : "+r"(control)
                   : "r"(axm_sections), "r"(1)
                   : "memory");
}
