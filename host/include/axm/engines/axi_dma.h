/* AMD's AXI DMA (PG021) and AXI CDMA (PG034) as engines, register-driven ("simple") or with
 * scatter-gather. An instance does not report its parameters: struct axm_axi_dma has them.
 *
 * AXI DMA has two halves: sending (MM2S) and receiving (S2MM). A reset is of both: a half that does
 * not halt (a receiver that waits for a packet; one that has failed) is stopped by a reset once the
 * other half was stopped or is stopping; until then stopping it ends with AXM_ERROR_BUSY. A half
 * that is not at rest when it is started is reset under the same condition.
 *
 * Simple: a transfer is a packet; transfers wait here, one is in hand, and the next begins when
 * either half is polled (waiting for a receiver must not stall the sender): one thread uses both. A
 * packet that is longer than its buffer is a fault. Scatter-gather: packets may have several
 * transfers, and a packet that is longer than its buffer arrives in parts.
 *
 * A port that is to see the processor's caches: AxCACHE and AxPROT are the design's, which this
 * engine cannot set (PG021: 0011 and 000).
 *
 * Limits: no multichannel mode, no control and status streams, no cyclic mode, no keyhole.
 */
#ifndef AXM_ENGINES_AXI_DMA_H
#define AXM_ENGINES_AXI_DMA_H

#include "axm/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_axi_half;

/* An instance, as the design was made; all 0 but these. */
struct axm_axi_dma {
  const struct axm_hal *hal;
  uint64_t base;
  bool central;          /* AXI CDMA: it copies */
  bool scatter_gather;   /* "Enable Scatter Gather Engine"; a CDMA with it can be used simply */
  bool unaligned;        /* "Allow Unaligned Transfers" (DRE) */
  uint32_t length_bits;  /* "Width of Buffer Length Register", 8 to 26; CDMA: 26 */
  uint32_t address_bits; /* "Address Width", 32 to 64 */
  uint32_t data_bytes;   /* of the memory-mapped side, 4 to 128 */
  struct axm_axi_half *running[2]; /* halves that were started and not stopped */
};

struct axm_axi_half {
  struct axm_engine engine;
  struct axm_axi_dma *dma;
  uint64_t base;
  uint32_t control;             /* what the control register holds */
  bool coherent;                /* descriptors need no maintenance */
  uint32_t ended;               /* simple: transfers that have ended and were not polled */
  struct axm_engine_done fault; /* simple: of the one after these */
  bool inside;                  /* scatter-gather: a packet has begun */
  uint32_t entries;             /* descriptors in the ring; 0: simple */
  uint32_t next;                /* descriptor of the next transfer */
  struct axm_memory ring;
  struct axm_engine_queue queue;
};

/* AXM_ERROR_ARGUMENT for an impossible instance or a direction that it lacks,
 * AXM_ERROR_UNSUPPORTED if its status register has other parameters, AXM_ERROR_BUS. */
enum axm_status axm_axi_dma_open(struct axm_axi_half *half, struct axm_axi_dma *dma,
                                 enum axm_engine_direction direction) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
