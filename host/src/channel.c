/* Channels: see axm/channel.h. */
#include "axm/channel.h"

#include <string.h>

#include "registers.h"

/* Buffers begin at lines of the longest caches, so that no line holds what belongs to two. */
enum { LINE = 64, PAGE = 4096, LOOKS = 64 };
#define WAIT_SLICE_NS UINT64_C(1000000)

static const struct axm_hal *hal_of(const struct axm_channel *channel) {
  return channel->dma.block.hal;
}

static uint32_t pitch(const struct axm_channel *channel) {
  return (channel->config.slot_bytes + LINE - 1) / LINE * LINE;
}

static uint64_t offset_of(const struct axm_channel *channel, uint32_t slot) {
  return (uint64_t)slot * pitch(channel);
}

static enum axm_dma_half half_of(const struct axm_channel *channel) {
  return (enum axm_dma_half)channel->config.direction;
}

static enum axm_status clean(const struct axm_channel *channel, uint32_t slot, uint32_t bytes) {
  const struct axm_hal *hal = hal_of(channel);
  return channel->config.coherent
             ? AXM_OK
             : hal->clean(hal->self, &channel->memory, offset_of(channel, slot), bytes);
}

static enum axm_status invalidate(const struct axm_channel *channel, uint32_t slot) {
  const struct axm_hal *hal = hal_of(channel);
  return channel->config.coherent ? AXM_OK
                                  : hal->invalidate(hal->self, &channel->memory,
                                                    offset_of(channel, slot), pitch(channel));
}

/* Gives a slot to the engine. */
static enum axm_status submit(struct axm_channel *channel, uint32_t slot, uint32_t bytes,
                              bool last) {
  const struct axm_hal *hal = hal_of(channel);
  const struct axm_dma_transfer transfer = {
      .address = channel->memory.bus_address + offset_of(channel, slot),
      .bytes = bytes,
      .last = last,
  };
  channel->bytes[slot] = bytes;
  hal->barrier(hal->self);
  AXM_TRY(axm_dma_submit(&channel->dma, half_of(channel), &transfer));
  ++channel->held;
  return AXM_OK;
}

/* Before the engine writes: no line of the processor's may come back over what it has written. */
static enum axm_status submit_empty(struct axm_channel *channel, uint32_t slot) {
  AXM_TRY(clean(channel, slot, pitch(channel)));
  AXM_TRY(invalidate(channel, slot));
  return submit(channel, slot, channel->config.slot_bytes, false);
}

enum axm_status axm_channel_open(struct axm_channel *channel, const struct axm_dma *dma,
                                 const struct axm_channel_config *config) {
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  const struct axm_dma_config bus = {.burst_beats = config->burst_beats,
                                     .outstanding = config->outstanding,
                                     .cache = config->coherent ? 0xF : 0x3};
  if (config->slots == 0 || config->slots > AXM_CHANNEL_SLOTS || config->slots > caps.queue ||
      config->slot_bytes == 0 || config->slot_bytes > UINT32_MAX / AXM_CHANNEL_SLOTS - LINE)
    return AXM_ERROR_ARGUMENT;
  *channel = (struct axm_channel){.dma = *dma, .config = *config};
  const struct axm_hal *hal = hal_of(channel);
  AXM_TRY(axm_dma_configure(dma, half_of(channel), &bus));
  AXM_TRY(axm_dma_interrupts(dma, true, true, 1, 0));
  AXM_TRY(hal->alloc(hal->self, offset_of(channel, config->slots), PAGE, AXM_ANY_ADDRESS,
                     &channel->memory));
  enum axm_status status = AXM_OK;
  if (config->direction == AXM_CHANNEL_IN) {
    for (uint32_t slot = 0; slot < config->slots && status == AXM_OK; ++slot)
      status = submit_empty(channel, slot);
  }
  if (status != AXM_OK)
    (void)!axm_channel_close(channel);
  return status;
}

enum axm_status axm_channel_close(struct axm_channel *channel) {
  const struct axm_hal *hal = hal_of(channel);
  struct axm_dma_done done;
  AXM_TRY(axm_dma_abort(&channel->dma, half_of(channel), channel->config.timeout_ns));
  enum axm_status status = AXM_OK;
  while (status == AXM_OK)
    status = axm_dma_poll(&channel->dma, half_of(channel), &done);
  channel->held = 0;
  AXM_TRY(hal->release(hal->self, &channel->memory));
  return status == AXM_ERROR_EMPTY ? AXM_OK : status;
}

/* Waits for the interrupt, a slice of `left` at most; where there is none, time just passes. */
static enum axm_status rest(struct axm_channel *channel, uint64_t left) {
  const struct axm_hal *hal = hal_of(channel);
  const enum axm_status status =
      hal->wait_irq(hal->self, left < WAIT_SLICE_NS ? left : WAIT_SLICE_NS);
  if (status == AXM_OK)
    ++channel->counts.interrupts;
  return status == AXM_ERROR_TIMEOUT || status == AXM_ERROR_UNSUPPORTED ? AXM_OK : status;
}

