/* A target for tests on the host: time is a number that every access moves on, memory is a piece
 * of the program's, and the registers are whatever `device` makes of them.
 *
 * With `cached`, memory loses what is not maintained. Each line of the processor's is clean, dirty,
 * or on its way to memory. A write-back by maintenance is complete at the next barrier, not before
 * a register is written without one. An invalidated line is fetched again immediately; without a
 * barrier behind the device's write it may be fetched with its old content. With a seed, lines
 * are also written back, dropped and fetched at any time, as caches do.
 *
 * `coherent` and `shareable`: the device's port looks into the caches, and maintenance does
 * nothing; but the processor's writes wait for a barrier or for some time, and so do its reads of
 * what the device has written. A coherent port does not look into lines of memory that is not
 * shareable.
 */
#ifndef AXM_TEST_H
#define AXM_TEST_H

#include <stdbool.h>

#include "arena.h"

enum { AXM_TEST_LOG = 1 << 14 };

#define AXM_TEST_MEMORY_BYTES (UINT64_C(1) << 20)
#define AXM_TEST_MEMORY_ADDRESS UINT64_C(0x10000000)
#define AXM_TEST_ACCESS_NS 100u
#define AXM_TEST_LINE 64u
#define AXM_TEST_SHORT_LINE 32u

/* The registers behind the bus. A status other than AXM_OK is a bus error. */
struct axm_test_device {
  void *self;
  enum axm_status (*read32)(void *self, uint64_t address, uint32_t *value);
  enum axm_status (*write32)(void *self, uint64_t address, uint32_t value);
  bool (*irq)(void *self); /* NULL: there is no interrupt */
};

struct axm_test_access {
  bool write;
  uint64_t address;
  uint32_t value;
  uint64_t at_ns;
};

struct axm_test_target {
  struct axm_test_device device;
  struct axm_arena arena;
  uint64_t now_ns;
  uint64_t accesses;
  struct axm_test_access log[AXM_TEST_LOG]; /* the first ones */
  uint64_t fail_at;                         /* number of the access that fails; 0: none */
  bool hal_dead;                            /* waiting finds the target gone */
  uint64_t barriers, cleaned, invalidated;  /* counts */
  int input, output;                        /* the line to the host */
  bool cached, coherent, shareable;         /* see above; shareable unless a test says other */
  uint32_t seed;                            /* of what happens by itself; 0: nothing */
  bool keeps;                               /* a cache so large that no clean line is dropped */
  uint32_t line;          /* bytes of a line: AXM_TEST_LINE, or AXM_TEST_SHORT_LINE */
  bool line_in_real_time; /* waits for the host; else a wait for nothing takes no time */
  struct axm_hal hal;
};

/* Sets a target up; the memory behind it is one static piece, cleared. */
const struct axm_hal *axm_hal_test(struct axm_test_target *target,
                                   const struct axm_test_device *device);

/* What the fabric finds at a bus address; NULL where there is no memory. */
unsigned char *axm_test_fabric(const struct axm_test_target *target, uint64_t address,
                               uint64_t bytes);
/* With a cache: writes back what the processor has written there and not cleaned, as a cache may at
 * any time. */
void axm_test_evict(struct axm_test_target *target, uint64_t address, uint64_t bytes);

#endif
