/* The PL330 as a copier: see axm/pl330.h. Registers: DDI 0424, chapter 3. */
#include "axm/pl330.h"

#include "registers.h"

enum { /* registers; those of a channel are 8 or 4 bytes apart */
       FAULT_CHANNELS = 0x034,
       FAULT_TYPE = 0x040,
       STATUS = 0x100,
       COUNTER = 0x104,
       DEBUG_STATUS = 0xD00,
       DEBUG_COMMAND = 0xD04,
       DEBUG_FIRST = 0xD08,
       DEBUG_SECOND = 0xD0C,
       CONFIGURATION_0 = 0xE00,
       CONFIGURATION_DATA = 0xE14,
       IDENTITY = 0xFE0,
};
enum { STOPPED = 0x0, COMPLETING = 0x9, FAULTING = 0xE, FAULT = 0xF }; /* of a channel's status */
enum { DMAKILL = 0x01, DMAGO = 0xA0 };
#define POLL_NS UINT64_C(1000)

static enum axm_status read(const struct axm_pl330 *pl330, uint32_t at, uint32_t *value) {
  return pl330->hal->read32(pl330->hal->self, pl330->base + at, value);
}

static enum axm_status write(const struct axm_pl330 *pl330, uint32_t at, uint32_t value) {
  return pl330->hal->write32(pl330->hal->self, pl330->base + at, value);
}

/* Whether `way` (a register) shows 0 in `mask` within the time-out. */
static enum axm_status cleared(const struct axm_pl330 *pl330, uint32_t at, uint32_t mask) {
  const struct axm_hal *hal = pl330->hal;
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    uint32_t value = 0;
    AXM_TRY(read(pl330, at, &value));
    if ((value & mask) == 0)
      return AXM_OK;
    if (hal->now_ns(hal->self) - begin >= pl330->config.timeout_ns)
      return AXM_ERROR_TIMEOUT;
  }
}

/* Has the manager (or, with `thread`, the channel) execute an instruction. */
static enum axm_status execute(const struct axm_pl330 *pl330, bool thread, uint32_t channel,
                               uint32_t two_bytes, uint32_t four_bytes) {
  AXM_TRY(cleared(pl330, DEBUG_STATUS, 1));
  AXM_TRY(write(pl330, DEBUG_FIRST, two_bytes << 16 | channel << 8 | (thread ? 1u : 0u)));
  AXM_TRY(write(pl330, DEBUG_SECOND, four_bytes));
  return write(pl330, DEBUG_COMMAND, 0);
}

/* The part number and the designer of every release. */
static enum axm_status is_one(const struct axm_pl330 *pl330) {
  uint32_t identity = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t byte = 0;
    AXM_TRY(read(pl330, IDENTITY + 4 * i, &byte));
    identity |= (byte & 0xFFu) << 8 * i;
  }
  return (identity & 0xFFFFFu) == 0x41330u ? AXM_OK : AXM_ERROR_TYPE;
}

enum axm_status axm_pl330_open(struct axm_pl330 *pl330, const struct axm_hal *hal, uint64_t base,
                               const struct axm_pl330_config *config) {
  if (config->burst_beats == 0 || config->burst_beats > AXM_PL330_BURST_BEATS ||
      config->timeout_ns == 0)
    return AXM_ERROR_ARGUMENT;
  *pl330 = (struct axm_pl330){.hal = hal, .base = base, .config = *config};
  AXM_TRY(is_one(pl330));
  uint32_t channels = 0;
  uint32_t data = 0;
  AXM_TRY(read(pl330, CONFIGURATION_0, &channels));
  AXM_TRY(read(pl330, CONFIGURATION_DATA, &data));
  pl330->caps = (struct axm_pl330_caps){
      .channels = (channels >> 4 & 0x7u) + 1,
      .bus_bytes = 1u << (data & 0x7u),
      .buffer_lines = (data >> 20 & 0x3FFu) + 1,
  };
  if (pl330->caps.bus_bytes < 4 || pl330->caps.bus_bytes > 16)
    return AXM_ERROR_TYPE;
  /* A store waits for its load's data: a whole burst must fit into the controller's buffer. */
  if (pl330->config.burst_beats > pl330->caps.buffer_lines)
    pl330->config.burst_beats = pl330->caps.buffer_lines;
  const uint64_t bytes = (uint64_t)AXM_PL330_PROGRAM_BYTES * pl330->caps.channels;
  AXM_TRY(hal->alloc(hal->self, bytes, AXM_PL330_PROGRAM_BYTES, AXM_ANY_ADDRESS, &pl330->programs));
  if (axm_reaches(32, pl330->programs.bus_address, bytes))
    return AXM_OK;
  AXM_TRY(hal->release(hal->self, &pl330->programs));
  return AXM_ERROR_MEMORY;
}

