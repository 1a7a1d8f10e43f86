/* Channels: see axm/channel.h.
 *
 * Which lines of a buffer need maintenance, where the memory is cached and not coherent:
 *
 * Sending, at give: those of the packet are cleaned, or the engine reads what was there before.
 * Lines behind it may be dirty; the engine does not read them, and writes none.
 *
 * Receiving. While the engine has a buffer no line of it may be dirty, or it is written back over
 * what has come. When the channel takes the memory its lines may be, by an earlier owner: all are
 * invalidated, once. Afterwards only the caller writes, and only into the packet that it has: these
 * lines are invalidated when the buffer is given back. Clean lines do no harm to what the engine
 * writes, but the processor may fetch any at any time, and find what was there before: the lines of
 * a packet are invalidated when it is taken. Bytes behind it may be old; they are not read.
 *
 * The barrier between a completion and its data is here, that before a doorbell in the engine.
 */
#include "axm/channel.h"

#include <string.h>

#include "registers.h"

/* Buffers begin at lines of the longest caches, so that no line holds what belongs to two. */
enum { LINE = 64, PAGE = 4096, LOOKS = 64 };
#define WAIT_SLICE_NS UINT64_C(1000000)

static bool receives(const struct axm_channel *channel) {
  return channel->engine->direction == AXM_ENGINE_RECEIVE;
}

static bool has_own(const struct axm_engine *engine) { return engine->own.slots != 0; }

static uint64_t offset_of(const struct axm_channel *channel, uint32_t slot) {
  return (uint64_t)slot * channel->pitch;
}

static bool maintains(const struct axm_channel *channel, uint64_t bytes) {
  return !channel->config.coherent && bytes != 0;
}

static enum axm_status clean(const struct axm_channel *channel, uint64_t offset, uint64_t bytes) {
  const struct axm_hal *hal = channel->engine->hal;
  return maintains(channel, bytes) ? hal->clean(hal->self, &channel->memory, offset, bytes)
                                   : AXM_OK;
}

static enum axm_status invalidate(const struct axm_channel *channel, uint64_t offset,
                                  uint64_t bytes) {
  const struct axm_hal *hal = channel->engine->hal;
  return maintains(channel, bytes) ? hal->invalidate(hal->self, &channel->memory, offset, bytes)
                                   : AXM_OK;
}

enum axm_status axm_channel_kick(struct axm_channel *channel) {
  if (channel->silent == 0)
    return AXM_OK;
  AXM_TRY(channel->engine->ops->give(channel->engine));
  channel->silent = 0;
  ++channel->counts.doorbells;
  return AXM_OK;
}

/* Gives a slot to the engine. */
static enum axm_status submit(struct axm_channel *channel, uint32_t slot, uint32_t bytes,
                              bool last) {
  const struct axm_engine_transfer transfer = {
      .address = channel->memory.bus_address + offset_of(channel, slot),
      .bytes = bytes,
      .last = last,
  };
  AXM_TRY(channel->engine->ops->submit(channel->engine, &transfer));
  ++channel->held;
  if (++channel->silent < channel->config.batch)
    return AXM_OK;
  return axm_channel_kick(channel);
}

/* Buffers of a channel whose engine has none; the pitch keeps them at lines and as the engine
 * needs them. */
static enum axm_status take_memory(struct axm_channel *channel) {
  const struct axm_engine *engine = channel->engine;
  const struct axm_hal *hal = engine->hal;
  const uint32_t step = engine->limits.address_align > LINE ? engine->limits.address_align : LINE;
  const uint64_t pitch = ((uint64_t)channel->config.slot_bytes + step - 1) / step * step;
  if (pitch > UINT32_MAX)
    return AXM_ERROR_ARGUMENT;
  channel->pitch = (uint32_t)pitch;
  const uint64_t bytes = offset_of(channel, channel->config.slots);
  AXM_TRY(
      hal->alloc(hal->self, bytes, step > PAGE ? step : PAGE, AXM_ANY_ADDRESS, &channel->memory));
  if (axm_reaches(engine->limits.address_bits, channel->memory.bus_address, bytes))
    return AXM_OK;
  AXM_TRY(hal->release(hal->self, &channel->memory));
  return AXM_ERROR_MEMORY;
}

static enum axm_status give_memory(struct axm_channel *channel) {
  const struct axm_hal *hal = channel->engine->hal;
  return has_own(channel->engine) ? AXM_OK : hal->release(hal->self, &channel->memory);
}

