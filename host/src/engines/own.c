/* This project's engine behind axm/engine.h: see axm/engines/own.h. */
#include "axm/engines/own.h"

#include "engines/queue.h"
#include "registers.h"

enum { BURST_BEATS = 16, CACHE_USUAL = 0x3, CLOCKS_TO_JOIN = 1024 };

static struct axm_own_engine *of(struct axm_engine *engine) {
  return (struct axm_own_engine *)engine;
}

static enum axm_engine_cause cause_of(enum axm_dma_cause cause) {
  switch (cause) {
  case AXM_DMA_OK:
    return AXM_ENGINE_OK;
  case AXM_DMA_SLVERR:
    return AXM_ENGINE_SLAVE;
  case AXM_DMA_DECERR:
    return AXM_ENGINE_DECODE;
  case AXM_DMA_BAD_COMMAND:
    return AXM_ENGINE_COMMAND;
  case AXM_DMA_TIMEOUT_ADDRESS:
  case AXM_DMA_TIMEOUT_DATA:
  case AXM_DMA_TIMEOUT_RESPONSE:
    return AXM_ENGINE_TIMEOUT;
  case AXM_DMA_ABORTED:
    return AXM_ENGINE_ABORTED;
  default:
    return AXM_ENGINE_OTHER;
  }
}

static enum axm_status configure(struct axm_own_engine *own,
                                 const struct axm_engine_config *config) {
  const struct axm_coherency *seen = &own->engine.hal->coherency;
  const uint32_t cache = seen->cache != 0 ? seen->cache : AXM_CACHE_ALLOCATES;
  struct axm_dma_caps caps;
  axm_dma_describe(&own->dma, &caps);
  const struct axm_dma_config bus = {
      .burst_beats = config->burst_beats != 0 ? config->burst_beats : BURST_BEATS,
      .outstanding = config->outstanding != 0 ? config->outstanding : caps.outstanding,
      .cache = config->coherent ? cache : CACHE_USUAL,
      .prot = config->coherent ? seen->prot : 0,
  };
  if (caps.copy)
    AXM_TRY(axm_dma_configure(&own->dma, AXM_DMA_READ, &bus));
  return axm_dma_configure(&own->dma, own->half, &bus);
}

/* Drops completions that have no reader. */
static enum axm_status drain(struct axm_own_engine *own) {
  struct axm_dma_done done;
  enum axm_status status = AXM_OK;
  for (uint32_t n = 0; n <= own->engine.limits.queue && status == AXM_OK; ++n)
    status = axm_dma_poll(&own->dma, own->half, &done);
  return status == AXM_ERROR_EMPTY ? AXM_OK : status == AXM_OK ? AXM_ERROR_STATE : status;
}

static enum axm_status start_ring(struct axm_own_engine *own,
                                  const struct axm_engine_config *config) {
  const struct axm_hal *hal = own->engine.hal;
  if (!config->coherent && own->line_bytes > AXM_DMA_DESCRIPTOR_BYTES)
    return AXM_ERROR_UNSUPPORTED;
  uint64_t bytes = 2 * AXM_DMA_DESCRIPTOR_BYTES;
  while (bytes < (uint64_t)config->queue * AXM_DMA_DESCRIPTOR_BYTES)
    bytes *= 2;
  struct axm_memory memory;
  AXM_TRY(hal->alloc(hal->self, bytes, bytes, AXM_ANY_ADDRESS, &memory));
  const enum axm_status status = axm_dma_ring_open(&own->ring, &own->dma, own->half, &memory);
  if (status != AXM_OK)
    (void)!hal->release(hal->self, &memory);
  return status;
}

static enum axm_status own_start(struct axm_engine *engine,
                                 const struct axm_engine_config *config) {
  struct axm_own_engine *own = of(engine);
  AXM_TRY(axm_engine_begins(engine, config));
  own->queue.oldest = own->queue.count = own->queue.given = 0;
  AXM_TRY(configure(own, config));
  AXM_TRY(axm_dma_coalesce(&own->dma, config->coalesce > 1 ? config->coalesce : 1,
                           config->coalesce > 1 ? CLOCKS_TO_JOIN : 0));
  return own->rings ? start_ring(own, config) : drain(own);
}

static enum axm_status own_submit(struct axm_engine *engine,
                                  const struct axm_engine_transfer *transfer) {
  struct axm_own_engine *own = of(engine);
  const struct axm_dma_transfer given = {
      .address = transfer->address,
      .source = transfer->source,
      .bytes = transfer->bytes,
      .last = transfer->last,
  };
  AXM_TRY(axm_queue_put(engine, &own->queue, transfer));
  const enum axm_status status = own->rings ? axm_dma_ring_push(&own->ring, &given, false)
                                            : axm_dma_submit(&own->dma, own->half, &given);
  if (status != AXM_OK)
    --own->queue.count;
  else if (!own->rings)
    ++own->queue.given;
  return status;
}