enum axm_status axm_pl330_close(struct axm_pl330 *pl330) {
  for (uint32_t i = 0; i < pl330->caps.channels; ++i)
    if (pl330->channels[i].busy)
      return AXM_ERROR_BUSY;
  return pl330->hal->release(pl330->hal->self, &pl330->programs);
}

static bool inside(const struct axm_memory *memory, uint64_t offset, uint32_t bytes) {
  return bytes <= memory->size && offset <= memory->size - bytes &&
         axm_reaches(32, memory->bus_address + offset, bytes);
}

/* The channel's program for a transfer, in memory. */
static enum axm_status prepare(struct axm_pl330 *pl330, uint32_t channel,
                               const struct axm_pl330_transfer *transfer) {
  const struct axm_hal *hal = pl330->hal;
  struct axm_pl330_shape *const kept = &pl330->channels[channel].shape;
  const uint32_t burst = pl330->config.burst_beats * pl330->caps.bus_bytes;
  const struct axm_pl330_shape shape = {
      .bytes = transfer->bytes, .to = transfer->to % burst, .from = transfer->from % burst};
  const uint64_t offset = (uint64_t)channel * AXM_PL330_PROGRAM_BYTES;
  unsigned char *const code = (unsigned char *)pl330->programs.memory + offset;
  uint32_t size = 0;
  if (kept->bytes == shape.bytes && kept->to == shape.to && kept->from == shape.from) {
    axm_pl330_readdress(transfer, code);
  } else {
    kept->bytes = 0; /* until it is there */
    AXM_TRY(axm_pl330_program(transfer, &pl330->config, pl330->caps.bus_bytes, code, &size));
    ++pl330->programs_made;
  }
  AXM_TRY(hal->clean(hal->self, &pl330->programs, offset, AXM_PL330_PROGRAM_BYTES));
  *kept = shape;
  return AXM_OK;
}

enum axm_status axm_pl330_copy(struct axm_pl330 *pl330, uint32_t channel,
                               const struct axm_memory *to, uint64_t to_offset,
                               const struct axm_memory *from, uint64_t from_offset,
                               uint32_t bytes) {
  const struct axm_hal *hal = pl330->hal;
  if (bytes == 0)
    return AXM_ERROR_ARGUMENT;
  if (channel >= pl330->caps.channels || !inside(to, to_offset, bytes) ||
      !inside(from, from_offset, bytes))
    return AXM_ERROR_RANGE;
  struct axm_pl330_channel *const own = &pl330->channels[channel];
  if (own->busy)
    return AXM_ERROR_BUSY;
  const struct axm_pl330_transfer transfer = {
      .to = (uint32_t)(to->bus_address + to_offset),
      .from = (uint32_t)(from->bus_address + from_offset),
      .bytes = bytes,
  };
  AXM_TRY(prepare(pl330, channel, &transfer));
  if (!pl330->config.coherent) {
    AXM_TRY(hal->clean(hal->self, from, from_offset, bytes));
    /* No line of the processor's may come back over what the controller writes. */
    AXM_TRY(hal->clean(hal->self, to, to_offset, bytes));
  }
  hal->barrier(hal->self);
  const uint32_t program =
      (uint32_t)(pl330->programs.bus_address + (uint64_t)channel * AXM_PL330_PROGRAM_BYTES);
  AXM_TRY(execute(pl330, false, 0, channel << 8 | DMAGO, program));
  own->to = *to;
  own->to_offset = to_offset;
  own->bytes = bytes;
  own->busy = true;
  /* The manager has taken it when it is idle again; until then the channel looks stopped. */
  return cleared(pl330, DEBUG_STATUS, 1);
}

