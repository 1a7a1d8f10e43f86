/* The AXI Traffic Generator as engines: see axm/engines/axi_traffic_gen.h. */
#include "axm/engines/axi_traffic_gen.h"

#include "engines/axi_traffic_gen_registers.h"
#include "registers.h"

/* Each direction has a half of the master RAM, so that what is read is not written again. */
enum { HALF_RAM = ATG_MASTER_RAM_BYTES / 2, POLL_NS = 1000, CACHE_USUAL = 3 };

static struct axm_traffic_gen_half *of(struct axm_engine *engine) {
  return (struct axm_traffic_gen_half *)engine;
}

static bool writes(const struct axm_traffic_gen_half *half) {
  return half->engine.direction == AXM_ENGINE_RECEIVE;
}

static enum axm_status put(const struct axm_traffic_gen *core, uint32_t at, uint32_t value) {
  return core->hal->write32(core->hal->self, core->base + at, value);
}

static enum axm_status get(const struct axm_traffic_gen *core, uint32_t at, uint32_t *value) {
  return core->hal->read32(core->hal->self, core->base + at, value);
}

/* Its RAMs must not be accessed while it runs. */
static enum axm_status at_rest(struct axm_traffic_gen *core) {
  uint32_t control = 0;
  AXM_TRY(get(core, ATG_MASTER_CONTROL, &control));
  core->running = (control & ATG_ENABLE) != 0;
  return core->running ? AXM_ERROR_BUSY : AXM_OK;
}

/* Command `number` of a direction; `control` 0 ends the list. */
static enum axm_status command(const struct axm_traffic_gen_half *half, uint32_t number,
                               uint64_t address, uint32_t control) {
  const struct axm_traffic_gen *core = half->core;
  const uint32_t word = (writes(half) ? (uint32_t)ATG_WRITE_WORDS : 0) + 4 * number;
  const uint32_t at =
      ATG_COMMANDS + (writes(half) ? (uint32_t)ATG_WRITE_COMMANDS : 0) + 16 * number;
  const uint32_t burst = AXM_TRAFFIC_GEN_BEATS * core->data_bytes;
  const uint32_t place = (writes(half) ? 0 : (uint32_t)HALF_RAM) + number * burst % HALF_RAM;
  if (control != 0) {
    AXM_TRY(put(core, ATG_PARAMETERS + word, 0));
    if (core->address_bits > 32)
      AXM_TRY(put(core, ATG_ADDRESSES + word, (uint32_t)(address >> 32)));
    AXM_TRY(put(core, at + 4 * ATG_WORD_ADDRESS, (uint32_t)address));
    AXM_TRY(put(core, at + 4 * ATG_WORD_PLACE, place));
    AXM_TRY(put(core, at + 4 * ATG_WORD_SIGNALS, CACHE_USUAL << ATG_CACHE_SHIFT));
  }
  return put(core, at + 4 * ATG_WORD_CONTROL, control);
}

static enum axm_status start(struct axm_engine *engine, const struct axm_engine_config *config) {
  struct axm_traffic_gen_half *half = of(engine);
  struct axm_traffic_gen *core = half->core;
  AXM_TRY(axm_engine_begins(engine, config));
  AXM_TRY(at_rest(core));
  half->bytes = 0;
  half->given = half->ended = false;
  for (uint32_t n = 0; n < 2; ++n) /* another program may have left commands for either */
    if (core->half[n].bytes == 0)
      AXM_TRY(command(&core->half[n], 0, 0, 0));
  for (uint32_t at = 0; writes(half) && at < HALF_RAM; at += 4)
    AXM_TRY(put(core, ATG_MASTER_RAM + at, at / 4));
  AXM_TRY(put(core, ATG_ERROR_ENABLE, ATG_READ_ERRORS | ATG_WRITE_ERRORS));
  return put(core, ATG_ERROR_STATUS, ATG_DONE | ATG_READ_ERRORS | ATG_WRITE_ERRORS);
}

static uint32_t log2_of(uint32_t power) {
  uint32_t bits = 0;
  while (power >> bits > 1)
    ++bits;
  return bits;
}

static enum axm_status submit(struct axm_engine *engine,
                              const struct axm_engine_transfer *transfer) {
  struct axm_traffic_gen_half *half = of(engine);
  const struct axm_traffic_gen *core = half->core;
  AXM_TRY(axm_engine_check(engine, transfer));
  if (half->bytes != 0)
    return AXM_ERROR_FULL;
  if (core->running)
    return AXM_ERROR_BUSY;
  const uint32_t burst = AXM_TRAFFIC_GEN_BEATS * core->data_bytes;
  uint32_t number = 0;
  for (uint32_t done = 0; done < transfer->bytes; done += burst, ++number) {
    const uint32_t left = transfer->bytes - done;
    const uint32_t beats = (left < burst ? left : burst) / core->data_bytes;
    AXM_TRY(command(half, number, transfer->address + done,
                    ATG_VALID | ATG_INCREMENT | log2_of(core->data_bytes) << ATG_SIZE_SHIFT |
                        (beats - 1)));
  }
  half->bytes = transfer->bytes;
  return command(half, number, 0, 0);
}

