/* DMA memory on Linux without a driver for it: a huge page, which is contiguous and stays where it
 * is. Only for designs that see the processor's caches and have no IOMMU before them; it needs
 * root, and a page: echo 1 > /proc/sys/vm/nr_hugepages */
#ifndef AXM_HUGEPAGE_H
#define AXM_HUGEPAGE_H

#include "hal.h"

/* AXM_ERROR_MEMORY if there is no such page, AXM_ERROR_SYSTEM if its address is not shown. */
enum axm_status axm_hugepage_open(struct axm_memory *whole) AXM_CHECKED;
void axm_hugepage_close(struct axm_memory *whole);

#endif
