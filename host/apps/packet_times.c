/* The cost to the processor of a packet that goes into the fabric and comes back, one at a time,
 * for packets of 64 bytes to 32 KiB: without copying, or with a copy into and out of the channel's
 * buffers. The program's work on the contents is not counted, nor the time until a packet is back.
 *
 * A line for each size: packets that were back at the first poll; register accesses a packet, and
 * the processor's other time a packet, the mean of the middle half; wrong bytes. A packet that is
 * not back is waited for and not counted, and the pause before the next poll grows. The cost of
 * reading the clock is subtracted. A register access is one instruction and a long wait, so it is
 * counted, not timed. On an emulator whose instructions all take as long (QEMU with -icount) times
 * are numbers of instructions.
 */
#include "packet_times.h"

#include <string.h>

#include "app.h"
#include "axm/engines/pair.h"
#include "print.h"

enum { SLOTS = 4, MOST_PACKETS = 1024, TRIES = 256, MOST_RESTS = 4096, PATIENCE = 8 };
#define TIMEOUT_NS UINT64_C(5000000000)

static struct {
  const struct axm_packet_times_setup *setup;
  struct axm_channel out, in;
  uint32_t empty;           /* what reading the counter costs */
  uint32_t begun;           /* count at which a section began */
  uint32_t spent, accesses; /* of this packet */
  uint32_t rests;           /* until a packet is looked for */
  uint32_t counted;         /* packets, in the arrays below */
  uint64_t wrong;
  uint32_t costs[MOST_PACKETS], accesses_of[MOST_PACKETS];
  uint32_t there[AXM_TIMED_MOST / 4], back[AXM_TIMED_MOST / 4];
} run;

static uint32_t count(void) { return run.setup->count(run.setup->hal); }
static void begin(void) { run.begun = count(); }
static void end(void) { run.spent += count() - run.begun - run.empty; }

/* The mean of the middle half: a tick of an operating system is in some packets only. */
static uint32_t middle(uint32_t *values, uint32_t count) {
  for (uint32_t n = 1; n < count; ++n) {
    const uint32_t value = values[n];
    uint32_t at = n;
    for (; at > 0 && values[at - 1] > value; --at)
      values[at] = values[at - 1];
    values[at] = value;
  }
  uint64_t sum = 0;
  const uint32_t first = count / 4;
  const uint32_t behind = count - first;
  for (uint32_t n = first; n < behind; ++n)
    sum += values[n];
  return (uint32_t)((sum + (behind - first) / 2) / (behind - first));
}

static void calibrate(void) {
  run.empty = 0;
  for (int n = 0; n < TRIES; ++n) {
    run.spent = 0;
    begin();
    end();
    run.costs[n] = run.spent;
  }
  run.empty = middle(run.costs, TRIES);
}

static uint32_t word(uint32_t packet, uint32_t place) { return packet * 2654435761u + place; }

static void fill(void *to, uint32_t bytes, uint32_t packet) {
  unsigned char *at = to;
  for (uint32_t n = 0; n < bytes / 4; ++n, at += 4) {
    const uint32_t value = word(packet, n);
    memcpy(at, &value, 4);
  }
}

static void check(const void *from, uint32_t bytes, uint32_t wanted, uint32_t packet) {
  const unsigned char *at = from;
  if (bytes != wanted) {
    run.wrong += wanted;
    return;
  }
  for (uint32_t n = 0; n < bytes / 4; ++n, at += 4) {
    const uint32_t value = word(packet, n);
    run.wrong += memcmp(at, &value, 4) != 0 ? 4 : 0;
  }
}

static enum axm_status send(uint32_t bytes, uint32_t packet) {
  const struct axm_copying_calls *calls = run.setup->calls;
  if (run.setup->copies) {
    fill(run.there, bytes, packet);
    begin();
    const enum axm_status sent = calls != NULL ? calls->send(calls->self, run.there, bytes)
                                               : axm_send(&run.out, run.there, bytes);
    end();
    return sent;
  }
  struct axm_slot slot;
  begin();
  const enum axm_status status = axm_channel_next(&run.out, &slot);
  end();
  if (status != AXM_OK)
    return status;
  fill(slot.data, bytes, packet);
  slot.bytes = bytes;
  begin();
  const enum axm_status given = axm_channel_give(&run.out, &slot);
  end();
  return given;
}

