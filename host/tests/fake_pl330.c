/* A PL330 that is not there: see fake_pl330.h. */
#include "fake_pl330.h"

#include <string.h>

enum { CHANNELS = 4, BUFFER = 2048, LINES = 128, FUEL = 1 << 20 };
enum { UNDEFINED = 1 << 0, OPERAND = 1 << 1, FETCH = 1 << 16, WRITE = 1 << 17, READ = 1 << 18 };

struct thread {
  struct fake_pl330 *fake;
  uint32_t number, at, from, to, control;
  uint32_t counters[2];
  unsigned char buffer[BUFFER];
  uint32_t held;
};

static uint32_t field(uint32_t word, int shift, int bits) {
  return word >> shift & ((1u << bits) - 1);
}

static void object(struct thread *thread, bool when) {
  if (when)
    ++thread->fake->objections;
}

/* A burst of one side: `shift` 0 for the source, 14 for the destination. */
static uint32_t burst(struct thread *thread, uint32_t *address, int shift, bool reads) {
  const uint32_t size = 1u << field(thread->control, shift + 1, 3);
  const uint32_t bytes = size * (field(thread->control, shift + 4, 4) + 1);
  const uint64_t broken = thread->fake->broken;
  object(thread, size > thread->fake->bus_bytes);
  object(thread, *address % size != 0);                             /* no narrow lanes needed */
  object(thread, *address / 4096 != (*address + bytes - 1) / 4096); /* AXI */
  object(thread, field(thread->control, shift, 1) == 0);            /* a fixed address */
  unsigned char *const place = axm_test_fabric(thread->fake->target, *address, bytes);
  if (place == NULL || (broken >= *address && broken < *address + bytes))
    return reads ? READ : WRITE;
  if (reads ? thread->held + bytes > BUFFER : thread->held < bytes)
    return OPERAND;
  if (reads) {
    memcpy(thread->buffer + thread->held, place, bytes);
    thread->held += bytes;
  } else {
    memcpy(place, thread->buffer, bytes);
    thread->held -= bytes;
    memmove(thread->buffer, thread->buffer + bytes, thread->held);
  }
  *address += bytes;
  ++thread->fake->bursts;
  return 0;
}

static uint32_t word_at(const unsigned char *code) {
  return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
         (uint32_t)code[3] << 24;
}

/* DMAMOV: 10111100 00000rrr, a word. */
static uint32_t moved(struct thread *thread, const unsigned char *code) {
  uint32_t *const registers[3] = {&thread->from, &thread->control, &thread->to};
  if (code[1] > 2)
    return OPERAND;
  *registers[code[1]] = word_at(code + 2);
  thread->at += 6;
  return 0;
}

/* DMALP: 001000c0, one less than the count. DMALPEND: 001f1cxx, how far back. */
static uint32_t looped(struct thread *thread, const unsigned char *code) {
  if ((code[0] & 0xFD) == 0x20) {
    thread->counters[code[0] >> 1 & 1] = code[1];
    thread->at += 2;
    return 0;
  }
  uint32_t *const counter = &thread->counters[code[0] >> 2 & 1];
  if (*counter == 0) {
    thread->at += 2;
    return 0;
  }
  --*counter;
  thread->at -= code[1];
  return 0;
}

/* One instruction; 0, the bits of a fault, or UINT32_MAX at the end. */
static uint32_t step(struct thread *thread) {
  const unsigned char *const code = axm_test_fabric(thread->fake->target, thread->at, 6);
  if (code == NULL)
    return FETCH;
  if (code[0] == 0xBC)
    return moved(thread, code);
  if ((code[0] & 0xFD) == 0x20 || (code[0] & 0xFB) == 0x38)
    return looped(thread, code);
  switch (code[0]) {
  case 0x00:
    return UINT32_MAX;
  case 0x04:
    ++thread->at;
    return burst(thread, &thread->from, 0, true);
  case 0x08:
    ++thread->at;
    return burst(thread, &thread->to, 14, false);
  case 0x12:
  case 0x13:
  case 0x18:
    ++thread->at;
    return 0;
  default:
    return UNDEFINED;
  }
}

static void go(struct fake_pl330 *fake, uint32_t number, uint32_t at) {
  struct thread thread = {.fake = fake, .number = number, .at = at};
  uint32_t end = 0;
  for (int fuel = FUEL; end == 0 && fuel > 0; --fuel)
    end = step(&thread);
  object(&thread, end == 0);                              /* it does not end */
  object(&thread, end == UINT32_MAX && thread.held != 0); /* data stay behind */
  fake->status[number] = end == UINT32_MAX ? 1 : 15;
  fake->type[number] = end == UINT32_MAX ? 0 : end;
  fake->counter[number] = thread.at;
  fake->waits[number] = fake->polls;
}

static void executed(struct fake_pl330 *fake) {
  const uint32_t first = fake->instruction[0];
  const bool thread = (first & 1) != 0;
  const uint32_t code = first >> 16 & 0xFF;
  const uint32_t number = thread ? first >> 8 & 7 : first >> 24 & 7;
  if (!thread && (code & 0xFD) == 0xA0 && fake->status[number] == 0)
    go(fake, number, fake->instruction[1]);
  else if (thread && code == 0x01)
    fake->status[number] = fake->type[number] = 0;
  else
    ++fake->objections;
}

static enum axm_status read32(void *self, uint64_t address, uint32_t *value) {
  static const uint32_t identity[4] = {0x30, 0x13, 0x04, 0x00};
  struct fake_pl330 *fake = self;
  const uint64_t at = address - FAKE_PL330_BASE;
  *value = 0;
  if (address < FAKE_PL330_BASE || at >= 0x1000)
    return AXM_ERROR_BUS;
  const uint32_t number = (uint32_t)(at >> 3 & 7);
  if (at == 0x34) {
    for (uint32_t i = 0; i < CHANNELS; ++i)
      *value |= (uint32_t)(fake->status[i] == 15) << i;
  } else if (at >= 0x40 && at < 0x60) {
    *value = fake->type[at >> 2 & 7];
  } else if (at >= 0x100 && at < 0x140 && at % 8 == 0) {
    *value = fake->status[number];
    if (*value == 1 && fake->waits[number]-- == 0)
      *value = fake->status[number] = 0;
  } else if (at >= 0x100 && at < 0x140) {
    *value = fake->counter[number];
  } else if (at == 0xD00) {
    *value = fake->stuck;
  } else if (at == 0xE00) {
    *value = (CHANNELS - 1) << 4;
  } else if (at == 0xE14) {
    *value = (LINES - 1) << 20;
    while (1u << (*value & 7) < fake->bus_bytes)
      ++*value;
  } else if (at >= 0xFE0 && at < 0xFF0) {
    *value = identity[(at - 0xFE0) / 4];
  }
  return AXM_OK;
}

static enum axm_status write32(void *self, uint64_t address, uint32_t value) {
  struct fake_pl330 *fake = self;
  const uint64_t at = address - FAKE_PL330_BASE;
  if (at == 0xD08 || at == 0xD0C)
    fake->instruction[at == 0xD0C] = value;
  else if (at == 0xD04 && value == 0)
    executed(fake);
  else
    ++fake->objections;
  return AXM_OK;
}

const struct axm_hal *fake_pl330(struct fake_pl330 *fake, struct axm_test_target *target) {
  *fake = (struct fake_pl330){.target = target, .bus_bytes = 8};
  const struct axm_test_device device = {.self = fake, .read32 = read32, .write32 = write32};
  return axm_hal_test(target, &device);
}
