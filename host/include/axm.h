/* Axiometer's C library: finds the instrument in an FPGA design and drives its blocks.
 *
 * C11, no dynamic memory, no global state. Every function that can fail returns an
 * enum axm_status; handles are small and may be copied. The target is reached through a
 * struct axm_hal (hal.h), one file a target.
 *
 *   struct axm_device device;
 *   struct axm_block_info info;
 *   struct axm_dma dma;
 *   if (axm_open(&device, hal, 0x43C00000) == AXM_OK &&
 *       axm_device_find(&device, AXM_BLOCK_DMA, 0, 0, &info) == AXM_OK &&
 *       axm_dma_open(&dma, &info) == AXM_OK) ...
 *
 * Functions are not reentrant for one block: one thread drives a block at a time.
 */
#ifndef AXM_H
#define AXM_H

#include "axm/channel.h"
#include "axm/counters.h"
#include "axm/device.h"
#include "axm/dma.h"
#include "axm/dma_ring.h"
#include "axm/engine.h"
#include "axm/engines/own.h"
#include "axm/monitor.h"
#include "axm/pl330.h"
#include "axm/platform.h"
#include "axm/sniffer.h"
#include "axm/status.h"
#include "axm/stream.h"
#include "axm/traffic.h"
#include "axm/vendor.h"

#endif
