/* Registers of the processor system on Linux: see linux_platform.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "linux_platform.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus_error.h"

enum { PAGE = 4096 };

const struct axm_platform_table *axm_linux_platform(const char *tree) {
  static const struct {
    const char *compatible;
    const struct axm_platform_table *table;
  } known[] = {{"xlnx,zynq-7000", &axm_platform_zynq7000}, {"xlnx,zynqmp", &axm_platform_zynqmp}};
  char path[256];
  char texts[1024];
  const int length = snprintf(path, sizeof path, "%s/compatible", tree);
  FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
  if (file == NULL)
    return NULL;
  const size_t size = fread(texts, 1, sizeof texts - 1, file);
  fclose(file);
  texts[size] = '\0';
  for (size_t at = 0; at < size; at += strlen(texts + at) + 1)
    for (size_t n = 0; n < sizeof known / sizeof known[0]; ++n)
      if (strcmp(texts + at, known[n].compatible) == 0)
        return known[n].table;
  return NULL;
}

static bool listed(const struct axm_platform_table *table, uint64_t address) {
  for (size_t n = 0; table != NULL && n < table->count; ++n)
    if (table->settings[n].address == address)
      return true;
  return false;
}

static enum axm_status access_word(const struct axm_platform_table *table, const char *memory,
                                   uint64_t address, uint32_t *read, uint32_t written) {
  if (!listed(table, address))
    return AXM_ERROR_BUS;
  const int file = open(memory, O_RDWR | O_SYNC | O_CLOEXEC);
  if (file < 0)
    return AXM_ERROR_SYSTEM;
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                    (off_t)(address & ~(uint64_t)(PAGE - 1)));
  close(file);
  if (page == MAP_FAILED)
    return AXM_ERROR_SYSTEM;
  volatile uint32_t *word = (volatile uint32_t *)page + address % PAGE / 4;
  const enum axm_status status =
      read != NULL ? axm_bus_read32(word, read) : axm_bus_write32(word, written);
  munmap(page, PAGE);
  return status;
}

enum axm_status axm_linux_platform_read32(const struct axm_platform_table *table,
                                          const char *memory, uint64_t address, uint32_t *value) {
  return access_word(table, memory, address, value, 0);
}

enum axm_status axm_linux_platform_write32(const struct axm_platform_table *table,
                                           const char *memory, uint64_t address, uint32_t value) {
  return access_word(table, memory, address, NULL, value);
}
