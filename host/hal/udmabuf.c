/* DMA memory of a u-dma-buf device on Linux: see udmabuf.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "udmabuf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "registers.h"

enum { CLOSED = -1, PATH_BYTES = AXM_UDMABUF_PATH_BYTES, MODES = 8, MODE_BITS = 3 };

/* The class has had two names. */
static const char *const classes[] = {"u-dma-buf", "udmabuf"};

static bool joined(char path[PATH_BYTES], const char *folder, const char *file) {
  const int length = snprintf(path, PATH_BYTES, "%s/%s", folder, file);
  return length > 0 && (size_t)length < PATH_BYTES;
}

/* A number in a file of the device's folder. */
static enum axm_status attribute(const struct axm_udmabuf *memory, const char *name,
                                 uint64_t *value) {
  char path[PATH_BYTES];
  char text[32] = {0};
  if (!joined(path, memory->folder, name))
    return AXM_ERROR_ARGUMENT;
  const int opened = open(path, O_RDONLY | O_CLOEXEC);
  if (opened < 0)
    return AXM_ERROR_SYSTEM;
  const ssize_t got = read(opened, text, sizeof text - 1);
  close(opened);
  char *end = text;
  errno = 0;
  const unsigned long long number = got > 0 ? strtoull(text, &end, 0) : 0;
  if (end == text || errno != 0 || (*end != '\0' && *end != '\n') || strchr(text, '-') != NULL)
    return AXM_ERROR_SYSTEM;
  *value = number;
  return AXM_OK;
}

static enum axm_status set(const struct axm_udmabuf *memory, const char *name, uint64_t value) {
  char path[PATH_BYTES];
  char text[32];
  if (!joined(path, memory->folder, name))
    return AXM_ERROR_ARGUMENT;
  const int length = snprintf(text, sizeof text, "%" PRIu64, value);
  const int opened = open(path, O_WRONLY | O_CLOEXEC);
  if (opened < 0)
    return AXM_ERROR_SYSTEM;
  const ssize_t put = write(opened, text, (size_t)length);
  close(opened);
  return put == length ? AXM_OK : AXM_ERROR_SYSTEM;
}

static enum axm_status find(struct axm_udmabuf *memory, const char *name, const char *sysfs) {
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i) {
    char class[PATH_BYTES];
    uint64_t size = 0;
    if (!joined(class, sysfs, classes[i]) || !joined(memory->folder, class, name))
      return AXM_ERROR_ARGUMENT;
    if (attribute(memory, "size", &size) == AXM_OK)
      return AXM_OK;
  }
  return AXM_ERROR_SYSTEM;
}

enum axm_status axm_udmabuf_open(struct axm_udmabuf *memory, const char *name, const char *sysfs,
                                 const char *devices) {
  char path[PATH_BYTES];
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t coherent = 0;
  uint64_t mode = 0;
  memset(memory, 0, sizeof *memory);
  memory->file = CLOSED;
  AXM_TRY(find(memory, name, sysfs != NULL ? sysfs : "/sys/class"));
  AXM_TRY(attribute(memory, "phys_addr", &address));
  AXM_TRY(attribute(memory, "size", &size));
  if (size == 0 || size > SIZE_MAX || address > UINT64_MAX - size)
    return AXM_ERROR_RANGE;
  /* A missing property means cached and not coherent: that is never wrong, only slower. */
  if (attribute(memory, "dma_coherent", &coherent) != AXM_OK)
    coherent = 0;
  if (attribute(memory, "sync_mode", &mode) != AXM_OK || mode >= MODES)
    mode = 0;
  const bool cached = coherent != 0 || (mode & MODE_BITS) == 0;
  memory->managed = cached && coherent == 0;
  if (!joined(path, devices != NULL ? devices : "/dev", name))
    return AXM_ERROR_ARGUMENT;
  memory->file = open(path, O_RDWR | O_CLOEXEC | (coherent != 0 ? 0 : O_SYNC));
  if (memory->file < 0)
    return AXM_ERROR_SYSTEM;
  void *mapped = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file, 0);
  if (mapped == MAP_FAILED) {
    axm_udmabuf_close(memory);
    return AXM_ERROR_SYSTEM;
  }
  memory->whole = (struct axm_memory){.memory = mapped, .bus_address = address, .size = size};
  return AXM_OK;
}

void axm_udmabuf_close(struct axm_udmabuf *memory) {
  if (memory->whole.memory != NULL)
    munmap(memory->whole.memory, (size_t)memory->whole.size);
  if (memory->file >= 0)
    close(memory->file);
  memset(memory, 0, sizeof *memory);
  memory->file = CLOSED;
}

enum axm_status axm_udmabuf_sync(const struct axm_udmabuf *memory, const struct axm_memory *piece,
                                 uint64_t offset, uint64_t size, bool for_device) {
  if (offset > piece->size || size > piece->size - offset)
    return AXM_ERROR_ARGUMENT;
  if (!memory->managed || size == 0)
    return AXM_OK;
  AXM_TRY(set(memory, "sync_offset", piece->bus_address - memory->whole.bus_address + offset));
  AXM_TRY(set(memory, "sync_size", size));
  AXM_TRY(set(memory, "sync_direction", 0)); /* both directions */
  return set(memory, for_device ? "sync_for_device" : "sync_for_cpu", 1);
}
