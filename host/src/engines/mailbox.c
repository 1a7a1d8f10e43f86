/* Packets through memory of the fabric: see axm/engines/mailbox.h. */
#include "axm/engines/mailbox.h"

#include "engines/queue.h"
#include "registers.h"

enum { PUT = 0x00, TAKEN = 0x04, LENGTHS = 0x40, PLACES = 0x80, ALIGN = 64, POLL_NS = 1000 };
_Static_assert(LENGTHS + 4 * AXM_MAILBOX_PLACES <= PLACES && PLACES % ALIGN == 0, "no room");
#define ENDS (UINT32_C(1) << 31)

static struct axm_mailbox_half *of(struct axm_engine *engine) {
  return (struct axm_mailbox_half *)engine;
}

static enum axm_status get(const struct axm_mailbox *box, uint32_t at, uint32_t *value) {
  const struct axm_hal *hal = box->copy->hal;
  return hal->read32(hal->self, box->words + at, value);
}

static enum axm_status put(const struct axm_mailbox *box, uint32_t at, uint32_t value) {
  const struct axm_hal *hal = box->copy->hal;
  return hal->write32(hal->self, box->words + at, value);
}

static uint32_t length_at(const struct axm_mailbox_half *half) {
  return LENGTHS + 4 * (half->counter % half->box->places);
}

/* Packets that are in the memory. */
static enum axm_status filled(const struct axm_mailbox *box, uint32_t *count) {
  uint32_t puts = 0;
  uint32_t taken = 0;
  AXM_TRY(get(box, PUT, &puts));
  AXM_TRY(get(box, TAKEN, &taken));
  *count = puts - taken;
  return *count <= box->places ? AXM_OK : AXM_ERROR_STATE;
}

/* The packet is in its place, or out of it: the other end may see so. */
static enum axm_status show(struct axm_mailbox_half *half) {
  const struct axm_hal *hal = half->engine.hal;
  const struct axm_engine_transfer *one = axm_queue_at(&half->queue, half->ended);
  const bool sends = half->engine.direction == AXM_ENGINE_SEND;
  if (sends)
    AXM_TRY(put(half->box, length_at(half), one->bytes | (one->last ? ENDS : 0)));
  hal->barrier(hal->self);
  ++half->ended;
  return put(half->box, sends ? PUT : TAKEN, ++half->counter);
}

/* An incoming packet has its length: so does its transfer. */
static enum axm_status measure(struct axm_mailbox_half *half, struct axm_engine_transfer *one) {
  uint32_t word = 0;
  AXM_TRY(get(half->box, length_at(half), &word));
  const uint32_t bytes = word & ~ENDS;
  if (bytes == 0 || bytes > half->box->pitch)
    return AXM_ERROR_STATE;
  if (bytes > one->bytes)
    half->fault = (struct axm_engine_done){.cause = AXM_ENGINE_TOO_LONG, .code = bytes};
  one->bytes = bytes;
  one->last = (word & ENDS) != 0;
  return AXM_OK;
}

/* Has the engine copy between a half's next transfer and its place, if that can be. */
static enum axm_status begin(struct axm_mailbox_half *half) {
  struct axm_mailbox *box = half->box;
  const bool sends = half->engine.direction == AXM_ENGINE_SEND;
  uint32_t count = 0;
  if (half->queue.given != half->ended || half->queue.given == half->queue.count ||
      half->fault.cause != AXM_ENGINE_OK)
    return AXM_OK;
  AXM_TRY(filled(box, &count));
  if (count == (sends ? box->places : 0))
    return AXM_OK;
  struct axm_engine_transfer *next = axm_queue_at(&half->queue, half->queue.given);
  if (!sends)
    AXM_TRY(measure(half, next));
  ++half->queue.given;
  if (half->fault.cause != AXM_ENGINE_OK)
    return AXM_OK;
  const uint64_t place =
      box->memory + PLACES + (uint64_t)(half->counter % box->places) * box->pitch;
  const struct axm_engine_transfer one = {
      .address = sends ? place : next->address,
      .source = sends ? next->address : place,
      .bytes = next->bytes,
      .last = true,
  };
  AXM_TRY(box->copy->ops->submit(box->copy, &one));
  box->order[box->under_way++] = half;
  return box->copy->ops->give(box->copy);
}

/* Shows what the engine has copied, to the other end and the halves, and goes on with both: a
 * receiver may be looked at while the sender waits. */
static enum axm_status work(struct axm_mailbox *box) {
  while (box->under_way > 0) {
    struct axm_engine_done done;
    const enum axm_status status = box->copy->ops->poll(box->copy, &done);
    if (status == AXM_ERROR_EMPTY)
      break;
    if (status != AXM_OK)
      return status;
    struct axm_mailbox_half *half = box->order[0];
    box->order[0] = box->order[1];
    --box->under_way;
    if (done.cause == AXM_ENGINE_OK)
      AXM_TRY(show(half));
    else
      half->fault = (struct axm_engine_done){.cause = done.cause, .code = done.code};
  }
  for (int n = 0; n < 2; ++n)
    if (box->half[n].on)
      AXM_TRY(begin(&box->half[n]));
  return AXM_OK;
}

