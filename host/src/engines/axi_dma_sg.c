/* AXI DMA and CDMA with descriptors: PG021 "Scatter/Gather Mode", PG034 "Scatter Gather".
 *
 * The descriptors are a ring, each with 64 bytes and so with cache lines of its own. A descriptor
 * is written whole and cleaned when its transfer is submitted, with a status of 0: the engine must
 * not find one that is marked as completed. Afterwards only the engine writes it, its status word.
 */
#include <string.h>

#include "engines/axi_dma.h"
#include "engines/axi_dma_registers.h"
#include "engines/queue.h"
#include "registers.h"

static uint64_t offset_of(const struct axm_axi_half *half, uint32_t n) {
  return (uint64_t)(n % half->entries) * AXI_DMA_DESCRIPTOR_BYTES;
}

static uint64_t address_of(const struct axm_axi_half *half, uint32_t n) {
  return half->ring.bus_address + offset_of(half, n);
}

static enum axm_status release(struct axm_axi_half *half) {
  const struct axm_hal *hal = half->engine.hal;
  return hal->release(hal->self, &half->ring);
}

/* Where the engine begins, and that it runs. A CDMA takes a first descriptor when its mode begins.
 */
static enum axm_status run(struct axm_axi_half *half) {
  const bool central = half->dma->central;
  AXM_TRY(axm_axi_write(half, AXI_DMA_CONTROL, half->control));
  half->control |= central ? AXI_CDMA_SG_MODE : 0;
  if (central)
    AXM_TRY(axm_axi_write(half, AXI_DMA_CONTROL, half->control));
  AXM_TRY(axm_axi_write_address(half, AXI_DMA_CURRENT, address_of(half, 0)));
  half->control |= central ? 0 : AXI_DMA_RUN;
  return central ? AXM_OK : axm_axi_write(half, AXI_DMA_CONTROL, half->control);
}

static enum axm_status sg_start(struct axm_engine *engine, const struct axm_engine_config *config) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  const struct axm_hal *hal = engine->hal;
  AXM_TRY(axm_axi_start(engine, config));
  half->entries = config->queue + 1; /* so that the tail always moves */
  half->next = 0;
  half->inside = false;
  AXM_TRY(hal->alloc(hal->self, (uint64_t)half->entries * AXI_DMA_DESCRIPTOR_BYTES,
                     AXI_DMA_DESCRIPTOR_BYTES, AXM_ANY_ADDRESS, &half->ring));
  if (!axm_reaches(half->dma->address_bits, half->ring.bus_address, half->ring.size)) {
    AXM_TRY(release(half));
    return AXM_ERROR_MEMORY;
  }
  const enum axm_status status = run(half);
  if (status != AXM_OK)
    (void)!release(half);
  return status;
}

static uint32_t control_of(struct axm_axi_half *half, const struct axm_engine_transfer *transfer) {
  uint32_t word = transfer->bytes;
  if (half->engine.direction != AXM_ENGINE_SEND)
    return word;
  word |= (half->inside ? 0 : AXI_DMA_FIRST) | (transfer->last ? AXI_DMA_LAST : 0);
  half->inside = !transfer->last;
  return word;
}

static enum axm_status sg_submit(struct axm_engine *engine,
                                 const struct axm_engine_transfer *transfer) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  const struct axm_hal *hal = engine->hal;
  if (half->queue.count + 1 >= half->entries)
    return AXM_ERROR_FULL;
  AXM_TRY(axm_queue_put(engine, &half->queue, transfer));
  const bool copies = engine->direction == AXM_ENGINE_COPY;
  const uint64_t next = address_of(half, half->next + 1);
  const uint64_t address = copies ? transfer->source : transfer->address;
  const uint64_t to = copies ? transfer->address : 0;
  const uint32_t words[AXI_DMA_WORDS] = {
      [AXI_DMA_WORD_NEXT] = (uint32_t)next,
      [AXI_DMA_WORD_NEXT + 1] = (uint32_t)(next >> 32),
      [AXI_DMA_WORD_ADDRESS] = (uint32_t)address,
      [AXI_DMA_WORD_ADDRESS + 1] = (uint32_t)(address >> 32),
      [AXI_CDMA_WORD_TO] = (uint32_t)to,
      [AXI_CDMA_WORD_TO + 1] = (uint32_t)(to >> 32),
      [AXI_DMA_WORD_CONTROL] = control_of(half, transfer),
  };
  const uint64_t offset = offset_of(half, half->next);
  memcpy((unsigned char *)half->ring.memory + (size_t)offset, words, sizeof words);
  if (!half->coherent)
    AXM_TRY(hal->clean(hal->self, &half->ring, offset, AXI_DMA_DESCRIPTOR_BYTES));
  half->next = (half->next + 1) % half->entries;
  return AXM_OK;
}

