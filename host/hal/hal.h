/* What the library and the agent need from a target: registers, DMA memory, time, the interrupt,
 * and the line to the host. A target is one file that fills in a struct axm_hal.
 *
 * Rules for a target:
 * - Every function that waits has a time-out.
 * - An access that fails is a status, not a signal or a value that looks like data.
 * - read32 and write32 reach the device in the order of the calls.
 * - What a target cannot do returns AXM_ERROR_UNSUPPORTED.
 *
 * Addresses are 64 bit wide on every target. Times are in ns since some moment in the past.
 */
#ifndef AXM_HAL_H
#define AXM_HAL_H

#include <stddef.h>
#include <stdint.h>

#include "axm/platform.h"
#include "axm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AXM_ANY_ADDRESS UINT64_MAX
/* Bytes of a value of `environment`, its end included. */
#define AXM_ENVIRONMENT_BYTES 96

/* DMA memory, as the processor sees it (memory) and as the fabric does (bus_address). */
struct axm_memory {
  void *memory;
  uint64_t bus_address;
  uint64_t size; /* bytes */
};

/* How a port of the fabric sees the processor's caches. All 0: where it has such a port, by
 * accesses that allocate, of a secure program. */
struct axm_coherency {
  enum axm_status status; /* AXM_ERROR_COHERENCY: none does, as the chip was set up */
  uint32_t cache, prot;   /* AxCACHE, 0: AXM_CACHE_ALLOCATES; AxPROT */
};

enum {
  AXM_CACHE_ALLOCATES = 0xF, /* write-back, reads and writes allocate */
  AXM_PROT_NONSECURE = 2,
#if defined(__aarch64__)
  AXM_PROT_OF_SYSTEM = AXM_PROT_NONSECURE, /* behind Trusted Firmware systems are not secure */
#else
  AXM_PROT_OF_SYSTEM = 0,
#endif
};

struct axm_hal {
  const char *target; /* name of the target, for `hello` */
  void *self;         /* state of the target, passed to every function */
  int emulated;       /* 1: no real board: its times are not those of a chip */
  struct axm_coherency coherency;
  const struct axm_platform_table *platform; /* of its chip (axm/platform.h); NULL: not known */

  /* AXM_ERROR_FABRIC if the fabric has no bitstream: an access there would halt the processor for
   * good. NULL: not known. */
  enum axm_status (*fabric)(void *self);

  /* Registers; the address is that on the bus, a multiple of 4. */
  enum axm_status (*read32)(void *self, uint64_t address, uint32_t *value);
  enum axm_status (*write32)(void *self, uint64_t address, uint32_t value);
  /* All memory accesses before it are complete for every master, coherent or not, before any
   * access after it: a barrier of the whole system (barrier.h), not only among processors. */
  void (*barrier)(void *self);

  /* DMA memory: contiguous on the bus, aligned to a power of two, at `wanted` or, if that is
   * AXM_ANY_ADDRESS, anywhere. release gives it back. */
  enum axm_status (*alloc)(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                           struct axm_memory *memory);
  enum axm_status (*release)(void *self, const struct axm_memory *memory);
  /* Cache: clean before the device reads what the processor wrote. No line of what the device
   * writes may be dirty, or it is written back over it later: clean or invalidate first. Invalidate
   * before the processor reads what the device wrote. The device sees what was cleaned after the
   * next barrier. Another barrier is between the device's completion and invalidate. */
  enum axm_status (*clean)(void *self, const struct axm_memory *memory, uint64_t offset,
                           uint64_t size);
  enum axm_status (*invalidate)(void *self, const struct axm_memory *memory, uint64_t offset,
                                uint64_t size);

  /* Conditions that may change a measurement, such as the processor's clock: the nth name and its
   * value, a word. AXM_ERROR_EMPTY: unknown now; AXM_ERROR_RANGE: no more. NULL: none. */
  enum axm_status (*environment)(void *self, uint32_t nth, const char **name,
                                 char value[AXM_ENVIRONMENT_BYTES]);

  uint64_t (*now_ns)(void *self);
  void (*idle_ns)(void *self, uint64_t duration_ns);
  /* AXM_OK as soon as the interrupt is (or already was) asserted, AXM_ERROR_TIMEOUT,
   * AXM_ERROR_DEAD. One that is forwarded late may stay until a register of the device is accessed:
   * look for its cause before each wait. */
  enum axm_status (*wait_irq)(void *self, uint64_t timeout_ns);

  /* The line to the host. read_bytes gives what is there, at most `room` bytes, and waits for
   * the first at most timeout_ns; AXM_ERROR_TIMEOUT, AXM_ERROR_END. write_bytes sends all. */
  enum axm_status (*read_bytes)(void *self, char *bytes, size_t room, size_t *count,
                                uint64_t timeout_ns);
  enum axm_status (*write_bytes)(void *self, const char *bytes, size_t count);
};

#ifdef __cplusplus
}
#endif

#endif
