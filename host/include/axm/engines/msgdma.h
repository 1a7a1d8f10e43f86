/* Intel's Modular Scatter-Gather DMA (Embedded Peripherals IP User Guide, 683130) as an engine.
 *
 * An instance is one direction: memory to stream, stream to memory, or a copy. It has up to three
 * slaves: CSR, descriptors, and responses, which have the length of a received packet; without them
 * a receiver reports packets without lengths. It does not report its parameters: struct
 * axm_msgdma_parts has them.
 *
 * Descriptors go to its queue by registers, each begins immediately: a doorbell has no effect. A
 * sender has no responses: a transfer counts as ended when the next one has begun or queue and
 * masters are at rest.
 *
 * A packet that is longer than its buffer is a fault ("early termination"). An error of the memory
bus is not reported. Limits: packet support must be on, no prefetcher, no strides.
 */
#ifndef AXM_ENGINES_MSGDMA_H
#define AXM_ENGINES_MSGDMA_H

#include "axm/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_msgdma_parts {
  const struct axm_hal *hal;
  uint64_t csr, descriptors;
  uint64_t responses;    /* 0: no such slave */
  bool extended;         /* "Extended Feature Support": descriptors of 32 bytes */
  bool unaligned;        /* "Unaligned Accesses" */
  uint32_t queue;        /* "Descriptor FIFO Depth" */
  uint32_t longest;      /* "Maximum Transfer Length", bytes */
  uint32_t data_bytes;   /* "Data Width" */
  uint32_t address_bits; /* at most 32 without `extended` */
};

struct axm_msgdma {
  struct axm_engine engine;
  struct axm_msgdma_parts parts;
  uint32_t control; /* what the control register holds */
  uint32_t ended;   /* transfers that have ended and were not polled */
  bool inside;      /* a packet has begun */
  struct axm_engine_queue queue;
};

/* AXM_ERROR_ARGUMENT for an instance that cannot be. */
enum axm_status axm_msgdma_open(struct axm_msgdma *msgdma, const struct axm_msgdma_parts *parts,
                                enum axm_engine_direction direction) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
