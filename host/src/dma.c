/* The DMA engine's queue: see axm/dma.h. */
#include "axm/dma.h"

#include "generated/dma.h"
#include "registers.h"

enum { UNIT_CLOCKS = 64, AXI3_BEATS = 16, WAIT_SLICE_NS = 1000000, POLL_NS = 1000 };

/* Both halves have the same registers: those of the writing half are this much further. */
#define HALF_STEP (AXM_DMA_WR_CONTROL - AXM_DMA_RD_CONTROL)
_Static_assert(AXM_DMA_WR_DONE_BYTES - AXM_DMA_RD_DONE_BYTES == HALF_STEP, "halves differ");

static uint32_t at(enum axm_dma_half half, uint32_t reading) {
  return half == AXM_DMA_WRITE ? reading + HALF_STEP : reading;
}

/* A copy is commanded at its writing half. */
static bool has_queue(const struct axm_dma *dma, enum axm_dma_half half) {
  if (half == AXM_DMA_WRITE)
    return AXM_GET(dma->caps, AXM_DMA_CAPS__HAS_WRITE) != 0;
  return half == AXM_DMA_READ && AXM_GET(dma->caps, AXM_DMA_CAPS__HAS_READ) != 0 &&
         AXM_GET(dma->caps, AXM_DMA_CAPS__COPY) == 0;
}

enum axm_status axm_dma_open(struct axm_dma *dma, const struct axm_block_info *info) {
  if (info->type != AXM_DMA_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_DMA_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *dma = (struct axm_dma){.block = info->block, .caps = info->caps};
  return AXM_OK;
}

void axm_dma_describe(const struct axm_dma *dma, struct axm_dma_caps *caps) {
  const uint32_t word = dma->caps;
  *caps = (struct axm_dma_caps){
      .has_read = AXM_GET(word, AXM_DMA_CAPS__HAS_READ) != 0,
      .has_write = AXM_GET(word, AXM_DMA_CAPS__HAS_WRITE) != 0,
      .copy = AXM_GET(word, AXM_DMA_CAPS__COPY) != 0,
      .rings = AXM_GET(word, AXM_DMA_CAPS__RINGS) != 0,
      .unaligned = AXM_GET(word, AXM_DMA_CAPS__UNALIGNED) != 0,
      .axi3 = AXM_GET(word, AXM_DMA_CAPS__AXI3) != 0,
      .width_bits = UINT32_C(32) << AXM_GET(word, AXM_DMA_CAPS__WIDTH),
      .outstanding = AXM_GET(word, AXM_DMA_CAPS__OUTSTANDING),
      .queue = AXM_GET(word, AXM_DMA_CAPS__QUEUE),
      .address_bits = AXM_GET(word, AXM_DMA_CAPS__ADDR_BITS),
  };
}

enum axm_status axm_dma_configure(const struct axm_dma *dma, enum axm_dma_half half,
                                  const struct axm_dma_config *config) {
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  if (half == AXM_DMA_WRITE ? !caps.has_write : !caps.has_read)
    return AXM_ERROR_UNSUPPORTED;
  const uint32_t longest = caps.axi3 ? AXI3_BEATS : AXM_MOST(AXM_DMA_RD_CONFIG__BURST) + 1;
  if (config->burst_beats == 0 || config->burst_beats > longest || config->outstanding == 0 ||
      config->outstanding > caps.outstanding)
    return AXM_ERROR_RANGE;
  if (config->cache > AXM_MOST(AXM_DMA_RD_CONFIG__CACHE) ||
      config->prot > AXM_MOST(AXM_DMA_RD_CONFIG__PROT) ||
      config->qos > AXM_MOST(AXM_DMA_RD_CONFIG__QOS))
    return AXM_ERROR_RANGE;
  uint32_t status = 0;
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_STATUS), &status));
  if (AXM_GET(status, AXM_DMA_RD_STATUS__BUSY) != 0)
    return AXM_ERROR_BUSY;
  if (caps.rings)
    AXM_TRY(axm_write(&dma->block, AXM_DMA_RING_CONFIG,
                      AXM_PUT(config->cache, AXM_DMA_RING_CONFIG__CACHE) |
                          AXM_PUT(config->prot, AXM_DMA_RING_CONFIG__PROT)));
  const uint32_t whole = config->whole_burst ? 1 : 0;
  AXM_TRY(axm_write(&dma->block, at(half, AXM_DMA_RD_CONTROL),
                    AXM_PUT(whole, AXM_DMA_RD_CONTROL__WHOLE_BURST)));
  return axm_write(&dma->block, at(half, AXM_DMA_RD_CONFIG),
                   AXM_PUT(config->burst_beats - 1, AXM_DMA_RD_CONFIG__BURST) |
                       AXM_PUT(config->outstanding, AXM_DMA_RD_CONFIG__OUTSTANDING) |
                       AXM_PUT(config->cache, AXM_DMA_RD_CONFIG__CACHE) |
                       AXM_PUT(config->prot, AXM_DMA_RD_CONFIG__PROT) |
                       AXM_PUT(config->qos, AXM_DMA_RD_CONFIG__QOS));
}