static enum axm_status give(struct axm_engine *engine) {
  struct axm_traffic_gen *core = of(engine)->core;
  if (of(engine)->bytes == 0 || of(engine)->given)
    return AXM_OK;
  for (uint32_t n = 0; n < 2; ++n)
    core->half[n].given = core->half[n].bytes != 0;
  core->running = true;
  core->hal->barrier(core->hal->self);
  return put(core, ATG_MASTER_CONTROL, ATG_ENABLE);
}

/* Whether it has ended: then both directions have. */
static enum axm_status look(struct axm_traffic_gen *core) {
  uint32_t errors = 0;
  if (!core->running)
    return AXM_OK;
  const enum axm_status rests = at_rest(core);
  if (rests != AXM_OK)
    return rests == AXM_ERROR_BUSY ? AXM_OK : rests;
  AXM_TRY(get(core, ATG_ERROR_STATUS, &errors));
  for (uint32_t n = 0; n < 2; ++n) {
    core->half[n].ended = core->half[n].given;
    core->half[n].code = errors & (n == 0 ? ATG_READ_ERRORS : ATG_WRITE_ERRORS);
  }
  return AXM_OK;
}

static enum axm_status poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_traffic_gen_half *half = of(engine);
  AXM_TRY(look(half->core));
  if (!half->ended)
    return AXM_ERROR_EMPTY;
  const uint32_t responses = half->code & (ATG_READ_RESPONSE | ATG_WRITE_RESPONSE);
  *done = (struct axm_engine_done){
      .cause = responses != 0    ? AXM_ENGINE_SLAVE
               : half->code != 0 ? AXM_ENGINE_OTHER
                                 : AXM_ENGINE_OK,
      .code = half->code,
      .bytes = half->code == 0 ? half->bytes : 0,
      .last = true,
  };
  half->bytes = 0;
  half->given = half->ended = false;
  return AXM_OK;
}

static enum axm_status stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_traffic_gen_half *half = of(engine);
  const struct axm_hal *hal = engine->hal;
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    const enum axm_status status = at_rest(half->core);
    if (status == AXM_OK)
      break;
    if (status != AXM_ERROR_BUSY)
      return status;
    if (hal->now_ns(hal->self) - begin >= timeout_ns)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, POLL_NS);
  }
  half->bytes = 0;
  half->given = half->ended = false;
  return AXM_OK;
}

static enum axm_status interrupt_enable(struct axm_engine *engine, bool on) {
  return put(of(engine)->core, ATG_ERROR_ENABLE,
             ATG_READ_ERRORS | ATG_WRITE_ERRORS | (on ? ATG_DONE : 0));
}

static enum axm_status interrupt_take(struct axm_engine *engine) {
  return put(of(engine)->core, ATG_ERROR_STATUS, ATG_DONE);
}

enum axm_status axm_traffic_gen_open(struct axm_traffic_gen *core) {
  static const struct axm_engine_ops ops = {
      .name = "axi-traffic-gen",
      .start = start,
      .submit = submit,
      .give = give,
      .poll = poll,
      .stop = stop,
      .interrupt_enable = interrupt_enable,
      .interrupt_take = interrupt_take,
  };
  const uint32_t bytes = core->data_bytes;
  if (bytes < 4 || bytes > 64 || (bytes & (bytes - 1)) != 0 || core->address_bits < 32 ||
      core->address_bits > 64)
    return AXM_ERROR_ARGUMENT;
  for (uint32_t n = 0; n < 2; ++n)
    core->half[n] = (struct axm_traffic_gen_half){
        .engine = {.ops = &ops,
                   .hal = core->hal,
                   .direction = n == 0 ? AXM_ENGINE_SEND : AXM_ENGINE_RECEIVE,
                   .limits = {.queue = 1,
                              .bytes = AXM_TRAFFIC_GEN_COMMANDS * AXM_TRAFFIC_GEN_BEATS * bytes,
                              .address_bits = core->address_bits,
                              .address_align = AXM_TRAFFIC_GEN_BEATS * bytes,
                              .length_align = bytes,
                              .lengths = true,
                              .ends = true,
                              .interrupt = true}},
        .core = core,
    };
  return AXM_OK;
}
