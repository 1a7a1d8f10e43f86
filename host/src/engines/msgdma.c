/* mSGDMA: see axm/engines/msgdma.h. */
#include "axm/engines/msgdma.h"

#include "engines/msgdma_registers.h"
#include "engines/queue.h"
#include "registers.h"

enum { POLL_NS = 1000, RESET_NS = 10000000, STANDARD_BITS = 32 };

static struct axm_msgdma *of(struct axm_engine *engine) { return (struct axm_msgdma *)engine; }

static enum axm_status csr_read(const struct axm_msgdma *msgdma, uint32_t at, uint32_t *value) {
  const struct axm_hal *hal = msgdma->engine.hal;
  return hal->read32(hal->self, msgdma->parts.csr + at, value);
}

static enum axm_status csr_write(const struct axm_msgdma *msgdma, uint32_t at, uint32_t value) {
  const struct axm_hal *hal = msgdma->engine.hal;
  return hal->write32(hal->self, msgdma->parts.csr + at, value);
}

/* Ends all; transfers on the bus are waited for. */
static enum axm_status reset(struct axm_msgdma *msgdma, uint64_t timeout_ns) {
  const struct axm_hal *hal = msgdma->engine.hal;
  const uint64_t begin = hal->now_ns(hal->self);
  AXM_TRY(csr_write(msgdma, MSGDMA_CONTROL, MSGDMA_RESET));
  for (;;) {
    uint32_t status = 0;
    AXM_TRY(csr_read(msgdma, MSGDMA_STATUS, &status));
    if ((status & MSGDMA_RESETTING) == 0)
      break;
    if (hal->now_ns(hal->self) - begin >= timeout_ns)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, POLL_NS);
  }
  msgdma->queue.oldest = msgdma->queue.count = msgdma->queue.given = 0;
  msgdma->ended = 0;
  msgdma->inside = false;
  return csr_write(msgdma, MSGDMA_STATUS, MSGDMA_IRQ);
}

static enum axm_status msgdma_start(struct axm_engine *engine,
                                    const struct axm_engine_config *config) {
  struct axm_msgdma *msgdma = of(engine);
  AXM_TRY(axm_engine_begins(engine, config));
  AXM_TRY(reset(msgdma, RESET_NS));
  msgdma->control = MSGDMA_STOP_ON_ERROR | MSGDMA_STOP_ON_EARLY;
  return csr_write(msgdma, MSGDMA_CONTROL, msgdma->control);
}

static uint32_t control_of(struct axm_msgdma *msgdma, const struct axm_engine_transfer *transfer) {
  uint32_t word = MSGDMA_GO | MSGDMA_IRQ_DONE | MSGDMA_IRQ_ERRORS;
  if (msgdma->engine.direction == AXM_ENGINE_RECEIVE)
    return word | MSGDMA_END_ON_EOP | MSGDMA_IRQ_EARLY;
  if (msgdma->engine.direction == AXM_ENGINE_COPY)
    return word;
  word |= (msgdma->inside ? 0 : MSGDMA_FIRST) | (transfer->last ? MSGDMA_LAST : 0);
  msgdma->inside = !transfer->last;
  return word;
}

/* The words of a descriptor; the last of them starts it. */
static enum axm_status write_descriptor(struct axm_msgdma *msgdma,
                                        const struct axm_engine_transfer *transfer) {
  const struct axm_hal *hal = msgdma->engine.hal;
  const bool sends = msgdma->engine.direction == AXM_ENGINE_SEND;
  const bool copies = msgdma->engine.direction == AXM_ENGINE_COPY;
  const uint64_t from = sends ? transfer->address : copies ? transfer->source : 0;
  const uint64_t to = sends ? 0 : transfer->address;
  const uint32_t words[] = {
      (uint32_t)from,        (uint32_t)to,           transfer->bytes,      0,
      MSGDMA_STRIDES_OF_ONE, (uint32_t)(from >> 32), (uint32_t)(to >> 32),
  };
  const bool extended = msgdma->parts.extended;
  const uint32_t control = extended ? MSGDMA_EXTENDED_CONTROL : MSGDMA_STANDARD_CONTROL;
  for (uint32_t at = 0; at < control; at += 4)
    AXM_TRY(hal->write32(hal->self, msgdma->parts.descriptors + at, words[at / 4]));
  hal->barrier(hal->self);
  return hal->write32(hal->self, msgdma->parts.descriptors + control, control_of(msgdma, transfer));
}

static enum axm_status msgdma_submit(struct axm_engine *engine,
                                     const struct axm_engine_transfer *transfer) {
  struct axm_msgdma *msgdma = of(engine);
  AXM_TRY(axm_queue_put(engine, &msgdma->queue, transfer));
  ++msgdma->queue.given;
  return write_descriptor(msgdma, transfer);
}

static enum axm_status msgdma_give(struct axm_engine *engine) {
  (void)engine;
  return AXM_OK;
}

/* How many transfers have ended: those with a response, or those that queue and masters no longer
 * have. The masters have one at most; what is still in the queue is read first, so that one that
 * ends in between is not counted yet. */