enum axm_status axm_dma_set_timeout(const struct axm_dma *dma, uint32_t clocks) {
  const uint32_t units = clocks / UNIT_CLOCKS + (clocks % UNIT_CLOCKS != 0 ? 1 : 0);
  if (units > AXM_MOST(AXM_DMA_TIMEOUT__LIMIT))
    return AXM_ERROR_RANGE;
  return axm_write(&dma->block, AXM_DMA_TIMEOUT, units);
}

enum axm_status axm_dma_prepare(const struct axm_dma *dma, enum axm_dma_half half,
                                const struct axm_dma_transfer *transfer, struct axm_start *start) {
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  if (!has_queue(dma, half))
    return AXM_ERROR_UNSUPPORTED;
  const uint32_t beat = caps.width_bits / 8;
  if (transfer->bytes == 0)
    return AXM_ERROR_ARGUMENT;
  if (!caps.unaligned && (transfer->address % beat != 0 || transfer->bytes % beat != 0 ||
                          (caps.copy && transfer->source % beat != 0)))
    return AXM_ERROR_RANGE;
  /* An engine drops the address bits that it does not have, and would write elsewhere. */
  if (!axm_reaches(caps.address_bits, transfer->address, transfer->bytes) ||
      (caps.copy && !axm_reaches(caps.address_bits, transfer->source, transfer->bytes)))
    return AXM_ERROR_RANGE;
  uint32_t status = 0;
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_STATUS), &status));
  if (AXM_GET(status, AXM_DMA_RD_STATUS__FREE) == 0)
    return AXM_ERROR_FULL;
  if (caps.copy)
    AXM_TRY(axm_write64(&dma->block, AXM_DMA_RD_ADDR_LO, transfer->source));
  AXM_TRY(axm_write64(&dma->block, at(half, AXM_DMA_RD_ADDR_LO), transfer->address));
  AXM_TRY(axm_write(&dma->block, at(half, AXM_DMA_RD_LENGTH), transfer->bytes));
  const uint32_t last = half == AXM_DMA_READ && transfer->last ? 1 : 0;
  *start = (struct axm_start){
      .address = dma->block.base + at(half, AXM_DMA_RD_SUBMIT),
      .value = AXM_PUT(last, AXM_DMA_RD_SUBMIT__LAST),
  };
  return AXM_OK;
}

enum axm_status axm_start(const struct axm_hal *hal, const struct axm_start *start) {
  hal->barrier(hal->self);
  return hal->write32(hal->self, start->address, start->value);
}

enum axm_status axm_dma_submit(const struct axm_dma *dma, enum axm_dma_half half,
                               const struct axm_dma_transfer *transfer) {
  struct axm_start start;
  AXM_TRY(axm_dma_prepare(dma, half, transfer, &start));
  return axm_start(dma->block.hal, &start);
}

