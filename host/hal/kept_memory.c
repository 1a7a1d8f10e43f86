/* Memory that the kernel does not use: see kept_memory.h. */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "kept_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_BYTES = 256 };

static bool numbers(const char *text, uint64_t *address, uint64_t *bytes) {
  char *end = NULL;
  errno = 0;
  *address = strtoull(text, &end, 0);
  if (end == text || *end != ',' || text[0] < '0' || text[0] > '9' || end[1] < '0' || end[1] > '9')
    return false;
  *bytes = strtoull(end + 1, &end, 0);
  return *end == '\0' && errno == 0;
}

bool axm_kept_memory_named(const char *text) {
  uint64_t address = 0;
  uint64_t bytes = 0;
  return numbers(text, &address, &bytes);
}

enum axm_status axm_kept_memory_open(struct axm_memory *whole, const char *text,
                                     const char *devices) {
  uint64_t address = 0;
  uint64_t bytes = 0;
  char path[PATH_BYTES];
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (!numbers(text, &address, &bytes) || bytes == 0 || address % page != 0 || bytes % page != 0 ||
      bytes > SIZE_MAX || address > INT64_MAX - bytes)
    return AXM_ERROR_ARGUMENT;
  (void)snprintf(path, sizeof path, "%s/mem", devices != NULL ? devices : "/dev");
  const int file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (file < 0)
    return AXM_ERROR_SYSTEM;
  void *memory =
      mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)address);
  close(file);
  if (memory == MAP_FAILED)
    return AXM_ERROR_SYSTEM;
  *whole = (struct axm_memory){.memory = memory, .bus_address = address, .size = bytes};
  return AXM_OK;
}

void axm_kept_memory_close(struct axm_memory *whole) {
  if (whole->memory != NULL)
    munmap(whole->memory, (size_t)whole->size);
  whole->memory = NULL;
}
