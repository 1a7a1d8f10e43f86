/* AXI DMA and CDMA that are not there: see fake_vendor.h. Names of registers and bits are written
 * out here once more, so that a mistake in those of the library does not stay unseen. */
#include <string.h>

#include "fake_vendor.h"

enum { S2MM = 0x30, DMACR = 0, DMASR = 4, CURDESC = 8, TAILDESC = 0x10, SA = 0x18, DA = 0x20 };
enum { LENGTH = 0x28, DESCRIPTOR = 0x40, MSGDMA_STEP = 0x80 };
enum { RS = 1, RESET = 4, SG_MODE = 8, IOC = 1 << 12, ERROR_IRQ = 1 << 14 };
enum { HALTED = 1, IDLE = 2, SG_INCLUDED = 8, ERRORS = 0x770, INTERNAL = 0x10, STALE = 0x100 };
enum { SG_DECODE = 0x400 };
#define COMPLETED 0x80000000u

static bool sends(const struct fake_vendor *fake, const struct fake_axi_half *half) {
  return half == &fake->half[0];
}

static void reset(struct fake_vendor *fake) {
  for (int n = 0; n < 2; ++n)
    fake->half[n] = (struct fake_axi_half){
        .status = (fake->kind == FAKE_AXI_CDMA ? IDLE : HALTED) |
                  (fake->scatter_gather ? SG_INCLUDED : 0),
        .threshold = 1,
    };
}

static void fail(struct fake_vendor *fake, struct fake_axi_half *half, uint32_t bits) {
  half->status |= bits | ERROR_IRQ;
  half->control &= ~(uint32_t)RS;
  half->status |= fake->kind == FAKE_AXI_CDMA ? IDLE : HALTED;
  half->waits = half->chain = false;
}

static void end(struct fake_axi_half *half) {
  if (++half->done >= half->threshold) {
    half->status |= IOC;
    half->done = 0;
  }
}

/* Moves the bytes of a transfer; false if it has to wait. */
static bool move(struct fake_vendor *fake, struct fake_axi_half *half, uint32_t from, uint32_t to,
                 uint32_t bytes, uint32_t flags, uint32_t *moved, bool *last) {
  *moved = bytes;
  *last = true;
  const unsigned char *source = axm_test_fabric(fake->target, from, bytes);
  unsigned char *place = axm_test_fabric(fake->target, to, bytes);
  if (fake->kind == FAKE_AXI_CDMA) {
    memcpy(place, source, bytes);
    axm_test_evict(fake->target, to, bytes);
    return true;
  }
  if (sends(fake, half))
    return fake_stream_in(&fake->stream, source, bytes, (flags & 1u << 26) != 0);
  *moved = fake_stream_out(fake, to, bytes, last);
  return *moved != 0;
}

static void simple(struct fake_vendor *fake, struct fake_axi_half *half) {
  uint32_t moved = 0;
  bool last = false;
  const int number = half == &fake->half[1];
  if (!half->waits || fake->hang)
    return;
  const bool copies = fake->kind == FAKE_AXI_CDMA;
  if (!copies && number == 1 && fake->stream.packets > 0 && fake->stream.packet[0] > half->length) {
    fail(fake, half, INTERNAL);
    return;
  }
  if (fake->fault[number] != 0) {
    fail(fake, half, fake->fault[number]);
    return;
  }
  if (!move(fake, half, half->address, copies ? half->to : half->address, half->length, 1u << 26,
            &moved, &last))
    return;
  half->waits = false;
  half->length = fake->too_much ? moved + (1u << 20) : moved;
  half->status |= IDLE;
  end(half);
}

