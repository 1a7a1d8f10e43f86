/* AXI DMA and CDMA: begin, end, errors. See axm/engines/axi_dma.h. */
#include "engines/axi_dma.h"

#include "engines/axi_dma_registers.h"
#include "registers.h"

enum {
  DELAY_TO_JOIN = 8, /* of 125 clocks: PG021 "IRQDelay" */
  POLL_NS = 1000,
  HALT_NS = 100000, /* for what is under way, where a reset ends what does not */
  RESET_NS = 10000000,
};

enum axm_status axm_axi_read(const struct axm_axi_half *half, uint32_t at, uint32_t *value) {
  const struct axm_hal *hal = half->engine.hal;
  return hal->read32(hal->self, half->base + at, value);
}

enum axm_status axm_axi_write(const struct axm_axi_half *half, uint32_t at, uint32_t value) {
  const struct axm_hal *hal = half->engine.hal;
  return hal->write32(hal->self, half->base + at, value);
}

enum axm_status axm_axi_write_address(const struct axm_axi_half *half, uint32_t at,
                                      uint64_t address) {
  AXM_TRY(axm_axi_write(half, at, (uint32_t)address));
  return half->dma->address_bits > 32 ? axm_axi_write(half, at + 4, (uint32_t)(address >> 32))
                                      : AXM_OK;
}

struct axm_engine_done axm_axi_failed(uint32_t status) {
  struct axm_engine_done done = {.cause = AXM_ENGINE_OTHER, .code = status & AXI_DMA_ERRORS};
  if ((status & (AXI_DMA_SG_INTERNAL | AXI_DMA_SG_SLAVE | AXI_DMA_SG_DECODE)) != 0)
    done.cause = AXM_ENGINE_DESCRIPTOR;
  else if ((status & AXI_DMA_DECODE) != 0)
    done.cause = AXM_ENGINE_DECODE;
  else if ((status & AXI_DMA_SLAVE) != 0)
    done.cause = AXM_ENGINE_SLAVE;
  return done;
}

/* Resets both halves, and waits until that is done. */
static enum axm_status reset(const struct axm_axi_half *half, uint64_t timeout_ns) {
  const struct axm_hal *hal = half->engine.hal;
  const uint64_t begin = hal->now_ns(hal->self);
  AXM_TRY(axm_axi_write(half, AXI_DMA_CONTROL, AXI_DMA_RESET));
  for (;;) {
    uint32_t control = 0;
    AXM_TRY(axm_axi_read(half, AXI_DMA_CONTROL, &control));
    if ((control & AXI_DMA_RESET) == 0)
      return AXM_OK;
    if (hal->now_ns(hal->self) - begin >= timeout_ns)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, POLL_NS);
  }
}

/* At rest: halted, and without an error that only a reset clears. CDMA has no halt; idle is it. */
static enum axm_status at_rest(const struct axm_axi_half *half, bool *rests) {
  uint32_t status = 0;
  AXM_TRY(axm_axi_read(half, AXI_DMA_STATUS, &status));
  *rests = (status & (half->dma->central ? AXI_DMA_IDLE : AXI_DMA_HALTED)) != 0 &&
           (status & AXI_DMA_ERRORS) == 0;
  return AXM_OK;
}

enum axm_status axm_axi_start(struct axm_engine *engine, const struct axm_engine_config *config) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  AXM_TRY(axm_engine_begins(engine, config));
  const int own = engine->direction == AXM_ENGINE_RECEIVE;
  bool rests = false;
  AXM_TRY(at_rest(half, &rests));
  if (!rests && half->dma->running[1 - own] != NULL)
    return AXM_ERROR_BUSY;
  if (!rests) /* as another program left it */
    AXM_TRY(reset(half, RESET_NS));
  half->queue.oldest = half->queue.count = half->queue.given = 0;
  half->ended = 0;
  half->fault = (struct axm_engine_done){.cause = AXM_ENGINE_OK};
  AXM_TRY(axm_axi_write(half, AXI_DMA_STATUS, AXI_DMA_IRQS));
  const uint32_t many = config->coalesce <= 1                       ? 1
                        : config->coalesce < AXI_DMA_THRESHOLD_MOST ? config->coalesce
                                                                    : AXI_DMA_THRESHOLD_MOST;
  half->control = many << AXI_DMA_THRESHOLD_SHIFT;
  if (many > 1) /* what stays below the threshold is raised by its age */
    half->control |= (uint32_t)DELAY_TO_JOIN << AXI_DMA_DELAY_SHIFT;
  half->coherent = config->coherent;
  half->dma->running[own] = half;
  return AXM_OK;
}

