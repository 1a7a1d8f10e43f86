/* Whether a device sees the processor's caches. */
#ifndef AXM_DPDK_COHERENT_H
#define AXM_DPDK_COHERENT_H

#include <stdbool.h>

/* What the device tree says of the UIO device whose file is `registers`, as Linux reads it: by
 * dma-coherent of its node or of one above. True for a file that is not of a device in a tree (a
 * PCI device's). `sysfs`: where that is mounted. */
bool axm_coherent(const char *sysfs, const char *registers);

#endif
