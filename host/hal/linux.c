/* Linux as a target: registers by mmap of a UIO device or /dev/mem, the interrupt through UIO,
 * DMA memory from a u-dma-buf device (udmabuf.h), a huge page (hugepage.h) or memory that the
 * kernel leaves alone (kept_memory.h), the line to the host over stdin and stdout.
 *
 * A register that nothing answers is AXM_ERROR_BUS (bus_error.h). One process drives one design:
 * the state is static.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "barrier.h"
#include "bus_error.h"
#include "hugepage.h"
#include "kept_memory.h"
#include "linux_environment.h"
#include "linux_platform.h"
#include "posix_line.h"
#include "targets.h"
#include "udmabuf.h"

#define MEMORY "/dev/mem"
#define DEVICE_TREE "/sys/firmware/devicetree/base"

enum { INPUT = 0, OUTPUT = 1, CLOSED = -1 };

static struct {
  struct axm_linux_options options;
  int registers_file;
  volatile uint32_t *registers;
  bool uio; /* the register file is a UIO device: it has an interrupt */
  struct axm_udmabuf memory;
  struct axm_memory page; /* in place of it: a huge page, or kept memory */
  bool kept;
  struct axm_arena arena;
  const struct axm_platform_table *platform;
} target = {.registers_file = CLOSED, .memory = {.file = CLOSED}};

static volatile uint32_t *at(uint64_t address) {
  const uint64_t offset = address - target.options.base;
  if (target.registers == NULL || address < target.options.base || address % 4 != 0 ||
      target.options.size < 4 || offset > target.options.size - 4)
    return NULL;
  return target.registers + (size_t)(offset / 4);
}

static enum axm_status linux_read32(void *self, uint64_t address, uint32_t *value) {
  (void)self;
  const volatile uint32_t *word = at(address);
  if (word == NULL)
    return axm_linux_platform_read32(target.platform, MEMORY, address, value);
  return axm_bus_read32(word, value);
}

static enum axm_status linux_write32(void *self, uint64_t address, uint32_t value) {
  (void)self;
  volatile uint32_t *word = at(address);
  if (word == NULL)
    return axm_linux_platform_write32(target.platform, MEMORY, address, value);
  return axm_bus_write32(word, value);
}

static void linux_barrier(void *self) {
  (void)self;
  axm_device_barrier();
}

static enum axm_status linux_alloc(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                                   struct axm_memory *memory) {
  (void)self;
  if (target.memory.file == CLOSED && target.page.memory == NULL)
    return AXM_ERROR_UNSUPPORTED;
  return axm_arena_take(&target.arena, size, align, wanted, memory);
}

static enum axm_status linux_release(void *self, const struct axm_memory *memory) {
  (void)self;
  return axm_arena_give(&target.arena, memory);
}

static enum axm_status linux_clean(void *self, const struct axm_memory *memory, uint64_t offset,
                                   uint64_t size) {
  linux_barrier(self);
  return target.page.memory != NULL ? AXM_OK
                                    : axm_udmabuf_sync(&target.memory, memory, offset, size, true);
}

static enum axm_status linux_invalidate(void *self, const struct axm_memory *memory,
                                        uint64_t offset, uint64_t size) {
  linux_barrier(self);
  return target.page.memory != NULL ? AXM_OK
                                    : axm_udmabuf_sync(&target.memory, memory, offset, size, false);
}

static uint64_t linux_now_ns(void *self) {
  (void)self;
  return axm_posix_now_ns();
}

static void linux_idle_ns(void *self, uint64_t duration_ns) {
  (void)self;
  /* A sleep takes tens of microseconds at least: short waits are spent awake. */
  if (duration_ns < 50000) {
    const uint64_t begin = axm_posix_now_ns();
    while (axm_posix_now_ns() - begin < duration_ns) {
    }
    return;
  }
  const struct timespec duration = {.tv_sec = (time_t)(duration_ns / 1000000000u),
                                    .tv_nsec = (long)(duration_ns % 1000000000u)};
  nanosleep(&duration, NULL);
}

/* UIO: writing 1 enables the interrupt, reading takes the count of interrupts. The kernel
 * disables it when it comes, until it is enabled again. */
static enum axm_status linux_wait_irq(void *self, uint64_t timeout_ns) {
  (void)self;
  if (!target.uio)
    return AXM_ERROR_UNSUPPORTED;
  const uint32_t enable = 1;
  if (write(target.registers_file, &enable, sizeof enable) != (ssize_t)sizeof enable)
    return AXM_ERROR_UNSUPPORTED;
  struct pollfd one = {.fd = target.registers_file, .events = POLLIN, .revents = 0};
  const uint64_t ms = timeout_ns / 1000000u + (timeout_ns % 1000000u != 0 ? 1 : 0);
  const int found = poll(&one, 1, ms > 60000 ? 60000 : (int)ms);
  if (found < 0)
    return errno == EINTR ? AXM_ERROR_TIMEOUT : AXM_ERROR_SYSTEM;
  if (found == 0)
    return AXM_ERROR_TIMEOUT;
  uint32_t count = 0;
  if (read(target.registers_file, &count, sizeof count) != (ssize_t)sizeof count)
    return AXM_ERROR_SYSTEM;
  return AXM_OK;
}

