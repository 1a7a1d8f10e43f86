/* The design as a whole: is it there, what does it hold, and where is each block.
 *
 * Handles are small and may be copied: an address and the target. A design is at a base address;
 * block k has the 4 KiB at base + (k << 12).
 */
#ifndef AXM_DEVICE_H
#define AXM_DEVICE_H

#include <stdint.h>

#include "axm/block_types.h"
#include "axm/status.h"
#include "hal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AXM_VERSION "0.2.0"
#define AXM_MAGIC 0x41584D31u /* "AXM1" in the MAGIC register */
#define AXM_NO_PORT 255u      /* port of a block that serves none */

struct axm_device {
  const struct axm_hal *hal;
  uint64_t base;
  uint32_t blocks; /* blocks in the design, the identification block included */
};

/* One block. */
struct axm_block {
  const struct axm_hal *hal;
  uint64_t base;
};

struct axm_device_info {
  uint32_t major, minor, patch; /* version of the design */
  uint32_t clock_hz;
  uint32_t blocks;
  uint32_t top; /* AXM_ID_TOP_... of regs/generated/id.h, 0 another */
  uint32_t ports;
  uint32_t data_bytes; /* width of the data of the ports */
  uint32_t variant;    /* a setting of the top */
};

struct axm_block_info {
  struct axm_block block;
  uint32_t index;
  uint32_t type; /* enum axm_block_type, or a type that this library does not support */
  uint32_t port; /* AXM_NO_PORT if it serves none */
  uint32_t instance;
  uint32_t map_version;
  uint32_t caps, caps2;
};

/* Finds the design at `base`: AXM_ERROR_MAGIC if there is none, AXM_ERROR_VERSION if its
 * identification block has another register map. On a chip, an access to an address without
 * a slave may hang the bus: be sure of the address. */
enum axm_status axm_open(struct axm_device *device, const struct axm_hal *hal,
                         uint64_t base) AXM_CHECKED;
enum axm_status axm_device_describe(const struct axm_device *device,
                                    struct axm_device_info *info) AXM_CHECKED;

/* Block `index`: AXM_ERROR_TYPE if there are fewer, or if the block in that window is of another
 * type than in the table. */
enum axm_status axm_device_block(const struct axm_device *device, uint32_t index,
                                 struct axm_block_info *info) AXM_CHECKED;
/* The `nth` (from 0) block of that type that serves `port` (AXM_NO_PORT: whichever port). */
enum axm_status axm_device_find(const struct axm_device *device, enum axm_block_type type,
                                uint32_t port, uint32_t nth,
                                struct axm_block_info *info) AXM_CHECKED;

/* One register of a block; a 64-bit value of <NAME>_LO and <NAME>_HI at offset and offset + 4. */
enum axm_status axm_read(const struct axm_block *block, uint32_t offset,
                         uint32_t *value) AXM_CHECKED;
enum axm_status axm_write(const struct axm_block *block, uint32_t offset,
                          uint32_t value) AXM_CHECKED;
enum axm_status axm_read64(const struct axm_block *block, uint32_t offset,
                           uint64_t *value) AXM_CHECKED;
enum axm_status axm_write64(const struct axm_block *block, uint32_t offset,
                            uint64_t value) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
