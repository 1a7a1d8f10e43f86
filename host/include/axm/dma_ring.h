/* A ring of descriptors of a DMA engine's half: many transfers in memory, given by one register
 * write. While a ring is on, the half takes no transfers from axm_dma_submit.
 *
 * Limit: the engine writes into the descriptors, 32 bytes each. Where a cache line is longer and
 * the memory is cached, the ring must be in memory that is coherent or not cached.
 */
#ifndef AXM_DMA_RING_H
#define AXM_DMA_RING_H

#include <stdint.h>

#include "axm/dma.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AXM_DMA_DESCRIPTOR_BYTES = 32 };

struct axm_dma_ring {
  struct axm_dma dma;
  enum axm_dma_half half;
  struct axm_memory memory;
  uint32_t entries;
  uint16_t written; /* descriptors written, ever, modulo 65536 */
  uint16_t taken;   /* completions taken */
  uint16_t head;    /* descriptors done, as last read */
};

/* Switches the ring on; its memory is 2 to 32768 descriptors, a power of two, aligned to its
 * size. AXM_ERROR_BUSY if the half is at work, or with a ring that was not closed: close it first.
 */
enum axm_status axm_dma_ring_open(struct axm_dma_ring *ring, const struct axm_dma *dma,
                                  enum axm_dma_half half,
                                  const struct axm_memory *memory) AXM_CHECKED;
/* Writes a descriptor; the engine sees it at the next give. `quiet`: no interrupt for it.
 * AXM_ERROR_FULL if all are in use, AXM_ERROR_RANGE beyond the engine's addresses. */
enum axm_status axm_dma_ring_push(struct axm_dma_ring *ring,
                                  const struct axm_dma_transfer *transfer, bool quiet) AXM_CHECKED;
/* The register write that gives all written descriptors to the engine, or just makes it. */
void axm_dma_ring_start(const struct axm_dma_ring *ring, struct axm_start *start);
enum axm_status axm_dma_ring_give(const struct axm_dma_ring *ring) AXM_CHECKED;
/* The oldest completion: AXM_ERROR_EMPTY without one, AXM_ERROR_FAULT if the ring stopped because a
 * descriptor could not be read or written (*done has the cause), AXM_ERROR_STATE if the engine
 * reports more than was submitted, or did not write a completion to its place. */
enum axm_status axm_dma_ring_take(struct axm_dma_ring *ring, struct axm_dma_done *done) AXM_CHECKED;
/* Aborts what is under way and switches the ring off. Only after AXM_OK does the
 * engine no longer access descriptors and buffers: after AXM_ERROR_TIMEOUT or AXM_ERROR_BUSY keep
 * them, and close again. */
enum axm_status axm_dma_ring_close(struct axm_dma_ring *ring, uint64_t timeout_ns) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
