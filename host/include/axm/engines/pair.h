/* The engines of one loop through the fabric, by name: one that sends and one that receives.
 *
 *   axm, axm-ring           this project's engine, by commands or by a ring (by the design's
 * capabilities) axm-copy                the same, made to copy, with a mailbox axi-dma, axi-dma-sg
 * AXI DMA axi-cdma, axi-cdma-sg   AXI CDMA with a mailbox msgdma                  three mSGDMAs:
 * sending at `base`, receiving AXM_PAIR_MSGDMA_STEP behind it; CSR first, descriptors and responses
 * at the distances below pl330                   the processor's own DMA controller at `base`, with
 * a mailbox
 *
 * The spec has what an instance does not report; 0: the default.
 */
#ifndef AXM_ENGINES_PAIR_H
#define AXM_ENGINES_PAIR_H

#include "axm/engines/axi_dma.h"
#include "axm/engines/axi_traffic_gen.h"
#include "axm/engines/copy_pl330.h"
#include "axm/engines/mailbox.h"
#include "axm/engines/msgdma.h"
#include "axm/engines/own.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  AXM_PAIR_MSGDMA_QUEUE = 8, /* the fewest descriptors that one can have */
  AXM_PAIR_MSGDMA_STEP = 0x80,
  AXM_PAIR_MSGDMA_DESCRIPTORS = 0x20,
  AXM_PAIR_MSGDMA_RESPONSES = 0x40,
};

struct axm_pair_spec {
  const char *engine;
  const struct axm_hal *hal;
  uint64_t base;
  uint32_t data_bytes;   /* of a beat in memory: 8 */
  uint32_t length_bits;  /* of a transfer's length: 26 */
  uint32_t address_bits; /* 32 */
  uint32_t queue;        /* mSGDMA's descriptors: AXM_PAIR_MSGDMA_QUEUE */
  bool aligned;          /* no realignment was built in */
  uint32_t line_bytes;   /* of the processor's caches: 32 */
  uint32_t slot_bytes;   /* of a mailbox: 65535 */
  /* Memory of a mailbox: for the engine, for the processor, bytes (262144). Where it is at 0, it is
   * taken from the target's DMA memory, in which a processor must reach words as registers. */
  uint64_t memory, words, memory_bytes;
};

struct axm_pair {
  struct axm_engine *send, *receive; /* NULL where there is none */
  struct axm_engine *copy;           /* of an engine that copies */
  union {
    struct axm_own_engine own[2];
    struct {
      struct axm_axi_dma dma;
      struct axm_axi_half half[2];
    } axi;
    struct axm_msgdma msgdma[2];
    struct axm_traffic_gen generator;
    struct {
      struct axm_pl330 controller;
      struct axm_copy_pl330 copy;
    } pl330;
  } state;
  struct axm_mailbox box;
};

/* AXM_ERROR_UNKNOWN for a name that is none; those of the engines' open. */
enum axm_status axm_pair_open(struct axm_pair *pair, const struct axm_pair_spec *spec) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