enum axm_status axm_dma_poll(const struct axm_dma *dma, enum axm_dma_half half,
                             struct axm_dma_done *done) {
  if (!has_queue(dma, half))
    return AXM_ERROR_UNSUPPORTED;
  uint32_t word = 0;
  uint32_t bytes = 0;
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_STATUS), &word));
  if (AXM_GET(word, AXM_DMA_RD_STATUS__WAITING) == 0)
    return AXM_ERROR_EMPTY;
  /* Reading DONE removes the completion, so the bytes come first. */
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_DONE_BYTES), &bytes));
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_DONE), &word));
  if (AXM_GET(word, AXM_DMA_RD_DONE__VALID) == 0)
    return AXM_ERROR_EMPTY;
  *done = (struct axm_dma_done){
      .cause = (enum axm_dma_cause)AXM_GET(word, AXM_DMA_RD_DONE__CODE),
      .at_source = AXM_GET(word, AXM_DMA_RD_DONE__SOURCE) != 0,
      .packet_end = AXM_GET(word, AXM_DMA_RD_DONE__PACKET_END) != 0,
      .bytes = bytes,
  };
  return AXM_OK;
}

/* Lets time pass until the interrupt comes, or `limit` is near; polls where there is none. */
static enum axm_status rest(const struct axm_hal *hal, uint64_t limit) {
  const uint64_t now = hal->now_ns(hal->self);
  if (now >= limit)
    return AXM_ERROR_TIMEOUT;
  const uint64_t left = limit - now;
  const enum axm_status status =
      hal->wait_irq(hal->self, left < WAIT_SLICE_NS ? left : WAIT_SLICE_NS);
  if (status == AXM_ERROR_UNSUPPORTED)
    hal->idle_ns(hal->self, POLL_NS);
  else if (status != AXM_OK && status != AXM_ERROR_TIMEOUT)
    return status;
  return AXM_OK;
}

enum axm_status axm_dma_wait(const struct axm_dma *dma, enum axm_dma_half half, uint64_t timeout_ns,
                             struct axm_dma_done *done) {
  const struct axm_hal *hal = dma->block.hal;
  const uint64_t now = hal->now_ns(hal->self);
  const uint64_t limit = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
  for (;;) {
    /* Cleared before looking: a completion that comes in between raises it again. */
    bool any = false;
    bool fault = false;
    AXM_TRY(axm_dma_interrupts_take(dma, &any, &fault));
    const enum axm_status found = axm_dma_poll(dma, half, done);
    if (found != AXM_ERROR_EMPTY)
      return found;
    AXM_TRY(rest(hal, limit));
  }
}

enum axm_status axm_dma_busy(const struct axm_dma *dma, enum axm_dma_half half, bool *busy) {
  uint32_t status = 0;
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_STATUS), &status));
  *busy = AXM_GET(status, AXM_DMA_RD_STATUS__BUSY) != 0 ||
          AXM_GET(status, AXM_DMA_RD_STATUS__DRAINING) != 0;
  return AXM_OK;
}

/* Sets command bits of CONTROL; its setting stays. */
static enum axm_status command(const struct axm_dma *dma, enum axm_dma_half half, uint32_t bits) {
  uint32_t word = 0;
  AXM_TRY(axm_read(&dma->block, at(half, AXM_DMA_RD_CONTROL), &word));
  return axm_write(&dma->block, at(half, AXM_DMA_RD_CONTROL),
                   (word & AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK) | bits);
}

enum axm_status axm_dma_abort(const struct axm_dma *dma, enum axm_dma_half half,
                              uint64_t timeout_ns) {
  const struct axm_hal *hal = dma->block.hal;
  if (!has_queue(dma, half))
    return AXM_ERROR_UNSUPPORTED;
  AXM_TRY(command(dma, half, AXM_DMA_RD_CONTROL__ABORT_MASK));
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    bool busy = false;
    AXM_TRY(axm_dma_busy(dma, half, &busy));
    if (!busy)
      return AXM_OK;
    if (hal->now_ns(hal->self) - begin > timeout_ns)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, POLL_NS);
  }
}

enum axm_status axm_dma_forget(const struct axm_dma *dma, enum axm_dma_half half) {
  if (!has_queue(dma, half))
    return AXM_ERROR_UNSUPPORTED;
  return command(dma, half, AXM_DMA_RD_CONTROL__FORGET_MASK);
}
