/* How the drivers reach a device and its memory: a struct axm_hal (host/hal/hal.h) over DPDK.
 *
 * Registers are a file that can be mapped (a UIO device, the resource0 of a PCI device), or those
 * of a simulated device (sim.h). Memory for descriptors comes from DPDK's memory zones. Caches are
 * not maintained: the device has to see the processor's, or the memory has not to be cached.
 */
#ifndef AXM_DPDK_TARGET_H
#define AXM_DPDK_TARGET_H

#include <stdbool.h>

#include "hal.h"
#include "sim.h"

struct axm_target {
  struct axm_hal hal;
  uint64_t base; /* what registers are counted from: the device's address on the bus */
  volatile uint32_t *registers;
  uint64_t bytes;
  int file; /* of the registers, locked; or -1 */
  struct axm_sim sim;
  unsigned zones; /* taken so far: each has its own name */
  char name[16];
};

/* `name` is that of the DPDK device; `registers` or `sim` the path of a file or socket, the other
 * NULL. 0, or a negative errno, which a log explains. */
int axm_target_open(struct axm_target *target, const char *name, const char *registers,
                    const char *sim, uint64_t base, uint64_t bytes);
/* A target without registers, for programs whose device is a DPDK port. */
void axm_target_of_memory(struct axm_target *target, const char *name);
void axm_target_close(struct axm_target *target);

#endif
