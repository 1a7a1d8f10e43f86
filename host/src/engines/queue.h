/* The transfers that a back end has: see struct axm_engine_queue in axm/engine.h. */
#ifndef AXM_ENGINES_QUEUE_H
#define AXM_ENGINES_QUEUE_H

#include "axm/engine.h"

/* The transfer `n` after the oldest. */
static inline struct axm_engine_transfer *axm_queue_at(struct axm_engine_queue *queue, uint32_t n) {
  return &queue->entry[(queue->oldest + n) % AXM_ENGINE_QUEUE];
}

/* Puts a transfer behind the others, within the engine's limits; not yet given. */
static inline enum axm_status axm_queue_put(const struct axm_engine *engine,
                                            struct axm_engine_queue *queue,
                                            const struct axm_engine_transfer *transfer) {
  const enum axm_status status = axm_engine_check(engine, transfer);
  if (status != AXM_OK)
    return status;
  if (queue->count >= engine->limits.queue || queue->count >= AXM_ENGINE_QUEUE)
    return AXM_ERROR_FULL;
  *axm_queue_at(queue, queue->count) = *transfer;
  ++queue->count;
  return AXM_OK;
}

/* Takes out the oldest, which the hardware has: AXM_ERROR_STATE if it has none, or reports more
 * bytes than the transfer has. */
static inline enum axm_status axm_queue_end(struct axm_engine_queue *queue,
                                            const struct axm_engine_done *done) {
  if (queue->given == 0 || done->bytes > queue->entry[queue->oldest].bytes)
    return AXM_ERROR_STATE;
  queue->oldest = (queue->oldest + 1) % AXM_ENGINE_QUEUE;
  --queue->count;
  --queue->given;
  return AXM_OK;
}

#endif
