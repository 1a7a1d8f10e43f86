/* AXI DMA and CDMA without descriptors: PG021 "Direct Register Mode", PG034 "Simple DMA Transfer".
 *
 * The status register's interrupt bit says that a transfer has ended, whether interrupts are
 * switched on or not. It is cleared before the next begins, which poll does.
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

/* Begins the oldest transfer, if none is in hand. */
static enum axm_status simple_give(struct axm_engine *engine) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  if (half->queue.given != 0 || half->queue.count == 0)
    return AXM_OK;
  const struct axm_engine_transfer *transfer = axm_queue_at(&half->queue, 0);
  const bool copies = engine->direction == AXM_ENGINE_COPY;
  AXM_TRY(axm_axi_write(half, AXI_DMA_STATUS, AXI_DMA_IRQ_DONE));
  AXM_TRY(
      axm_axi_write_address(half, AXI_DMA_ADDRESS, copies ? transfer->source : transfer->address));
  if (copies)
    AXM_TRY(axm_axi_write_address(half, AXI_CDMA_TO, transfer->address));
  half->done = false;
  half->queue.given = 1;
  engine->hal->barrier(engine->hal->self);
  return axm_axi_write(half, AXI_DMA_LENGTH, transfer->bytes);
}

static enum axm_status simple_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  if (half->queue.given == 0)
    return AXM_ERROR_EMPTY;
  uint32_t status = 0;
  AXM_TRY(axm_axi_read(half, AXI_DMA_STATUS, &status));
  if ((status & AXI_DMA_ERRORS) != 0) {
    *done = axm_axi_failed(status);
    /* PG021: "or if the incoming packet is bigger than what is specified" */
    if (engine->direction == AXM_ENGINE_RECEIVE && done->code == AXI_DMA_INTERNAL)
      done->cause = AXM_ENGINE_TOO_LONG;
    return axm_queue_end(&half->queue, done);
  }
  if ((status & AXI_DMA_IRQ_DONE) == 0 && !half->done)
    return AXM_ERROR_EMPTY;
  uint32_t bytes = axm_queue_at(&half->queue, 0)->bytes;
  /* PG021 "S2MM_LENGTH": then it holds the bytes that were written. */
  if (engine->direction == AXM_ENGINE_RECEIVE)
    AXM_TRY(axm_axi_read(half, AXI_DMA_LENGTH, &bytes));
  *done = (struct axm_engine_done){.cause = AXM_ENGINE_OK, .bytes = bytes, .last = true};
  AXM_TRY(axm_queue_end(&half->queue, done));
  return simple_give(engine);
}

static enum axm_status simple_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  AXM_TRY(axm_axi_halt(engine, timeout_ns));
  axm_axi_half_of(engine)->queue.count = axm_axi_half_of(engine)->queue.given = 0;
  return AXM_OK;
}

static enum axm_status simple_interrupt_take(struct axm_engine *engine) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  uint32_t status = 0;
  AXM_TRY(axm_axi_read(half, AXI_DMA_STATUS, &status));
  if ((status & AXI_DMA_IRQ_DONE) != 0 && half->queue.given != 0)
    half->done = true;
  const uint32_t causes = status & AXI_DMA_IRQS;
  return causes != 0 ? axm_axi_write(half, AXI_DMA_STATUS, causes) : AXM_OK;
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