static enum axm_status begin(struct axm_channel *channel) {
  const struct axm_engine_ops *ops = channel->engine->ops;
  if (channel->config.wait != AXM_WAIT_LOOK && ops->interrupt_enable != NULL)
    AXM_TRY(ops->interrupt_enable(channel->engine, true));
  if (!receives(channel))
    return AXM_OK;
  AXM_TRY(invalidate(channel, 0, offset_of(channel, channel->config.slots)));
  for (uint32_t slot = 0; slot < channel->config.slots; ++slot)
    AXM_TRY(submit(channel, slot, channel->config.slot_bytes, false));
  return axm_channel_kick(channel);
}

enum axm_status axm_channel_open(struct axm_channel *channel, struct axm_engine *engine,
                                 const struct axm_channel_config *config) {
  *channel = (struct axm_channel){
      .engine = engine,
      .config = *config,
      .memory = engine->own.memory,
      .pitch = engine->own.pitch,
  };
  if (has_own(engine)) {
    channel->config.slots = engine->own.slots;
    channel->config.coherent = true;
  }
  const uint32_t slots = channel->config.slots;
  if (engine->direction == AXM_ENGINE_COPY || slots == 0 || config->slot_bytes == 0)
    return AXM_ERROR_ARGUMENT;
  if (slots > engine->limits.queue || config->slot_bytes > engine->limits.bytes)
    return AXM_ERROR_RANGE;
  const struct axm_engine_config bus = {
      .queue = slots,
      .burst_beats = config->burst_beats,
      .outstanding = config->outstanding,
      .coherent = channel->config.coherent,
      .coalesce = config->coalesce,
  };
  if (!has_own(engine))
    AXM_TRY(take_memory(channel));
  const enum axm_status started = engine->ops->start(engine, &bus);
  if (started != AXM_OK) {
    (void)!give_memory(channel);
    return started;
  }
  const enum axm_status status = begin(channel);
  if (status != AXM_OK)
    (void)!axm_channel_close(channel);
  return status;
}

enum axm_status axm_channel_close(struct axm_channel *channel) {
  AXM_TRY(channel->engine->ops->stop(channel->engine, channel->config.timeout_ns));
  channel->held = 0;
  channel->silent = 0;
  return give_memory(channel);
}

/* Waits for the interrupt, a slice of `left` at most; where there is none, time just passes. */
static enum axm_status rest(struct axm_channel *channel, uint64_t left) {
  struct axm_engine *engine = channel->engine;
  const struct axm_hal *hal = engine->hal;
  const uint64_t slice = left < WAIT_SLICE_NS ? left : WAIT_SLICE_NS;
  const enum axm_status status = engine->ops->wait != NULL ? engine->ops->wait(engine, slice)
                                                           : hal->wait_irq(hal->self, slice);
  if (status == AXM_OK)
    ++channel->counts.interrupts;
  return status == AXM_ERROR_TIMEOUT || status == AXM_ERROR_UNSUPPORTED ? AXM_OK : status;
}

/* The completion of the oldest transfer. */
static enum axm_status await(struct axm_channel *channel, struct axm_engine_done *done) {
  struct axm_engine *engine = channel->engine;
  const struct axm_hal *hal = engine->hal;
  const enum axm_channel_wait how = channel->config.wait;
  const uint64_t begin_ns = hal->now_ns(hal->self);
  for (uint64_t looks = 0;; ++looks) {
    const bool sleeps = how == AXM_WAIT_INTERRUPT || (how == AXM_WAIT_BOTH && looks >= LOOKS);
    if (sleeps && engine->ops->interrupt_take != NULL)
      AXM_TRY(engine->ops->interrupt_take(engine));
    const enum axm_status found = engine->ops->poll(engine, done);
    if (found != AXM_ERROR_EMPTY)
      return found;
    AXM_TRY(axm_channel_kick(channel));
    ++channel->counts.looks;
    const uint64_t waited = hal->now_ns(hal->self) - begin_ns;
    if (waited >= channel->config.timeout_ns) {
      ++channel->counts.timeouts;
      return AXM_ERROR_TIMEOUT;
    }
    if (sleeps)
      AXM_TRY(rest(channel, channel->config.timeout_ns - waited));
  }
}