enum axm_status axm_axi_halt(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  const struct axm_hal *hal = engine->hal;
  const int own = engine->direction == AXM_ENGINE_RECEIVE;
  const bool alone = half->dma->running[1 - own] == NULL;
  const uint64_t patience = alone && timeout_ns > HALT_NS ? HALT_NS : timeout_ns;
  half->dma->running[own] = NULL;
  half->control &= ~(AXI_DMA_RUN | AXI_DMA_IRQS);
  AXM_TRY(axm_axi_write(half, AXI_DMA_CONTROL, half->control));
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    bool rests = false;
    AXM_TRY(at_rest(half, &rests));
    if (rests)
      return AXM_OK;
    if (hal->now_ns(hal->self) - begin >= patience)
      return alone ? reset(half, timeout_ns) : AXM_ERROR_BUSY;
    hal->idle_ns(hal->self, POLL_NS);
  }
}

enum axm_status axm_axi_interrupt_enable(struct axm_engine *engine, bool on) {
  struct axm_axi_half *half = axm_axi_half_of(engine);
  half->control &= ~AXI_DMA_IRQS;
  if (on)
    half->control |= half->entries != 0 ? AXI_DMA_IRQS : AXI_DMA_IRQ_DONE | AXI_DMA_IRQ_ERROR;
  return axm_axi_write(half, AXI_DMA_CONTROL, half->control);
}

static bool can_be(const struct axm_axi_dma *dma, enum axm_engine_direction direction) {
  const uint32_t bytes = dma->data_bytes;
  return (direction == AXM_ENGINE_COPY) == dma->central && dma->length_bits >= 8 &&
         dma->length_bits <= 26 && dma->address_bits >= 32 && dma->address_bits <= 64 &&
         bytes >= 4 && bytes <= 128 && (bytes & (bytes - 1)) == 0;
}

enum axm_status axm_axi_dma_open(struct axm_axi_half *half, struct axm_axi_dma *dma,
                                 enum axm_engine_direction direction) {
  if (!can_be(dma, direction))
    return AXM_ERROR_ARGUMENT;
  const bool receives = direction == AXM_ENGINE_RECEIVE;
  *half = (struct axm_axi_half){
      .engine = {.ops = dma->scatter_gather ? &axm_axi_sg_ops : &axm_axi_simple_ops,
                 .hal = dma->hal,
                 .direction = direction,
                 .limits = {.queue = AXM_ENGINE_QUEUE,
                            .bytes = (UINT32_C(1) << dma->length_bits) - 1,
                            .address_bits = dma->address_bits,
                            .address_align = dma->unaligned ? 1 : dma->data_bytes,
                            .length_align = 1,
                            .lengths = true,
                            .ends = true,
                            .interrupt = true}},
      .dma = dma,
      .base = dma->base + (receives ? AXI_DMA_S2MM : 0),
  };
  uint32_t status = 0;
  AXM_TRY(axm_axi_read(half, AXI_DMA_STATUS, &status));
  /* A CDMA with scatter-gather can be used without it. */
  const bool included = (status & AXI_DMA_SG_INCLUDED) != 0;
  return included == dma->scatter_gather || (dma->central && included) ? AXM_OK
                                                                       : AXM_ERROR_UNSUPPORTED;
}
