/* Maintenance for masters in the fabric that see memory and not the caches: by address to the point
 * of coherency, both levels at once (DDI 0487, D4.4). */
#include "bare.h"

enum { LINE = 64 };

static void barrier(void) { __asm__ volatile("dsb sy" ::: "memory"); }

void axm_cache_clean(void *memory, uint64_t size) {
  const uintptr_t begin = (uintptr_t)memory;
  for (uintptr_t line = begin; line < begin + size; line += LINE)
    __asm__ volatile("dc cvac, %0" ::"r"(line) : "memory");
  barrier();
}

void axm_cache_invalidate(void *memory, uint64_t size) {
  const uintptr_t begin = (uintptr_t)memory;
  barrier();
  for (uintptr_t line = begin; line < begin + size; line += LINE)
    __asm__ volatile("dc ivac, %0" ::"r"(line) : "memory");
  barrier();
}