/* Takes the oldest transfer back from the engine. */
static enum axm_status take(struct axm_channel *channel, struct axm_engine_done *done) {
  struct axm_engine *engine = channel->engine;
  if (channel->held == 0)
    return AXM_ERROR_STATE;
  AXM_TRY(await(channel, done));
  if (done->bytes > channel->config.slot_bytes)
    return AXM_ERROR_STATE;
  engine->hal->barrier(engine->hal->self);
  const uint32_t slot = channel->oldest;
  channel->oldest = (slot + 1) % channel->config.slots;
  --channel->held;
  if (done->cause == AXM_ENGINE_OK)
    return AXM_OK;
  channel->fault = *done;
  channel->fault_address = channel->memory.bus_address + offset_of(channel, slot) + done->bytes;
  ++channel->counts.faults;
  return AXM_ERROR_FAULT;
}

enum axm_status axm_channel_next(struct axm_channel *channel, struct axm_slot *slot) {
  struct axm_engine_done done = {0};
  if (channel->taken)
    return AXM_ERROR_STATE;
  if (channel->counts.faults != 0)
    return AXM_ERROR_FAULT;
  const bool in = receives(channel);
  const uint32_t place =
      in ? channel->oldest : (channel->oldest + channel->held) % channel->config.slots;
  if (in || channel->held == channel->config.slots)
    AXM_TRY(take(channel, &done));
  if (in) {
    AXM_TRY(invalidate(channel, offset_of(channel, place), done.bytes));
    ++channel->counts.packets;
    channel->counts.bytes += done.bytes;
  }
  *slot = (struct axm_slot){
      .data = (unsigned char *)channel->memory.memory + (size_t)offset_of(channel, place),
      .room = channel->config.slot_bytes,
      .bytes = in ? done.bytes : 0,
      .last = in ? done.last : true,
  };
  channel->taken = true;
  return AXM_OK;
}

enum axm_status axm_channel_give(struct axm_channel *channel, const struct axm_slot *slot) {
  if (!channel->taken)
    return AXM_ERROR_STATE;
  const bool in = receives(channel);
  if ((!in && slot->bytes == 0) || slot->bytes > channel->config.slot_bytes)
    return AXM_ERROR_ARGUMENT;
  const uint32_t place = (channel->oldest + channel->held) % channel->config.slots;
  const uint64_t offset = offset_of(channel, place);
  if (in) {
    AXM_TRY(invalidate(channel, offset, slot->bytes));
    AXM_TRY(submit(channel, place, channel->config.slot_bytes, false));
  } else {
    AXM_TRY(clean(channel, offset, slot->bytes));
    AXM_TRY(submit(channel, place, slot->bytes, slot->last));
    ++channel->counts.packets;
    channel->counts.bytes += slot->bytes;
  }
  channel->taken = false;
  return AXM_OK;
}

enum axm_status axm_channel_flush(struct axm_channel *channel) {
  struct axm_engine_done done;
  if (receives(channel) || channel->taken)
    return AXM_ERROR_STATE;
  while (channel->held > 0)
    AXM_TRY(take(channel, &done));
  return AXM_OK;
}

enum axm_status axm_send(struct axm_channel *channel, const void *packet, uint32_t bytes) {
  struct axm_slot slot;
  if (receives(channel))
    return AXM_ERROR_STATE;
  if (bytes == 0 || bytes > channel->config.slot_bytes)
    return AXM_ERROR_ARGUMENT;
  AXM_TRY(axm_channel_next(channel, &slot));
  memcpy(slot.data, packet, bytes);
  slot.bytes = bytes;
  return axm_channel_give(channel, &slot);
}

enum axm_status axm_receive(struct axm_channel *channel, void *packet, uint32_t room,
                            uint32_t *bytes) {
  struct axm_slot slot;
  if (!receives(channel))
    return AXM_ERROR_STATE;
  AXM_TRY(axm_channel_next(channel, &slot));
  const uint32_t came = slot.bytes;
  *bytes = came < room ? came : room;
  memcpy(packet, slot.data, *bytes);
  channel->counts.dropped += came - *bytes;
  slot.bytes = 0;
  AXM_TRY(axm_channel_give(channel, &slot));
  return *bytes == came ? AXM_OK : AXM_ERROR_RANGE;
}

enum axm_status axm_channel_fault(const struct axm_channel *channel, struct axm_engine_done *done,
                                  uint64_t *address) {
  if (channel->counts.faults == 0)
    return AXM_ERROR_EMPTY;
  *done = channel->fault;
  *address = channel->fault_address;
  return AXM_OK;
}