static void chain(struct fake_vendor *fake, struct fake_axi_half *half) {
  const int number = half == &fake->half[1];
  const bool copies = fake->kind == FAKE_AXI_CDMA;
  while (half->chain && !fake->hang) {
    uint32_t words[8];
    uint32_t moved = 0;
    bool last = false;
    unsigned char *place = axm_test_fabric(fake->target, half->current, DESCRIPTOR);
    if (place == NULL) {
      fail(fake, half, SG_DECODE);
      return;
    }
    memcpy(words, place, sizeof words);
    const uint32_t bytes = words[6] & 0x3FFFFFFu;
    fake->objections +=
        half->current % DESCRIPTOR != 0 || bytes == 0 ||
        (number == 0 && !copies && (words[6] >> 27 & 1u) != (fake->stream.open == 0));
    if ((words[7] & COMPLETED) != 0) {
      fail(fake, half, STALE);
      return;
    }
    const uint32_t from = words[2];
    const uint32_t to = copies ? words[4] : words[2];
    if (fake->fault[number] != 0) {
      words[7] = COMPLETED | (fake->fault[number] & 0x70u) << 24;
      memcpy(place, words, sizeof words);
      fail(fake, half, fake->fault[number]);
      return;
    }
    if (!move(fake, half, from, to, bytes, words[6], &moved, &last))
      return;
    words[7] = COMPLETED | (copies ? 0 : (fake->too_much ? moved + (1u << 20) : moved));
    words[7] |= number == 1 && last ? 1u << 26 : 0;
    memcpy(place, words, sizeof words);
    axm_test_evict(fake->target, half->current, sizeof words);
    end(half);
    half->chain = half->current != half->tail;
    half->current = half->chain ? words[0] : half->current;
    half->status |= half->chain ? 0 : IDLE;
  }
}

static void work(struct fake_vendor *fake) {
  for (int n = 0; n < 2; ++n) {
    simple(fake, &fake->half[n]);
    chain(fake, &fake->half[n]);
    fake_msgdma_work(fake, n);
  }
}

static void control(struct fake_vendor *fake, struct fake_axi_half *half, uint32_t value) {
  if ((value & RESET) != 0) {
    if (fake->never_resets)
      half->control = RESET;
    else
      reset(fake);
    return;
  }
  const bool copies = fake->kind == FAKE_AXI_CDMA;
  if (copies && (half->status & IDLE) == 0 && ((value ^ half->control) & SG_MODE) != 0)
    ++fake->objections;
  fake->objections += (value >> 16 & 0xFFu) == 0;
  half->threshold = value >> 16 & 0xFFu;
  half->control = value;
  if (copies)
    return;
  if ((value & RS) != 0)
    half->status &= ~(uint32_t)HALTED;
  else if (!half->waits && !half->chain)
    half->status |= HALTED;
}

static void axi_write(struct fake_vendor *fake, struct fake_axi_half *half, uint32_t offset,
                      uint32_t value) {
  const bool copies = fake->kind == FAKE_AXI_CDMA;
  const bool runs = copies ? (half->status & IDLE) != 0 : (half->status & HALTED) == 0;
  switch (offset) {
  case DMACR:
    control(fake, half, value);
    break;
  case DMASR:
    fake->objections += (value & ~0x7000u) != 0;
    half->status &= ~(value & 0x7000u);
    break;
  case CURDESC:
    fake->objections += value % DESCRIPTOR != 0 || (!copies && runs);
    half->current = value;
    break;
  case TAILDESC:
    fake->objections += value % DESCRIPTOR != 0 || (half->status & ERRORS) != 0 ||
                        (copies ? (half->control & SG_MODE) == 0 : !runs);
    /* An engine that rests at a tail goes on behind it. */
    if ((half->status & IDLE) != 0 && half->tail != 0)
      memcpy(&half->current, axm_test_fabric(fake->target, half->tail, 4), 4);
    half->tail = value;
    half->chain = true;
    half->status &= ~(uint32_t)IDLE;
    break;
  case SA:
    half->address = value;
    break;
  case DA:
    half->to = value;
    break;
  case LENGTH:
    fake->objections += value == 0 || half->waits || !runs || (half->status & ERRORS) != 0;
    half->length = value;
    half->waits = true;
    half->status &= ~(uint32_t)IDLE;
    break;
  default:
    ++fake->objections;
  }
}

