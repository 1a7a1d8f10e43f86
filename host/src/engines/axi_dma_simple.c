/* AXI DMA and CDMA without descriptors: PG021 "Direct Register Mode", PG034 "Simple DMA Transfer".
 *
 * The status register's interrupt bit shows that a transfer has ended, whether interrupts are
 * switched on or not. It is cleared when that was seen, before the next begins.
 */
#include "engines/axi_dma.h"
#include "engines/axi_dma_registers.h"
#include "engines/queue.h"
#include "registers.h"

static enum axm_status simple_start(struct axm_engine *engine,
                                    const struct axm_engine_config *config) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  AXM_TRY(axm_axi_start(engine, config));
  if (!half->dma->central)
    half->control |= AXI_DMA_RUN;
  return axm_axi_write(half, AXI_DMA_CONTROL, half->control);
}

static enum axm_status simple_submit(struct axm_engine *engine,
                                     const struct axm_engine_transfer *transfer) {
  if (engine->direction == AXM_ENGINE_SEND && !transfer->last)
    return AXM_ERROR_UNSUPPORTED; /* each transfer ends a packet */
  return axm_queue_put(engine, &axm_axi_half_of(engine)->queue, transfer);
}

/* Begins the next transfer, if none is in hand. */
static enum axm_status begin(struct axm_axi_half *half) {
  const struct axm_hal *hal = half->engine.hal;
  if (half->queue.given != half->ended || half->queue.given == half->queue.count ||
      half->fault.cause != AXM_ENGINE_OK)
    return AXM_OK;
  const struct axm_engine_transfer *one = axm_queue_at(&half->queue, half->queue.given);
  const bool copies = half->dma->central;
  AXM_TRY(axm_axi_write_address(half, AXI_DMA_ADDRESS, copies ? one->source : one->address));
  if (copies)
    AXM_TRY(axm_axi_write_address(half, AXI_CDMA_TO, one->address));
  ++half->queue.given;
  hal->barrier(hal->self);
  return axm_axi_write(half, AXI_DMA_LENGTH, one->bytes);
}

/* Sees whether the transfer in hand has ended, and goes on. */
static enum axm_status work(struct axm_axi_half *half) {
  const bool receives = half->engine.direction == AXM_ENGINE_RECEIVE;
  if (half->queue.given == half->ended || half->fault.cause != AXM_ENGINE_OK)
    return begin(half);
  struct axm_engine_transfer *one = axm_queue_at(&half->queue, half->ended);
  uint32_t status = 0;
  AXM_TRY(axm_axi_read(half, AXI_DMA_STATUS, &status));
  if ((status & AXI_DMA_ERRORS) != 0) {
    half->fault = axm_axi_failed(status);
    /* PG021: "or if the incoming packet is bigger than what is specified" */
    if (receives && half->fault.code == AXI_DMA_INTERNAL)
      half->fault.cause = AXM_ENGINE_TOO_LONG;
    return AXM_OK;
  }
  if ((status & AXI_DMA_IRQ_DONE) == 0)
    return AXM_OK;
  if (receives) { /* PG021 "S2MM_LENGTH": then it holds the bytes that were written */
    uint32_t bytes = 0;
    AXM_TRY(axm_axi_read(half, AXI_DMA_LENGTH, &bytes));
    if (bytes == 0 || bytes > one->bytes)
      return AXM_ERROR_STATE;
    one->bytes = bytes;
  }
  ++half->ended;
  AXM_TRY(axm_axi_write(half, AXI_DMA_STATUS, AXI_DMA_IRQ_DONE));
  return begin(half);
}

static enum axm_status simple_give(struct axm_engine *engine) {
  return begin(axm_axi_half_of(engine));
}

static enum axm_status simple_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  struct axm_axi_half *other = half->dma->running[engine->direction != AXM_ENGINE_RECEIVE];
  if (half->ended == 0) {
    AXM_TRY(work(half));
    if (other != NULL)
      AXM_TRY(work(other));
  }
  if (half->ended > 0) {
    *done = (struct axm_engine_done){.bytes = axm_queue_at(&half->queue, 0)->bytes, .last = true};
    --half->ended;
  } else if (half->fault.cause != AXM_ENGINE_OK) {
    *done = half->fault;
  } else {
    return AXM_ERROR_EMPTY;
  }
  return axm_queue_end(&half->queue, done);
}

static enum axm_status simple_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  AXM_TRY(axm_axi_halt(engine, timeout_ns));
  half->queue.count = half->queue.given = half->ended = 0;
  return AXM_OK;
}

/* Seeing an end takes its cause away. With nothing in hand there is none, but an access to be made:
 * see wait_irq of hal.h. */
static enum axm_status simple_interrupt_take(struct axm_engine *engine) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  if (half->queue.given == half->ended)
    return axm_axi_write(half, AXI_DMA_STATUS, AXI_DMA_IRQ_DONE);
  return work(half);
}

const struct axm_engine_ops axm_axi_simple_ops = {
    .name = "axi-dma",
    .start = simple_start,
    .submit = simple_submit,
    .give = simple_give,
    .poll = simple_poll,
    .stop = simple_stop,
    .interrupt_enable = axm_axi_interrupt_enable,
    .interrupt_take = simple_interrupt_take,
};
