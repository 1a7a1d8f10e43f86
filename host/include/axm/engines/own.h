/* This project's DMA engine (axm/dma.h) as an engine: transfers by its command registers, or by a
 * ring of descriptors in memory (axm/dma_ring.h), which takes one register write for many.
 *
 * A packet that is longer than its buffer arrives in parts, the last of them marked. Both halves
 * share the interrupt's switch and its causes.
 *
 * Limit of the ring: descriptors have 32 bytes. Where the processor's cache lines are longer (a
 * Cortex-A53's), the memory must be coherent or not cached; `line_bytes` is their length.
 */
#ifndef AXM_ENGINES_OWN_H
#define AXM_ENGINES_OWN_H

#include "axm/dma_ring.h"
#include "axm/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_own_engine {
  struct axm_engine engine;
  struct axm_dma dma;
  enum axm_dma_half half;
  bool rings;
  uint32_t line_bytes;
  struct axm_dma_ring ring;
  struct axm_engine_queue queue;
};

/* Copy: the engine was built to copy. AXM_ERROR_UNSUPPORTED if it has no such half or no rings. */
enum axm_status axm_own_engine_open(struct axm_own_engine *own, const struct axm_dma *dma,
                                    enum axm_engine_direction direction) AXM_CHECKED;
enum axm_status axm_own_ring_open(struct axm_own_engine *own, const struct axm_dma *dma,
                                  enum axm_engine_direction direction,
                                  uint32_t line_bytes) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