static uint32_t axi_read(const struct fake_axi_half *half, uint32_t offset) {
  return offset == DMACR ? half->control : offset == DMASR ? half->status : half->length;
}

/* A word of memory that is accessed as a register; NULL elsewhere. */
static unsigned char *memory_word(struct fake_vendor *fake, uint64_t address) {
  return address < FAKE_VENDOR_BASE ? axm_test_fabric(fake->target, address, 4) : NULL;
}

static enum axm_status fake_read(void *self, uint64_t address, uint32_t *value) {
  struct fake_vendor *fake = self;
  const uint32_t offset = (uint32_t)(address - FAKE_VENDOR_BASE);
  work(fake);
  if (memory_word(fake, address) != NULL)
    memcpy(value, memory_word(fake, address), 4);
  else if (fake->kind == FAKE_MSGDMA)
    *value = fake_msgdma_read(fake, (int)(offset / MSGDMA_STEP), offset % MSGDMA_STEP);
  else
    *value = axi_read(&fake->half[offset / S2MM], offset % S2MM);
  return AXM_OK;
}

static enum axm_status fake_write(void *self, uint64_t address, uint32_t value) {
  struct fake_vendor *fake = self;
  const uint32_t offset = (uint32_t)(address - FAKE_VENDOR_BASE);
  if (memory_word(fake, address) != NULL)
    memcpy(memory_word(fake, address), &value, 4);
  else if (fake->kind == FAKE_MSGDMA)
    fake_msgdma_write(fake, (int)(offset / MSGDMA_STEP), offset % MSGDMA_STEP, value);
  else
    axi_write(fake, &fake->half[offset / S2MM], offset % S2MM, value);
  work(fake);
  return AXM_OK;
}

static bool fake_irq(void *self) {
  struct fake_vendor *fake = self;
  work(fake);
  bool any = false;
  for (int n = 0; n < 2; ++n)
    any = any || (fake->half[n].status & fake->half[n].control & 0x7000u) != 0 ||
          fake_msgdma_irq(&fake->msgdma[n]);
  return any;
}

bool fake_stream_in(struct fake_stream *stream, const unsigned char *from, uint32_t bytes,
                    bool last) {
  if (bytes > FAKE_VENDOR_FIFO - stream->held || stream->packets == FAKE_VENDOR_PACKETS)
    return false;
  memcpy(stream->bytes + stream->held, from, bytes);
  stream->held += bytes;
  stream->open += bytes;
  if (last) {
    stream->packet[stream->packets++] = stream->open;
    stream->open = 0;
  }
  return true;
}

uint32_t fake_stream_out(struct fake_vendor *fake, uint64_t to, uint32_t room, bool *last) {
  struct fake_stream *stream = &fake->stream;
  if (stream->packets == 0)
    return 0;
  const uint32_t bytes = stream->packet[0] < room ? stream->packet[0] : room;
  memcpy(axm_test_fabric(fake->target, to, bytes), stream->bytes, bytes);
  axm_test_evict(fake->target, to, bytes); /* the worst moment for a dirty line */
  memmove(stream->bytes, stream->bytes + bytes, stream->held - bytes);
  stream->held -= bytes;
  stream->packet[0] -= bytes;
  *last = stream->packet[0] == 0;
  if (*last)
    memmove(&stream->packet[0], &stream->packet[1], 4 * --stream->packets);
  return bytes;
}

const struct axm_hal *fake_vendor(struct fake_vendor *fake, struct axm_test_target *target,
                                  enum fake_vendor_kind kind, bool scatter_gather) {
  const struct axm_test_device device = {
      .self = fake, .read32 = fake_read, .write32 = fake_write, .irq = fake_irq};
  memset(fake, 0, sizeof *fake);
  fake->target = target;
  fake->kind = kind;
  fake->scatter_gather = scatter_gather;
  reset(fake);
  return axm_hal_test(target, &device);
}
