/* /dev/axm* behind axm/engine.h: see linux_channel.h and drivers/linux/axm_ioctl.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "linux_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../drivers/linux/axm_ioctl.h"
#include "registers.h"

enum { ANY_BITS = 64, PAGE = 4096 };

static struct axm_linux_half *of(struct axm_engine *engine) {
  return (struct axm_linux_half *)engine;
}

static struct axm_ring *ring_of(const struct axm_linux_half *half) {
  return (struct axm_ring *)half->ring;
}

static uint32_t number_of(const struct axm_linux_half *half) {
  return half->engine.direction == AXM_ENGINE_SEND ? AXM_SEND : AXM_RECEIVE;
}

static enum axm_status of_errno(void) {
  switch (errno) {
  case ENODEV:
  case ENXIO:
    return AXM_ERROR_DEAD;
  case EBUSY:
    return AXM_ERROR_BUSY;
  case EINTR:
  case EAGAIN:
  case ETIME:
  case ETIMEDOUT:
    return AXM_ERROR_TIMEOUT;
  default:
    return AXM_ERROR_SYSTEM;
  }
}

static enum axm_status channel_start(struct axm_engine *engine,
                                     const struct axm_engine_config *config) {
  struct axm_linux_half *half = of(engine);
  if (config->queue != engine->own.slots)
    return AXM_ERROR_RANGE;
  if (half->on || half->channel->file < 0)
    return AXM_ERROR_STATE;
  const struct axm_coalesce coalesce = {.half = number_of(half),
                                        .count = config->coalesce < 255 ? config->coalesce : 255};
  if (config->coalesce > 1 && ioctl(half->channel->file, AXM_IOC_COALESCE, &coalesce) != 0)
    return of_errno();
  half->on = true;
  return AXM_OK;
}

static enum axm_status channel_submit(struct axm_engine *engine,
                                      const struct axm_engine_transfer *transfer) {
  struct axm_linux_half *half = of(engine);
  AXM_TRY(axm_engine_check(engine, transfer));
  const uint32_t slot = half->submitted % engine->own.slots;
  if (half->submitted - half->collected >= engine->own.slots)
    return AXM_ERROR_FULL;
  if (transfer->address != engine->own.memory.bus_address + (uint64_t)slot * engine->own.pitch)
    return AXM_ERROR_ARGUMENT;
  if (half->submitted >= half->free)
    ring_of(half)->entries[(half->submitted - half->free) % engine->own.slots] = (struct axm_entry){
        .slot = (uint16_t)slot,
        .flags = transfer->last ? AXM_LAST : 0,
        .bytes = transfer->bytes,
    };
  ++half->submitted;
  return AXM_OK;
}

static enum axm_status channel_give(struct axm_engine *engine) {
  struct axm_linux_half *half = of(engine);
  if (half->submitted <= half->free)
    return AXM_OK;
  __atomic_store_n(&ring_of(half)->submitted, half->submitted - half->free, __ATOMIC_RELEASE);
  return fdatasync(half->channel->file) == 0 || errno == EIO ? AXM_OK : of_errno();
}

static uint32_t ready(const struct axm_linux_half *half) {
  return __atomic_load_n(&ring_of(half)->completed, __ATOMIC_ACQUIRE) - half->collected;
}

static enum axm_status channel_poll(struct axm_engine *engine, struct axm_engine_done *done) {
  struct axm_linux_half *half = of(engine);
  const struct axm_ring *ring = ring_of(half);
  if (ready(half) == 0 && fdatasync(half->channel->file) != 0 && errno != EIO)
    return of_errno();
  const uint32_t count = ready(half);
  if (count > half->submitted - half->collected)
    return AXM_ERROR_STATE;
  if (count == 0) {
    const int error = __atomic_load_n(&ring->error, __ATOMIC_ACQUIRE);
    if (error == 0)
      return AXM_ERROR_EMPTY;
    if (error == -ENODEV)
      return AXM_ERROR_DEAD;
    *done = (struct axm_engine_done){.cause = AXM_ENGINE_OTHER, .code = (uint32_t)-error};
    return AXM_OK;
  }
  const uint32_t slots = engine->own.slots;
  const struct axm_entry entry = ring->entries[slots + half->collected % slots];
  if (entry.slot != half->collected % slots || entry.bytes > engine->limits.bytes)
    return AXM_ERROR_STATE;
  *done = (struct axm_engine_done){.bytes = entry.bytes, .last = (entry.flags & AXM_LAST) != 0};
  ++half->collected;
  __atomic_store_n(&ring_of(half)->collected, half->collected, __ATOMIC_RELEASE);
  return AXM_OK;
}

static enum axm_status channel_wait(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_linux_half *half = of(engine);
  struct axm_kick kick = {.timeout_ns = timeout_ns};
  kick.completions[number_of(half)] = 1;
  const int found = ioctl(half->channel->file, AXM_IOC_KICK, &kick);
  if (found < 0 && errno != EIO && of_errno() != AXM_ERROR_TIMEOUT)
    return of_errno();
  return ready(half) != 0 || __atomic_load_n(&ring_of(half)->error, __ATOMIC_ACQUIRE) != 0
             ? AXM_OK
             : AXM_ERROR_TIMEOUT;
}

static void unmap(struct axm_linux_channel *channel) {
  for (int n = 0; n < 2; ++n) {
    struct axm_linux_half *half = &channel->half[n];
    if (half->ring != NULL)
      munmap(half->ring, (size_t)half->ring_bytes);
    if (half->engine.own.memory.memory != NULL)
      munmap(half->engine.own.memory.memory, (size_t)half->engine.own.memory.size);
    half->ring = half->engine.own.memory.memory = NULL;
  }
  close(channel->file);
  channel->file = -1;
}

/* The driver stops its rings with the last file, and keeps what the device may still write. */
static enum axm_status channel_stop(struct axm_engine *engine, uint64_t timeout_ns) {
  struct axm_linux_half *half = of(engine);
  (void)timeout_ns;
  half->on = false;
  if (!half->channel->half[0].on && !half->channel->half[1].on && half->channel->file >= 0)
    unmap(half->channel);
  return AXM_OK;
}