static enum axm_status box_start(struct axm_engine *engine,
                                 const struct axm_engine_config *config) {
  struct axm_mailbox_half *half = of(engine);
  struct axm_mailbox *box = half->box;
  const bool sends = engine->direction == AXM_ENGINE_SEND;
  uint32_t count = 0;
  AXM_TRY(axm_engine_begins(engine, config));
  AXM_TRY(filled(box, &count)); /* AXM_ERROR_STATE if it was never cleared */
  AXM_TRY(get(box, sends ? PUT : TAKEN, &half->counter));
  half->queue.oldest = half->queue.count = half->queue.given = 0;
  half->ended = 0;
  half->fault = (struct axm_engine_done){.cause = AXM_ENGINE_OK};
  if (!box->half[0].on && !box->half[1].on) {
    struct axm_engine_config shared = *config;
    shared.queue = 2;
    AXM_TRY(box->copy->ops->start(box->copy, &shared));
    box->under_way = 0;
  }
  half->on = true;
  return AXM_OK;
}

static enum axm_status box_submit(struct axm_engine *engine,
                                  const struct axm_engine_transfer *transfer) {
  return axm_queue_put(engine, &of(engine)->queue, transfer);
}

static enum axm_status box_give(struct axm_engine *engine) { return work(of(engine)->box); }

static enum axm_status box_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_mailbox_half *half = of(engine);
  if (half->ended == 0)
    AXM_TRY(work(half->box));
  if (half->ended > 0) {
    const struct axm_engine_transfer *oldest = axm_queue_at(&half->queue, 0);
    *done = (struct axm_engine_done){.bytes = oldest->bytes, .last = oldest->last};
    --half->ended;
  } else if (half->fault.cause != AXM_ENGINE_OK) {
    *done = half->fault;
  } else {
    return AXM_ERROR_EMPTY;
  }
  return axm_queue_end(&half->queue, done);
}

static enum axm_status box_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_mailbox_half *half = of(engine);
  struct axm_mailbox *box = half->box;
  const struct axm_hal *hal = engine->hal;
  const uint64_t begin_ns = hal->now_ns(hal->self);
  half->on = false;
  if (!box->half[0].on && !box->half[1].on) {
    AXM_TRY(box->copy->ops->stop(box->copy, timeout_ns));
    box->under_way = 0;
  }
  /* The engine goes on with the other half's: this one's copy ends of itself. */
  while (half->queue.given != half->ended && half->fault.cause == AXM_ENGINE_OK &&
         box->under_way > 0) {
    AXM_TRY(work(box));
    if (hal->now_ns(hal->self) - begin_ns >= timeout_ns)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, POLL_NS);
  }
  half->queue.count = half->queue.given = half->ended = 0;
  return AXM_OK;
}

static enum axm_status box_interrupt_enable(struct axm_engine *engine, bool on) {
  struct axm_engine *copy = of(engine)->box->copy;
  return copy->ops->interrupt_enable(copy, on);
}

static enum axm_status box_interrupt_take(struct axm_engine *engine) {
  struct axm_engine *copy = of(engine)->box->copy;
  return copy->ops->interrupt_take(copy);
}

#define OPS(called, enable, take)                                                                  \
  {                                                                                                \
      .name = called,                                                                              \
      .start = box_start,                                                                          \
      .submit = box_submit,                                                                        \
      .give = box_give,                                                                            \
      .poll = box_poll,                                                                            \
      .stop = box_stop,                                                                            \
      .interrupt_enable = enable,                                                                  \
      .interrupt_take = take,                                                                      \
  }

enum axm_status axm_mailbox_open(struct axm_mailbox *box, struct axm_engine *copy, uint64_t memory,
                                 uint64_t words, uint64_t size, uint32_t slot_bytes) {
  static const struct axm_engine_ops quiet = OPS("mailbox", NULL, NULL);
  static const struct axm_engine_ops loud =
      OPS("mailbox", box_interrupt_enable, box_interrupt_take);
  if (copy->direction != AXM_ENGINE_COPY || slot_bytes == 0 || memory % ALIGN != 0)
    return AXM_ERROR_ARGUMENT;
  const uint64_t pitch = ((uint64_t)slot_bytes + ALIGN - 1) / ALIGN * ALIGN;
  if (size < PLACES + pitch || pitch >= ENDS || slot_bytes > copy->limits.bytes ||
      copy->limits.queue < 2 || !axm_reaches(copy->limits.address_bits, memory, size))
    return AXM_ERROR_RANGE;
  const uint64_t fit = (size - PLACES) / pitch;
  *box = (struct axm_mailbox){
      .copy = copy,
      .memory = memory,
      .words = words,
      .places = fit < AXM_MAILBOX_PLACES ? (uint32_t)fit : AXM_MAILBOX_PLACES,
      .pitch = (uint32_t)pitch,
  };
  for (int n = 0; n < 2; ++n) {
    struct axm_mailbox_half *half = &box->half[n];
    half->box = box;
    half->engine = (struct axm_engine){
        .ops = copy->limits.interrupt ? &loud : &quiet,
        .hal = copy->hal,
        .direction = n == 0 ? AXM_ENGINE_SEND : AXM_ENGINE_RECEIVE,
        .limits = copy->limits,
    };
    half->engine.limits.queue = AXM_ENGINE_QUEUE;
    half->engine.limits.bytes = slot_bytes;
    half->engine.limits.lengths = half->engine.limits.ends = true;
  }
  return AXM_OK;
}

enum axm_status axm_mailbox_clear(const struct axm_mailbox *box) {
  AXM_TRY(put(box, PUT, 0));
  return put(box, TAKEN, 0);
}

struct axm_engine *axm_mailbox_engine(struct axm_mailbox *box,
                                      enum axm_engine_direction direction) {
  return &box->half[direction == AXM_ENGINE_RECEIVE].engine;
}