enum axm_status axm_pl330_poll(struct axm_pl330 *pl330, uint32_t channel) {
  const struct axm_hal *hal = pl330->hal;
  if (channel >= pl330->caps.channels)
    return AXM_ERROR_RANGE;
  struct axm_pl330_channel *const own = &pl330->channels[channel];
  if (!own->busy)
    return AXM_ERROR_STATE;
  uint32_t status = 0;
  AXM_TRY(read(pl330, STATUS + 8 * channel, &status));
  status &= 0xFu;
  if (status == FAULT || status == FAULTING)
    return AXM_ERROR_FAULT;
  if (status != STOPPED)
    return AXM_ERROR_EMPTY;
  own->busy = false;
  hal->barrier(hal->self);
  return pl330->config.coherent ? AXM_OK
                                : hal->invalidate(hal->self, &own->to, own->to_offset, own->bytes);
}

enum axm_status axm_pl330_wait(struct axm_pl330 *pl330, uint32_t channel, uint64_t timeout_ns) {
  const struct axm_hal *hal = pl330->hal;
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    const enum axm_status status = axm_pl330_poll(pl330, channel);
    if (status != AXM_ERROR_EMPTY)
      return status;
    if (hal->now_ns(hal->self) - begin >= timeout_ns)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, POLL_NS);
  }
}

enum axm_status axm_pl330_stop(struct axm_pl330 *pl330, uint32_t channel) {
  const struct axm_hal *hal = pl330->hal;
  if (channel >= pl330->caps.channels)
    return AXM_ERROR_RANGE;
  AXM_TRY(execute(pl330, true, channel, DMAKILL, 0));
  AXM_TRY(cleared(pl330, STATUS + 8 * channel, 0xFu));
  struct axm_pl330_channel *const own = &pl330->channels[channel];
  const bool was = own->busy;
  own->busy = false;
  hal->barrier(hal->self);
  if (!was || pl330->config.coherent)
    return AXM_OK;
  return hal->invalidate(hal->self, &own->to, own->to_offset, own->bytes);
}

enum axm_status axm_pl330_fault(const struct axm_pl330 *pl330, uint32_t channel,
                                struct axm_pl330_cause *cause) {
  uint32_t faulty = 0;
  if (channel >= pl330->caps.channels)
    return AXM_ERROR_RANGE;
  AXM_TRY(read(pl330, FAULT_CHANNELS, &faulty));
  if ((faulty >> channel & 1u) == 0)
    return AXM_ERROR_EMPTY;
  AXM_TRY(read(pl330, FAULT_TYPE + 4 * channel, &cause->type));
  return read(pl330, COUNTER + 8 * channel, &cause->at);
}

const char *axm_pl330_fault_text(uint32_t type) {
  static const struct {
    uint32_t bit;
    const char *text;
  } texts[] = {
      {16, "the program could not be fetched"},
      {17, "a write was answered with an error"},
      {18, "a read was answered with an error"},
      {0, "an instruction is not defined"},
      {1, "an operand is not valid"},
      {5, "an event belongs to another channel"},
      {7, "an access is secure and the channel is not"},
      {12, "the controller's buffer is too small for a burst"},
      {13, "a store had no data"},
      {31, "the channel was locked up"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    if ((type >> texts[i].bit & 1u) != 0)
      return texts[i].text;
  return "not a cause of the manual";
}
