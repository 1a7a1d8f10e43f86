/* mSGDMAs that are not there, one that sends and one that receives: see fake_vendor.h. */
#include <string.h>

#include "fake_vendor.h"

enum { STATUS = 0, CONTROL = 4, FILL = 8, RESPONSE_FILL = 12, DESCRIPTOR = 0x20, RESPONSE = 0x40 };
enum { BUSY = 1, RESETTING = 0x40, ON_ERROR = 0x80, ON_EARLY = 0x100, IRQ = 0x200 };
enum { EARLY = 0x100, EOP_GENERATED = 1 << 9, END_ON_EOP = 1 << 12, TRANSFER_IRQ = 1 << 14 };
enum { LAST_WORD = 7 };

static void end(struct fake_msgdma *one, uint32_t bytes, uint32_t status, bool responds) {
  if (responds) {
    one->response[one->responses].bytes = bytes;
    one->response[one->responses++].status = status;
  }
  if ((one->queue[0].control & TRANSFER_IRQ) != 0 && (one->control & 0x10u) != 0)
    one->status |= IRQ;
  memmove(&one->queue[0], &one->queue[1], sizeof one->queue[0] * --one->queued);
}

void fake_msgdma_work(struct fake_vendor *fake, int number) {
  struct fake_msgdma *one = &fake->msgdma[number];
  while (one->queued > 0 && !fake->hang && (one->status & (ON_ERROR | ON_EARLY)) == 0) {
    const uint32_t bytes = one->queue[0].bytes;
    if (number == 0) {
      if (!fake_stream_in(&fake->stream, axm_test_fabric(fake->target, one->queue[0].from, bytes),
                          bytes, (one->queue[0].control & EOP_GENERATED) != 0))
        return;
      end(one, bytes, 0, false);
      continue;
    }
    bool last = false;
    const uint32_t moved = fake_stream_out(fake, one->queue[0].to, bytes, &last);
    if (moved == 0 || one->responses == 2 * FAKE_VENDOR_DESCRIPTORS)
      return;
    fake->objections += (one->queue[0].control & END_ON_EOP) == 0;
    end(one, fake->too_much ? moved + (1u << 20) : moved, (last ? 0 : EARLY) | fake->fault[1],
        true);
    if (!last)
      one->status |= ON_EARLY;
    if (fake->fault[1] != 0)
      one->status |= ON_ERROR;
  }
}

uint32_t fake_msgdma_read(struct fake_vendor *fake, int number, uint32_t offset) {
  struct fake_msgdma *one = &fake->msgdma[number];
  switch (offset) {
  case STATUS: /* what is in hand is no longer in the queue */
    return one->status | (one->queued > 0 ? BUSY : 0) |
           ((one->control & 2u) != 0 && fake->never_resets ? RESETTING : 0);
  case FILL:
    return (one->queued > 0 ? one->queued - 1 : 0) << (number == 0 ? 0 : 16);
  case RESPONSE_FILL:
    return one->responses;
  case RESPONSE:
    fake->objections += one->responses == 0;
    return one->response[0].bytes;
  case RESPONSE + 4: {
    const uint32_t status = one->response[0].status;
    if (one->responses > 0)
      memmove(&one->response[0], &one->response[1], sizeof one->response[0] * --one->responses);
    return status;
  }
  default:
    ++fake->objections;
    return 0;
  }
}

void fake_msgdma_write(struct fake_vendor *fake, int number, uint32_t offset, uint32_t value) {
  struct fake_msgdma *one = &fake->msgdma[number];
  if (offset == STATUS) {
    one->status &= ~(value & IRQ);
  } else if (offset == CONTROL) {
    one->control = value;
    if ((value & 2u) != 0)
      one->queued = one->responses = one->status = 0;
  } else if (offset >= DESCRIPTOR && offset < DESCRIPTOR + 32) {
    const uint32_t n = (offset - DESCRIPTOR) / 4;
    one->word[n] = value;
    if (n != LAST_WORD)
      return;
    fake->objections += (value >> 31) == 0 || one->queued == FAKE_VENDOR_DESCRIPTORS ||
                        one->word[2] == 0 || one->word[4] != 0x10001u;
    if (one->queued == FAKE_VENDOR_DESCRIPTORS)
      return;
    one->queue[one->queued].from = one->word[0];
    one->queue[one->queued].to = one->word[1];
    one->queue[one->queued].bytes = one->word[2];
    one->queue[one->queued++].control = value;
  } else {
    ++fake->objections;
  }
}

bool fake_msgdma_irq(const struct fake_msgdma *one) {
  return (one->control & 0x10u) != 0 && (one->status & IRQ) != 0;
}
