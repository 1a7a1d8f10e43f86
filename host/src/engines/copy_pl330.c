/* The PL330 behind axm/engine.h: see axm/engines/copy_pl330.h. */
#include "axm/engines/copy_pl330.h"

#include "engines/queue.h"
#include "registers.h"

enum { ADDRESS_BITS = 32, LONGEST = 65535 }; /* longest: a program's, at any alignment */

static struct axm_copy_pl330 *of(struct axm_engine *engine) {
  return (struct axm_copy_pl330 *)engine;
}

static enum axm_status copy_start(struct axm_engine *engine,
                                  const struct axm_engine_config *config) {
  struct axm_copy_pl330 *copy = of(engine);
  AXM_TRY(axm_engine_begins(engine, config));
  if (copy->pl330->channels[copy->channel].busy)
    return AXM_ERROR_BUSY;
  copy->queue.oldest = copy->queue.count = copy->queue.given = 0;
  return AXM_OK;
}

static enum axm_status copy_submit(struct axm_engine *engine,
                                   const struct axm_engine_transfer *transfer) {
  return axm_queue_put(engine, &of(engine)->queue, transfer);
}

static enum axm_status copy_give(struct axm_engine *engine) {
  struct axm_copy_pl330 *copy = of(engine);
  if (copy->queue.given != 0 || copy->queue.count == 0)
    return AXM_OK;
  const struct axm_engine_transfer *one = axm_queue_at(&copy->queue, 0);
  const struct axm_memory to = {.bus_address = one->address, .size = one->bytes};
  const struct axm_memory from = {.bus_address = one->source, .size = one->bytes};
  AXM_TRY(axm_pl330_copy(copy->pl330, copy->channel, &to, 0, &from, 0, one->bytes));
  copy->queue.given = 1;
  return AXM_OK;
}

static enum axm_status copy_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_copy_pl330 *copy = of(engine);
  if (copy->queue.given == 0)
    return AXM_ERROR_EMPTY;
  const enum axm_status status = axm_pl330_poll(copy->pl330, copy->channel);
  *done = (struct axm_engine_done){.bytes = axm_queue_at(&copy->queue, 0)->bytes, .last = true};
  if (status == AXM_ERROR_FAULT) {
    struct axm_pl330_cause cause = {0};
    AXM_TRY(axm_pl330_fault(copy->pl330, copy->channel, &cause));
    *done = (struct axm_engine_done){.cause = AXM_ENGINE_OTHER, .code = cause.type};
    if ((cause.type >> 17 & 3u) != 0) /* a write, a read was answered with an error */
      done->cause = AXM_ENGINE_SLAVE;
  } else if (status != AXM_OK) {
    return status;
  }
  AXM_TRY(axm_queue_end(&copy->queue, done));
  return done->cause == AXM_ENGINE_OK ? copy_give(engine) : AXM_OK;
}

static enum axm_status copy_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_copy_pl330 *copy = of(engine);
  if (copy->pl330->channels[copy->channel].busy) {
    const enum axm_status status = axm_pl330_wait(copy->pl330, copy->channel, timeout_ns);
    if (status != AXM_OK)
      AXM_TRY(axm_pl330_stop(copy->pl330, copy->channel));
  }
  copy->queue.count = copy->queue.given = 0;
  return AXM_OK;
}

enum axm_status axm_copy_pl330_open(struct axm_copy_pl330 *copy, struct axm_pl330 *pl330,
                                    uint32_t channel) {
  static const struct axm_engine_ops ops = {
      .name = "pl330",
      .start = copy_start,
      .submit = copy_submit,
      .give = copy_give,
      .poll = copy_poll,
      .stop = copy_stop,
  };
  if (channel >= pl330->caps.channels || !pl330->config.coherent)
    return AXM_ERROR_ARGUMENT;
  *copy = (struct axm_copy_pl330){
      .engine = {.ops = &ops,
                 .hal = pl330->hal,
                 .direction = AXM_ENGINE_COPY,
                 .limits = {.queue = AXM_ENGINE_QUEUE,
                            .bytes = LONGEST,
                            .address_bits = ADDRESS_BITS,
                            .address_align = 1,
                            .length_align = 1,
                            .lengths = true,
                            .ends = true}},
      .pl330 = pl330,
      .channel = channel,
  };
  return AXM_OK;
}