static enum axm_status receive(uint32_t bytes, uint32_t packet) {
  const struct axm_copying_calls *calls = run.setup->calls;
  if (run.setup->copies) {
    uint32_t got = 0;
    enum axm_status came = AXM_ERROR_EMPTY;
    while (came == AXM_ERROR_EMPTY) {
      begin();
      came = calls != NULL ? calls->receive(calls->self, run.back, AXM_TIMED_MOST, &got)
                           : axm_receive(&run.in, run.back, AXM_TIMED_MOST, &got);
      if (came == AXM_ERROR_EMPTY)
        run.setup->rest(run.setup->hal, bytes);
    }
    end();
    if (came == AXM_OK)
      check(run.back, got, bytes, packet);
    return came;
  }
  struct axm_slot slot;
  begin();
  const enum axm_status status = axm_channel_next(&run.in, &slot);
  end();
  if (status != AXM_OK)
    return status;
  check(slot.data, slot.bytes, bytes, packet);
  slot.bytes = 0; /* it was only read */
  begin();
  const enum axm_status given = axm_channel_give(&run.in, &slot);
  end();
  return given;
}

static enum axm_status all(uint32_t bytes) {
  enum axm_status status = AXM_OK;
  const uint32_t most = run.setup->packets * PATIENCE;
  for (uint32_t n = 0; n < most && run.counted < run.setup->packets; ++n) {
    run.spent = run.accesses = 0;
    const uint64_t looks = run.out.counts.looks + run.in.counts.looks;
    status = send(bytes, n);
    if (status != AXM_OK)
      return status;
    for (uint32_t rest = 0; rest < run.rests; ++rest)
      run.setup->rest(run.setup->hal, bytes);
    status = receive(bytes, n);
    if (status != AXM_OK)
      return status;
    if (run.out.counts.looks + run.in.counts.looks != looks) {
      run.rests *= run.rests < MOST_RESTS ? 2 : 1; /* it waited, which is not counted */
      continue;
    }
    /* Until all buffers have been used once sending is cheaper: none has to be taken back. */
    if (n < SLOTS)
      continue;
    run.costs[run.counted] = run.spent;
    run.accesses_of[run.counted++] = run.accesses;
  }
  return run.counted > 0 ? AXM_OK : AXM_ERROR_TIMEOUT;
}

static enum axm_status open(void) {
  const struct axm_channel_config config = {.wait = AXM_WAIT_LOOK,
                                            .coherent = run.setup->coherent,
                                            .slots = SLOTS,
                                            .slot_bytes = AXM_TIMED_MOST,
                                            .timeout_ns = TIMEOUT_NS};
  const enum axm_status status = axm_channel_open(&run.out, run.setup->send, &config);
  if (status != AXM_OK)
    return status;
  const enum axm_status opened = axm_channel_open(&run.in, run.setup->receive, &config);
  if (opened != AXM_OK)
    (void)!axm_channel_close(&run.out);
  return opened;
}

static enum axm_status close(void) {
  const enum axm_status status = axm_channel_close(&run.out);
  const enum axm_status closed = axm_channel_close(&run.in);
  return status != AXM_OK ? status : closed;
}

static void row(uint32_t bytes, uint64_t wrong) {
  const struct axm_packet_times_setup *setup = run.setup;
  axm_print_number(setup->hal, bytes, 10, 8);
  axm_print_number(setup->hal, run.counted, 10, 8);
  axm_print_number(setup->hal, middle(run.accesses_of, run.counted), 10, 9);
  axm_print_number(setup->hal, middle(run.costs, run.counted), 10, 13);
  axm_print_number(setup->hal, wrong, 10, 7);
  axm_print(setup->hal, "\n");
}