static enum axm_status look(struct axm_msgdma *msgdma, uint32_t *status) {
  uint32_t fill = 0;
  const uint32_t given = msgdma->queue.given;
  if (msgdma->parts.responses != 0) {
    AXM_TRY(csr_read(msgdma, MSGDMA_RESPONSE_FILL, &fill));
    AXM_TRY(csr_read(msgdma, MSGDMA_STATUS, status));
    msgdma->ended = fill & 0xFFFFu;
    return msgdma->ended <= given ? AXM_OK : AXM_ERROR_STATE;
  }
  AXM_TRY(csr_read(msgdma, MSGDMA_FILL, &fill));
  AXM_TRY(csr_read(msgdma, MSGDMA_STATUS, status));
  fill = msgdma->engine.direction == AXM_ENGINE_SEND ? fill & 0xFFFFu : fill >> 16;
  if (fill > given)
    return AXM_ERROR_STATE;
  const uint32_t in_hand = (*status & MSGDMA_BUSY) != 0 ? 1 : 0;
  msgdma->ended = given - fill > in_hand ? given - fill - in_hand : 0;
  return AXM_OK;
}

/* The oldest response. */
static enum axm_status response(const struct axm_msgdma *msgdma, struct axm_engine_done *done) {
  const struct axm_hal *hal = msgdma->engine.hal;
  uint32_t bytes = 0;
  uint32_t word = 0;
  AXM_TRY(hal->read32(hal->self, msgdma->parts.responses + MSGDMA_RESPONSE_BYTES, &bytes));
  AXM_TRY(hal->read32(hal->self, msgdma->parts.responses + MSGDMA_RESPONSE_STATUS, &word));
  done->bytes = bytes;
  done->code = word & (MSGDMA_RESPONSE_ERRORS | MSGDMA_RESPONSE_EARLY);
  if ((word & MSGDMA_RESPONSE_EARLY) != 0)
    done->cause = AXM_ENGINE_TOO_LONG;
  else if (done->code != 0)
    done->cause = AXM_ENGINE_OTHER;
  return AXM_OK;
}

static enum axm_status msgdma_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_msgdma *msgdma = of(engine);
  if (msgdma->queue.given == 0)
    return AXM_ERROR_EMPTY;
  *done = (struct axm_engine_done){.bytes = axm_queue_at(&msgdma->queue, 0)->bytes, .last = true};
  uint32_t status = 0;
  if (msgdma->ended == 0)
    AXM_TRY(look(msgdma, &status));
  const uint32_t stopped = status & (MSGDMA_STOPPED_ON_ERROR | MSGDMA_STOPPED_ON_EARLY);
  if (msgdma->ended == 0 && stopped == 0)
    return AXM_ERROR_EMPTY;
  if (msgdma->ended == 0 || (stopped != 0 && msgdma->parts.responses == 0)) {
    const bool early = (stopped & MSGDMA_STOPPED_ON_EARLY) != 0;
    *done = (struct axm_engine_done){.cause = early ? AXM_ENGINE_TOO_LONG : AXM_ENGINE_OTHER,
                                     .code = stopped};
    return axm_queue_end(&msgdma->queue, done);
  }
  --msgdma->ended;
  if (msgdma->parts.responses != 0)
    AXM_TRY(response(msgdma, done));
  done->last = done->cause != AXM_ENGINE_TOO_LONG;
  return axm_queue_end(&msgdma->queue, done);
}

static enum axm_status msgdma_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  return reset(of(engine), timeout_ns);
}

static enum axm_status msgdma_interrupt_enable(struct axm_engine *engine, bool on) {
  struct axm_msgdma *msgdma = of(engine);
  msgdma->control = (msgdma->control & ~MSGDMA_IRQ_ENABLE) | (on ? MSGDMA_IRQ_ENABLE : 0);
  return csr_write(msgdma, MSGDMA_CONTROL, msgdma->control);
}

static enum axm_status msgdma_interrupt_take(struct axm_engine *engine) {
  return csr_write(of(engine), MSGDMA_STATUS, MSGDMA_IRQ);
}

static bool can_be(const struct axm_msgdma_parts *parts, enum axm_engine_direction direction) {
  const uint32_t bytes = parts->data_bytes;
  return bytes != 0 && bytes <= 128 && (bytes & (bytes - 1)) == 0 && parts->queue != 0 &&
         parts->longest != 0 && parts->address_bits >= 1 &&
         parts->address_bits <= (parts->extended ? 64 : STANDARD_BITS) &&
         (parts->responses == 0 || direction != AXM_ENGINE_SEND);
}

enum axm_status axm_msgdma_open(struct axm_msgdma *msgdma, const struct axm_msgdma_parts *parts,
                                enum axm_engine_direction direction) {
  static const struct axm_engine_ops ops = {
      .name = "msgdma",
      .start = msgdma_start,
      .submit = msgdma_submit,
      .give = msgdma_give,
      .poll = msgdma_poll,
      .stop = msgdma_stop,
      .interrupt_enable = msgdma_interrupt_enable,
      .interrupt_take = msgdma_interrupt_take,
  };
  if (!can_be(parts, direction))
    return AXM_ERROR_ARGUMENT;
  const uint32_t align = parts->unaligned ? 1 : parts->data_bytes;
  *msgdma = (struct axm_msgdma){
      .engine = {.ops = &ops,
                 .hal = parts->hal,
                 .direction = direction,
                 .limits = {.queue =
                                parts->queue < AXM_ENGINE_QUEUE ? parts->queue : AXM_ENGINE_QUEUE,
                            .bytes = parts->longest,
                            .address_bits = parts->address_bits,
                            .address_align = align,
                            .length_align = 1,
                            .lengths = parts->responses != 0,
                            .ends = true,
                            .interrupt = true,
                            .at_once = true}},
      .parts = *parts,
  };
  return AXM_OK;
}
