/* DMA memory of a u-dma-buf device (https://github.com/ikwzm/udmabuf) on Linux.
 *
 * The driver decides whether the processor caches it, not O_SYNC alone: `sync_mode` 0 and 4 cache
 * it whatever the file was opened with. Where it is cached and the hardware does not
 * keep it coherent (`dma_coherent` 0), sync gives parts to the device and back.
 */
#ifndef AXM_UDMABUF_H
#define AXM_UDMABUF_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

enum { AXM_UDMABUF_PATH_BYTES = 256 };

struct axm_udmabuf {
  int file; /* -1: none */
  struct axm_memory whole;
  bool managed;                        /* its parts must be given to the device and back */
  char folder[AXM_UDMABUF_PATH_BYTES]; /* with the attributes */
};

/* `name` such as "udmabuf0"; `sysfs` and `devices` are the folders where the system has its
 * classes and devices, NULL for /sys/class and /dev. AXM_ERROR_SYSTEM if a file is not there or
 * holds no number, AXM_ERROR_RANGE if the memory is larger than what this program can address. */
enum axm_status axm_udmabuf_open(struct axm_udmabuf *memory, const char *name, const char *sysfs,
                                 const char *devices) AXM_CHECKED;
void axm_udmabuf_close(struct axm_udmabuf *memory);

/* Before the device reads or writes a part, and before the processor reads it again. */
enum axm_status axm_udmabuf_sync(const struct axm_udmabuf *memory, const struct axm_memory *piece,
                                 uint64_t offset, uint64_t size, bool for_device) AXM_CHECKED;

#endif