static enum axm_status size(uint32_t bytes) {
  const uint64_t before = run.wrong;
  enum axm_status status = run.setup->calls == NULL ? open() : AXM_OK;
  if (status != AXM_OK)
    return status;
  calibrate();
  run.counted = 0;
  run.rests = 1;
  status = all(bytes);
  const enum axm_status closed = run.setup->calls == NULL ? close() : AXM_OK;
  if (status == AXM_OK)
    row(bytes, run.wrong - before);
  return status != AXM_OK ? status : closed;
}

int axm_packet_times(const struct axm_packet_times_setup *setup) {
  enum axm_status status =
      setup->packets == 0 || setup->packets > MOST_PACKETS ? AXM_ERROR_ARGUMENT : AXM_OK;
  run.setup = setup;
  run.wrong = 0;
  axm_print_origin(setup->hal);
  axm_print(setup->hal, "   bytes packets accesses ");
  axm_print(setup->hal, setup->unit);
  axm_print(setup->hal, "  wrong\n");
  for (uint32_t n = 0; n < setup->sizes_count && status == AXM_OK; ++n)
    status = size(setup->sizes[n]);
  return axm_print_end(setup->hal, status, run.wrong);
}

/* ---- an image ------------------------------------------------------------------------------- */

#ifndef AXM_ENGINE
#ifdef __aarch64__
#define AXM_ENGINE "axm" /* cache lines are longer than a ring's descriptors */
#else
#define AXM_ENGINE "axm-ring"
#endif
#endif
#ifndef AXM_PACKETS
#define AXM_PACKETS 100
#endif
#ifndef AXM_COHERENT
#define AXM_COHERENT false /* true: no buffer is maintained */
#endif
#ifndef AXM_COPIES
#define AXM_COPIES false
#endif
#ifndef AXM_SPEC
#define AXM_SPEC .base = base
#endif
#ifndef AXM_SIZES
#define AXM_SIZES 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768
#endif

/* The target's, with accesses apart: on an emulator each is a message to the fabric. */
static struct axm_hal apart;
static const struct axm_hal *within;

static uint32_t now(const struct axm_hal *hal) { return (uint32_t)hal->now_ns(hal->self); }

static void access_ends(uint32_t began) {
  run.spent -= now(within) - began + run.empty;
  ++run.accesses;
}

static enum axm_status read_apart(void *self, uint64_t address, uint32_t *value) {
  const uint32_t began = now(within);
  const enum axm_status status = within->read32(self, address, value);
  access_ends(began);
  return status;
}

static enum axm_status write_apart(void *self, uint64_t address, uint32_t value) {
  const uint32_t began = now(within);
  const enum axm_status status = within->write32(self, address, value);
  access_ends(began);
  return status;
}

/* Longer than a packet takes at 50 MB/s each way. */
static void rest(const struct axm_hal *hal, uint32_t bytes) {
  hal->idle_ns(hal->self, 10000 + (uint64_t)bytes * 20);
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  static struct axm_pair pair;
  static const uint32_t sizes[] = {AXM_SIZES};
  within = hal;
  apart = *hal;
  apart.read32 = read_apart;
  apart.write32 = write_apart;
  const struct axm_pair_spec spec = {.engine = AXM_ENGINE, .hal = &apart, AXM_SPEC};
  (void)base;
  const enum axm_status status = axm_pair_open(&pair, &spec);
  const struct axm_packet_times_setup setup = {
      .hal = hal,
      .send = pair.send,
      .receive = pair.receive,
      .copies = AXM_COPIES,
      .coherent = AXM_COHERENT,
      .sizes = sizes,
      .sizes_count = sizeof sizes / sizeof sizes[0],
      .packets = AXM_PACKETS,
      .unit = "          ns",
      .count = now,
      .rest = rest,
  };
  if (status == AXM_OK)
    return axm_packet_times(&setup);
  axm_print(hal, "failed: " AXM_ENGINE ": ");
  axm_print(hal, axm_status_text(status));
  axm_print(hal, "\n");
  return 1;
}
