/* How the drivers reach a device and its memory: see target.h. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_memzone.h>

#include "coherent.h"
#include "log.h"

RTE_LOG_REGISTER(axm_log_type, pmd.axm, NOTICE);

static bool within(const struct axm_target *target, uint64_t address) {
  return target->bytes >= 4 && address >= target->base &&
         address - target->base <= target->bytes - 4;
}

static enum axm_status read32(void *self, uint64_t address, uint32_t *value) {
  const struct axm_target *target = self;
  if (!within(target, address))
    return AXM_ERROR_BUS;
  *value = rte_read32(&target->registers[(address - target->base) / 4]);
  return AXM_OK;
}

static enum axm_status write32(void *self, uint64_t address, uint32_t value) {
  const struct axm_target *target = self;
  if (!within(target, address))
    return AXM_ERROR_BUS;
  rte_write32_relaxed(value, &target->registers[(address - target->base) / 4]);
  return AXM_OK;
}

static enum axm_status sim_read32(void *self, uint64_t address, uint32_t *value) {
  struct axm_target *target = self;
  if (!within(target, address))
    return AXM_ERROR_BUS;
  return axm_sim_read(&target->sim, address - target->base, value) ? AXM_OK : AXM_ERROR_DEAD;
}

static enum axm_status sim_write32(void *self, uint64_t address, uint32_t value) {
  struct axm_target *target = self;
  if (!within(target, address))
    return AXM_ERROR_BUS;
  return axm_sim_write(&target->sim, address - target->base, value) ? AXM_OK : AXM_ERROR_DEAD;
}

static void barrier(void *self) {
  (void)self;
  rte_io_mb();
}

static enum axm_status alloc(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                             struct axm_memory *memory) {
  struct axm_target *target = self;
  char name[RTE_MEMZONE_NAMESIZE];
  if (wanted != AXM_ANY_ADDRESS)
    return AXM_ERROR_ADDRESS;
  snprintf(name, sizeof name, "%s-%u", target->name, target->zones++);
  const unsigned line = align < RTE_CACHE_LINE_SIZE ? RTE_CACHE_LINE_SIZE : (unsigned)align;
  const struct rte_memzone *zone =
      rte_memzone_reserve_aligned(name, size, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG, line);
  if (zone == NULL)
    return AXM_ERROR_MEMORY;
  memset(zone->addr, 0, size);
  *memory = (struct axm_memory){.memory = zone->addr, .bus_address = zone->iova, .size = size};
  return AXM_OK;
}

struct wanted {
  const void *memory;
  const struct rte_memzone *found;
};

static void look(const struct rte_memzone *zone, void *arg) {
  struct wanted *wanted = arg;
  if (zone->addr == wanted->memory)
    wanted->found = zone;
}

static enum axm_status release(void *self, const struct axm_memory *memory) {
  struct wanted wanted = {.memory = memory->memory};
  (void)self;
  rte_memzone_walk(look, &wanted);
  return wanted.found != NULL && rte_memzone_free(wanted.found) == 0 ? AXM_OK : AXM_ERROR_ARGUMENT;
}

static enum axm_status no_maintenance(void *self, const struct axm_memory *memory, uint64_t offset,
                                      uint64_t size) {
  (void)self, (void)memory, (void)offset, (void)size;
  return AXM_OK;
}

static uint64_t now_ns(void *self) {
  (void)self;
  return (uint64_t)((double)rte_get_timer_cycles() * 1e9 / (double)rte_get_timer_hz());
}

static void idle_ns(void *self, uint64_t duration_ns) {
  (void)self;
  rte_delay_us_block((unsigned)(duration_ns / 1000 + 1));
}

static enum axm_status no_interrupt(void *self, uint64_t timeout_ns) {
  (void)self, (void)timeout_ns;
  return AXM_ERROR_UNSUPPORTED;
}

static enum axm_status no_line_in(void *self, char *bytes, size_t room, size_t *count,
                                  uint64_t timeout_ns) {
  (void)self, (void)bytes, (void)room, (void)count, (void)timeout_ns;
  return AXM_ERROR_UNSUPPORTED;
}

static enum axm_status line_out(void *self, const char *bytes, size_t count) {
  (void)self;
  return fwrite(bytes, 1, count, stdout) == count ? AXM_OK : AXM_ERROR_SYSTEM;
}

/* The file stays open and locked: what an engine does without a lock is of a program that was
 * killed. */
static int map(struct axm_target *target, const char *path) {
  if (!axm_coherent("/sys", path)) {
    AXM_LOG(ERR,
            "the device of %s does not see the processor's caches, by its node in the device tree, "
            "and caches are not maintained here: use a port that does (ACP, HPC, F2H) and give the "
            "node dma-coherent, or use the Linux driver",
            path);
    return -ENOTSUP;
  }
  const int fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  void *mapped = MAP_FAILED;
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
    mapped = mmap(NULL, target->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) {
    const int error = errno;
    AXM_LOG(ERR, "cannot map the registers in %s: %s", path,
            error == EWOULDBLOCK ? "another program has them" : strerror(error));
    if (fd >= 0)
      close(fd);
    return -error;
  }
  target->registers = mapped;
  target->file = fd;
  return 0;
}

void axm_target_of_memory(struct axm_target *target, const char *name) {
  *target = (struct axm_target){.hal = {.target = "dpdk",
                                        .self = target,
                                        .coherency = {.prot = AXM_PROT_OF_SYSTEM},
                                        .read32 = read32,
                                        .write32 = write32,
                                        .barrier = barrier,
                                        .alloc = alloc,
                                        .release = release,
                                        .clean = no_maintenance,
                                        .invalidate = no_maintenance,
                                        .now_ns = now_ns,
                                        .idle_ns = idle_ns,
                                        .wait_irq = no_interrupt,
                                        .read_bytes = no_line_in,
                                        .write_bytes = line_out},
                                .file = -1,
                                .sim = {.socket = -1}};
  snprintf(target->name, sizeof target->name, "%s", name);
}

int axm_target_open(struct axm_target *target, const char *name, const char *registers,
                    const char *sim, uint64_t base, uint64_t bytes) {
  axm_target_of_memory(target, name);
  target->base = base;
  target->bytes = bytes;
  if (sim == NULL)
    return map(target, registers);
  target->hal.read32 = sim_read32;
  target->hal.write32 = sim_write32;
  return axm_sim_open(&target->sim, sim);
}

void axm_target_close(struct axm_target *target) {
  if (target->registers != NULL)
    munmap((void *)(uintptr_t)target->registers, target->bytes);
  target->registers = NULL;
  if (target->file >= 0)
    close(target->file);
  target->file = -1;
  if (target->sim.socket >= 0)
    axm_sim_close(&target->sim);
}