static enum axm_status map(struct axm_linux_channel *channel, const struct axm_info *info, int n) {
  static const struct axm_engine_ops ops = {
      .name = "/dev/axm",
      .start = channel_start,
      .submit = channel_submit,
      .give = channel_give,
      .poll = channel_poll,
      .stop = channel_stop,
      .wait = channel_wait,
  };
  struct axm_linux_half *half = &channel->half[n];
  const int which = n == 0 ? AXM_SEND : AXM_RECEIVE;
  const uint64_t bytes = (uint64_t)info->slots[which] * info->slot_bytes[which];
  const uint64_t ring_bytes =
      sizeof(struct axm_ring) + 2 * (uint64_t)info->slots[which] * sizeof(struct axm_entry);
  if (info->slots[which] == 0 || info->slots[which] > UINT16_MAX || bytes > SIZE_MAX)
    return AXM_ERROR_VERSION;
  if (ioctl(channel->file, AXM_IOC_RINGS, which) != 0)
    return of_errno();
  half->ring_bytes = (ring_bytes + PAGE - 1) / PAGE * PAGE;
  void *slots = mmap(NULL, (size_t)bytes, which == AXM_SEND ? PROT_READ | PROT_WRITE : PROT_READ,
                     MAP_SHARED, channel->file, (off_t)info->slots_offset[which]);
  if (slots == MAP_FAILED)
    return AXM_ERROR_SYSTEM;
  half->channel = channel;
  half->free = which == AXM_SEND ? 0 : info->slots[which];
  half->engine = (struct axm_engine){
      .ops = &ops,
      .hal = half->engine.hal,
      .direction = which == AXM_SEND ? AXM_ENGINE_SEND : AXM_ENGINE_RECEIVE,
      .limits = {.queue = info->slots[which],
                 .bytes = info->slot_bytes[which],
                 .address_bits = ANY_BITS,
                 .address_align = 1,
                 .length_align = (info->flags & AXM_ANY_LENGTH) != 0 ? 1 : info->beat_bytes,
                 .lengths = true,
                 .ends = true,
                 .interrupt = true},
      .own = {.memory = {.memory = slots, .size = bytes},
              .slots = info->slots[which],
              .pitch = info->slot_bytes[which]},
  };
  void *ring = mmap(NULL, (size_t)half->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                    channel->file, (off_t)info->ring_offset[which]);
  if (ring == MAP_FAILED)
    return AXM_ERROR_SYSTEM;
  half->ring = ring;
  return half->engine.limits.length_align == 0 ? AXM_ERROR_VERSION : AXM_OK;
}

enum axm_status axm_linux_channel_open(struct axm_linux_channel *channel, const struct axm_hal *hal,
                                       const char *path) {
  struct axm_info info;
  memset(channel, 0, sizeof *channel);
  channel->file = open(path, O_RDWR | O_CLOEXEC);
  if (channel->file < 0)
    return of_errno();
  enum axm_status status = ioctl(channel->file, AXM_IOC_INFO, &info) != 0 ? of_errno() : AXM_OK;
  if (status == AXM_OK && info.abi_version != AXM_ABI_VERSION)
    status = AXM_ERROR_VERSION;
  const uint32_t both = AXM_CAN_SEND | AXM_CAN_RECEIVE;
  if (status == AXM_OK && (info.flags & both) != both)
    status = AXM_ERROR_UNSUPPORTED;
  for (int n = 0; n < 2 && status == AXM_OK; ++n) {
    channel->half[n].engine.hal = hal;
    status = map(channel, &info, n);
  }
  if (status != AXM_OK)
    unmap(channel);
  return status;
}

struct axm_engine *axm_linux_channel_engine(struct axm_linux_channel *channel,
                                            enum axm_engine_direction direction) {
  return &channel->half[direction == AXM_ENGINE_RECEIVE].engine;
}
