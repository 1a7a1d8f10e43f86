/* A huge page as DMA memory: see hugepage.h; proc(5) and the kernel's pagemap.rst describe where
 * its address is found. */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "hugepage.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 2 << 20 }; /* a block of a translation table with pages of 4 KiB */
#define PRESENT (UINT64_C(1) << 63)
#define FRAME ((UINT64_C(1) << 55) - 1)

enum axm_status axm_hugepage_open(struct axm_memory *whole) {
  const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE;
  void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, how, -1, 0);
  if (memory == MAP_FAILED)
    return AXM_ERROR_MEMORY;
  *whole = (struct axm_memory){.memory = memory, .size = BYTES};
  memset(memory, 0, BYTES);
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  uint64_t word = 0;
  const off_t at = (off_t)((uint64_t)(uintptr_t)memory / page * sizeof word);
  const bool read = file >= 0 && pread(file, &word, sizeof word, at) == (ssize_t)sizeof word;
  if (file >= 0)
    close(file);
  if (!read || (word & PRESENT) == 0 || (word & FRAME) == 0) {
    axm_hugepage_close(whole);
    return AXM_ERROR_SYSTEM;
  }
  whole->bus_address = (word & FRAME) * page;
  return AXM_OK;
}

void axm_hugepage_close(struct axm_memory *whole) {
  if (whole->memory != NULL)
    munmap(whole->memory, BYTES);
  whole->memory = NULL;
}