/* The completion of the oldest transfer. */
static enum axm_status await(struct axm_channel *channel, struct axm_dma_done *done) {
  const struct axm_hal *hal = hal_of(channel);
  const enum axm_channel_wait how = channel->config.wait;
  const uint64_t begin = hal->now_ns(hal->self);
  for (uint64_t looks = 0;; ++looks) {
    const bool sleeps = how == AXM_WAIT_INTERRUPT || (how == AXM_WAIT_BOTH && looks >= LOOKS);
    bool any = false;
    bool fault = false;
    if (sleeps) /* cleared before looking: a completion that comes in between raises it again */
      AXM_TRY(axm_dma_interrupts_take(&channel->dma, &any, &fault));
    const enum axm_status found = axm_dma_poll(&channel->dma, half_of(channel), done);
    if (found != AXM_ERROR_EMPTY)
      return found;
    ++channel->counts.looks;
    const uint64_t waited = hal->now_ns(hal->self) - begin;
    if (waited >= channel->config.timeout_ns) {
      ++channel->counts.timeouts;
      return AXM_ERROR_TIMEOUT;
    }
    if (sleeps)
      AXM_TRY(rest(channel, channel->config.timeout_ns - waited));
  }
}

/* Takes the oldest transfer back from the engine. */
static enum axm_status take(struct axm_channel *channel, struct axm_dma_done *done) {
  AXM_TRY(await(channel, done));
  const uint32_t slot = channel->oldest;
  channel->oldest = (slot + 1) % channel->config.slots;
  --channel->held;
  if (done->cause == AXM_DMA_OK)
    return AXM_OK;
  channel->fault = *done;
  channel->fault_address = channel->memory.bus_address + offset_of(channel, slot) + done->bytes;
  ++channel->counts.faults;
  return AXM_ERROR_FAULT;
}

enum axm_status axm_channel_next(struct axm_channel *channel, struct axm_slot *slot) {
  struct axm_dma_done done = {0};
  if (channel->taken)
    return AXM_ERROR_STATE;
  if (channel->counts.faults != 0)
    return AXM_ERROR_FAULT;
  const bool in = channel->config.direction == AXM_CHANNEL_IN;
  const uint32_t place =
      in ? channel->oldest : (channel->oldest + channel->held) % channel->config.slots;
  if (in || channel->held == channel->config.slots)
    AXM_TRY(take(channel, &done));
  if (in)
    AXM_TRY(invalidate(channel, place));
  *slot = (struct axm_slot){
      .data = (unsigned char *)channel->memory.memory + (size_t)offset_of(channel, place),
      .room = channel->config.slot_bytes,
      .bytes = done.bytes,
      .last = in ? done.packet_end : true,
  };
  channel->taken = true;
  return AXM_OK;
}

enum axm_status axm_channel_give(struct axm_channel *channel, const struct axm_slot *slot) {
  if (!channel->taken)
    return AXM_ERROR_STATE;
  const bool in = channel->config.direction == AXM_CHANNEL_IN;
  if (!in && (slot->bytes == 0 || slot->bytes > channel->config.slot_bytes))
    return AXM_ERROR_ARGUMENT;
  const uint32_t place = (channel->oldest + channel->held) % channel->config.slots;
  if (in) {
    AXM_TRY(submit_empty(channel, place));
  } else {
    AXM_TRY(clean(channel, place, slot->bytes));
    AXM_TRY(submit(channel, place, slot->bytes, slot->last));
  }
  channel->taken = false;
  ++channel->counts.packets;
  channel->counts.bytes += slot->bytes;
  return AXM_OK;
}

enum axm_status axm_channel_flush(struct axm_channel *channel) {
  struct axm_dma_done done;
  if (channel->config.direction != AXM_CHANNEL_OUT || channel->taken)
    return AXM_ERROR_STATE;
  while (channel->held > 0)
    AXM_TRY(take(channel, &done));
  return AXM_OK;
}

enum axm_status axm_send(struct axm_channel *channel, const void *packet, uint32_t bytes) {
  struct axm_slot slot;
  if (channel->config.direction != AXM_CHANNEL_OUT)
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
  if (channel->config.direction != AXM_CHANNEL_IN)
    return AXM_ERROR_STATE;
  AXM_TRY(axm_channel_next(channel, &slot));
  *bytes = slot.bytes < room ? slot.bytes : room;
  memcpy(packet, slot.data, *bytes);
  channel->counts.dropped += slot.bytes - *bytes;
  AXM_TRY(axm_channel_give(channel, &slot));
  return *bytes == slot.bytes ? AXM_OK : AXM_ERROR_RANGE;
}

enum axm_status axm_channel_fault(const struct axm_channel *channel, enum axm_dma_cause *cause,
                                  uint64_t *address) {
  if (channel->counts.faults == 0)
    return AXM_ERROR_EMPTY;
  *cause = channel->fault.cause;
  *address = channel->fault_address;
  return AXM_OK;
}
