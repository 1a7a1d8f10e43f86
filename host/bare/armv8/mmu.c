/* Blocks of 2 MiB below 4 GiB (DDI 0487, D5.3: granule of 4 KiB, tables of levels 1 and 2). */
#include "bare.h"

enum { BLOCKS = 2048, TABLES = 4 };

#define BLOCK 0x1u
#define TABLE 0x3u
#define DEVICE_ATTRIBUTES 0u /* of MAIR below */
#define CACHED_ATTRIBUTES 1u
#define MAIR UINT64_C(0xFF04) /* 1: write-back, allocates; 0: device, nGnRE */
#define USED (UINT64_C(1) << 10)
#define INNER_SHAREABLE (UINT64_C(3) << 8)
#define NEVER_EXECUTED (UINT64_C(3) << 53)
#define DEVICE (BLOCK | USED | NEVER_EXECUTED | DEVICE_ATTRIBUTES << 2)
#define CODE (BLOCK | USED | INNER_SHAREABLE | CACHED_ATTRIBUTES << 2)
#define DATA (CODE | NEVER_EXECUTED)
/* 32 bits of address; walks cached and inner shareable; no second half. */
#define TCR (UINT64_C(32) | 1u << 8 | 1u << 10 | 3u << 12 | 1u << 23)

static uint64_t axm_blocks[BLOCKS] __attribute__((aligned(4096)));
static uint64_t axm_tables[TABLES] __attribute__((aligned(4096)));

void axm_map(uint64_t begin, uint64_t end, enum axm_map_kind kind) {
  static const uint64_t kinds[] = {[AXM_CODE] = CODE, [AXM_DATA] = DATA, [AXM_DEVICE] = DEVICE};
  for (uint64_t at = begin; at < end; at += 1u << 21)
    axm_blocks[at >> 21] = at | kinds[kind];
}

void axm_processor_start(void) {
  uint64_t control = 0;
  axm_chip_start();
  axm_abort_start();
  axm_memory_map();
  for (int i = 0; i < TABLES; ++i)
    axm_tables[i] = (uint64_t)(uintptr_t)(axm_blocks + i * (BLOCKS / TABLES)) | TABLE;
  __asm__ volatile("msr mair_el1, %1\n\t"
                   "msr tcr_el1, %2\n\t"
                   "msr ttbr0_el1, %3\n\t"
                   "dsb sy\n\tisb\n\t"
                   "tlbi vmalle1\n\t"
                   "dsb sy\n\tisb\n\t"
                   "mrs %0, sctlr_el1\n\t"
                   "orr %0, %0, #0x1000\n\t" /* instruction cache */
                   "orr %0, %0, #0x0004\n\t" /* data cache */
                   "orr %0, %0, #0x0001\n\t" /* MMU */
                   "msr sctlr_el1, %0\n\t"
                   "isb"
                   : "+&r"(control)
                   : "r"(MAIR), "r"(TCR), "r"(axm_tables)
                   : "memory");
}