static enum axm_status own_give(struct axm_engine *engine) {
  struct axm_own_engine *own = of(engine);
  if (own->queue.given == own->queue.count)
    return AXM_OK;
  AXM_TRY(axm_dma_ring_give(&own->ring));
  own->queue.given = own->queue.count;
  return AXM_OK;
}

static enum axm_status own_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_own_engine *own = of(engine);
  struct axm_dma_done found = {0};
  const enum axm_status status = own->rings ? axm_dma_ring_take(&own->ring, &found)
                                            : axm_dma_poll(&own->dma, own->half, &found);
  /* A ring that stopped: its oldest descriptor was not read or written. */
  const bool stopped = own->rings && status == AXM_ERROR_FAULT;
  if (status != AXM_OK && !stopped)
    return status;
  *done = (struct axm_engine_done){
      .cause = stopped ? AXM_ENGINE_DESCRIPTOR : cause_of(found.cause),
      .code = (uint32_t)found.cause,
      .bytes = found.bytes,
      .last = found.packet_end,
  };
  return axm_queue_end(&own->queue, done);
}

static enum axm_status own_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_own_engine *own = of(engine);
  own->queue.count = own->queue.given = 0;
  if (own->rings) {
    AXM_TRY(axm_dma_ring_close(&own->ring, timeout_ns));
    return engine->hal->release(engine->hal->self, &own->ring.memory);
  }
  AXM_TRY(axm_dma_abort(&own->dma, own->half, timeout_ns));
  return drain(own);
}

static enum axm_status own_interrupt_enable(struct axm_engine *engine, bool on) {
  return axm_dma_interrupt_switch(&of(engine)->dma, on, on);
}

static enum axm_status own_interrupt_take(struct axm_engine *engine) {
  bool done = false;
  bool fault = false;
  return axm_dma_interrupts_take(&of(engine)->dma, &done, &fault);
}

static enum axm_status open(struct axm_own_engine *own, const struct axm_dma *dma,
                            enum axm_engine_direction direction, const struct axm_engine_ops *ops) {
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  const bool copies = direction == AXM_ENGINE_COPY;
  const bool sends = direction == AXM_ENGINE_SEND;
  if (copies != caps.copy || (sends ? !caps.has_read : !caps.has_write) ||
      (copies && !caps.has_read))
    return AXM_ERROR_UNSUPPORTED;
  const uint32_t align = caps.unaligned ? 1 : caps.width_bits / 8;
  *own = (struct axm_own_engine){
      .engine = {.ops = ops,
                 .hal = dma->block.hal,
                 .direction = direction,
                 .limits = {.queue = caps.queue < AXM_ENGINE_QUEUE ? caps.queue : AXM_ENGINE_QUEUE,
                            .bytes = UINT32_MAX,
                            .address_bits = caps.address_bits,
                            .address_align = align,
                            .length_align = align,
                            .lengths = true,
                            .ends = true,
                            .interrupt = true,
                            .at_once = true}},
      .dma = *dma,
      .half = sends ? AXM_DMA_READ : AXM_DMA_WRITE,
  };
  return own->engine.limits.queue == 0 || caps.address_bits == 0 ? AXM_ERROR_UNSUPPORTED : AXM_OK;
}

#define OPS(called)                                                                                \
  {                                                                                                \
      .name = called,                                                                              \
      .start = own_start,                                                                          \
      .submit = own_submit,                                                                        \
      .give = own_give,                                                                            \
      .poll = own_poll,                                                                            \
      .stop = own_stop,                                                                            \
      .interrupt_enable = own_interrupt_enable,                                                    \
      .interrupt_take = own_interrupt_take,                                                        \
  }

enum axm_status axm_own_engine_open(struct axm_own_engine *own, const struct axm_dma *dma,
                                    enum axm_engine_direction direction) {
  static const struct axm_engine_ops ops = OPS("axm");
  return open(own, dma, direction, &ops);
}

enum axm_status axm_own_ring_open(struct axm_own_engine *own, const struct axm_dma *dma,
                                  enum axm_engine_direction direction, uint32_t line_bytes) {
  static const struct axm_engine_ops ops = OPS("axm-ring");
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  if (!caps.rings)
    return AXM_ERROR_UNSUPPORTED;
  AXM_TRY(open(own, dma, direction, &ops));
  own->rings = true;
  own->engine.limits.at_once = false;
  own->line_bytes = line_bytes;
  own->engine.limits.queue = AXM_ENGINE_QUEUE;
  return AXM_OK;
}