static enum axm_status linux_read_bytes(void *self, char *bytes, size_t room, size_t *count,
                                        uint64_t timeout_ns) {
  (void)self;
  return axm_posix_read(INPUT, bytes, room, count, timeout_ns);
}

static enum axm_status linux_write_bytes(void *self, const char *bytes, size_t count) {
  (void)self;
  return axm_posix_write(OUTPUT, bytes, count);
}

static enum axm_status linux_environment(void *self, uint32_t nth, const char **name,
                                         char value[AXM_ENVIRONMENT_BYTES]) {
  (void)self;
  return axm_linux_environment("", nth, name, value);
}

static enum axm_status linux_fabric(void *self) {
  (void)self;
  return axm_linux_configured("") ? AXM_OK : AXM_ERROR_FABRIC;
}

static enum axm_status map_registers(const struct axm_linux_options *options) {
  /* mmap takes a size_t and an off_t, which must not truncate the request. */
  if (options->size < 4 || options->size > SIZE_MAX || options->base > INT64_MAX ||
      options->base > UINT64_MAX - options->size)
    return AXM_ERROR_ARGUMENT;
  target.uio = strncmp(options->registers, "/dev/uio", 8) == 0;
  target.registers_file = open(options->registers, O_RDWR | O_SYNC | O_CLOEXEC);
  if (target.registers_file < 0)
    return AXM_ERROR_SYSTEM;
  const off_t offset = target.uio ? 0 : (off_t)options->base;
  void *mapped = mmap(NULL, (size_t)options->size, PROT_READ | PROT_WRITE, MAP_SHARED,
                      target.registers_file, offset);
  if (mapped == MAP_FAILED)
    return AXM_ERROR_SYSTEM;
  target.registers = (volatile uint32_t *)mapped;
  return AXM_OK;
}

enum axm_status axm_hal_linux(const struct axm_linux_options *options, const struct axm_hal **hal,
                              const char **what) {
  static struct axm_hal functions = {
      .target = "linux",
      .self = NULL,
      .coherency = {.prot = AXM_PROT_OF_SYSTEM},
      .fabric = linux_fabric,
      .read32 = linux_read32,
      .write32 = linux_write32,
      .barrier = linux_barrier,
      .alloc = linux_alloc,
      .release = linux_release,
      .clean = linux_clean,
      .invalidate = linux_invalidate,
      .now_ns = linux_now_ns,
      .idle_ns = linux_idle_ns,
      .environment = linux_environment,
      .wait_irq = linux_wait_irq,
      .read_bytes = linux_read_bytes,
      .write_bytes = linux_write_bytes,
  };
  target.options = *options;
  functions.platform = target.platform = axm_linux_platform(DEVICE_TREE);
  *what = options->registers;
  enum axm_status status = axm_bus_error_catch();
  if (status != AXM_OK)
    return status;
  if (options->registers != NULL)
    status = map_registers(options);
  if (status == AXM_OK && options->memory != NULL && strcmp(options->memory, "hugepage") == 0) {
    *what = options->memory;
    status = axm_hugepage_open(&target.page);
    target.arena.whole = target.page;
  } else if (status == AXM_OK && options->memory != NULL &&
             axm_kept_memory_named(options->memory)) {
    *what = options->memory;
    target.kept = true;
    status = axm_kept_memory_open(&target.page, options->memory, options->devices);
    target.arena.whole = target.page;
  } else if (status == AXM_OK && options->memory != NULL) {
    *what = options->memory;
    status = axm_udmabuf_open(&target.memory, options->memory, options->sysfs, options->devices);
    target.arena.whole = target.memory.whole;
  }
  if (status != AXM_OK) {
    axm_hal_linux_close();
    return status;
  }
  functions.emulated = axm_linux_emulated("") ? 1 : 0;
  *hal = &functions;
  return AXM_OK;
}

void axm_hal_linux_close(void) {
  if (target.registers != NULL)
    munmap((void *)(uintptr_t)target.registers, (size_t)target.options.size);
  if (target.registers_file >= 0)
    close(target.registers_file);
  axm_udmabuf_close(&target.memory);
  if (target.kept)
    axm_kept_memory_close(&target.page);
  else
    axm_hugepage_close(&target.page);
  axm_bus_error_release();
  memset(&target, 0, sizeof target);
  target.registers_file = CLOSED;
  target.memory.file = CLOSED;
}