/* The tail is the last descriptor that was written: writing it starts or prolongs the chain. */
static enum axm_status sg_give(struct axm_engine *engine) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  if (half->queue.given == half->queue.count)
    return AXM_OK;
  engine->hal->barrier(engine->hal->self);
  half->queue.given = half->queue.count;
  return axm_axi_write_address(half, AXI_DMA_TAIL,
                               address_of(half, half->next + half->entries - 1));
}

static struct axm_engine_done ended(const struct axm_axi_half *half, uint32_t word) {
  struct axm_engine_done done = {
      .cause = AXM_ENGINE_OK,
      .code = word & (AXI_DMA_ENDED_DECODE | AXI_DMA_ENDED_SLAVE | AXI_DMA_ENDED_INTERNAL),
      .bytes = word & AXI_DMA_BYTES,
      .last = (word & AXI_DMA_LAST) != 0,
  };
  if (half->dma->central) /* it has no count in its status */
    done.bytes = half->queue.entry[half->queue.oldest].bytes;
  if (done.code != 0)
    done.cause = (word & AXI_DMA_ENDED_DECODE) != 0  ? AXM_ENGINE_DECODE
                 : (word & AXI_DMA_ENDED_SLAVE) != 0 ? AXM_ENGINE_SLAVE
                                                     : AXM_ENGINE_OTHER;
  return done;
}

/* The status word of the oldest descriptor. */
static enum axm_status look(const struct axm_axi_half *half, uint32_t *word) {
  const struct axm_hal *hal = half->engine.hal;
  const uint64_t offset = offset_of(half, half->next + half->entries - half->queue.count);
  if (!half->coherent)
    AXM_TRY(hal->invalidate(hal->self, &half->ring, offset, AXI_DMA_DESCRIPTOR_BYTES));
  const void *descriptor = (unsigned char *)half->ring.memory + (size_t)offset;
  *word = ((const volatile uint32_t *)descriptor)[AXI_DMA_WORD_STATUS];
  return AXM_OK;
}

static enum axm_status sg_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  if (half->queue.given == 0)
    return AXM_ERROR_EMPTY;
  uint32_t word = 0;
  uint32_t status = 0;
  AXM_TRY(look(half, &word));
  if ((word & AXI_DMA_COMPLETED) == 0) {
    AXM_TRY(axm_axi_read(half, AXI_DMA_STATUS, &status));
    if ((status & AXI_DMA_ERRORS) == 0)
      return AXM_ERROR_EMPTY;
    AXM_TRY(look(half, &word)); /* it may have ended just before another failed */
  }
  *done = (word & AXI_DMA_COMPLETED) != 0 ? ended(half, word) : axm_axi_failed(status);
  return axm_queue_end(&half->queue, done);
}

static enum axm_status sg_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  AXM_TRY(axm_axi_halt(engine, timeout_ns));
  half->queue.count = half->queue.given = 0;
  return release(half);
}

static enum axm_status sg_interrupt_take(struct axm_engine *engine) {
  return axm_axi_write(axm_axi_half_of(engine), AXI_DMA_STATUS, AXI_DMA_IRQS);
}

const struct axm_engine_ops axm_axi_sg_ops = {
    .name = "axi-dma-sg",
    .start = sg_start,
    .submit = sg_submit,
    .give = sg_give,
    .poll = sg_poll,
    .stop = sg_stop,
    .interrupt_enable = axm_axi_interrupt_enable,
    .interrupt_take = sg_interrupt_take,
};
