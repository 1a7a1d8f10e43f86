/* Packets through the fabric and back, each byte checked: the same program on every target, over
 * every engine, and the same table, to the letter; lines that begin with # are of this run only.
 *
 * A packet's length is 1 to 65535 bytes: first the edges, then drawn so that each octave is as
 * likely as another. Its contents follow from its number. Several are under way; those of even
 * numbers are copied, the others sent and received in place. `wrong` counts bytes; `sum` is the
 * checksum of the received bytes.
 */
#include "packets.h"

#include <string.h>

#include "app.h"
#include "axm/engines/pair.h"
#include "print.h"

enum { SLOTS = 4, BATCH = 2, CLASSES = 6, STALE = 1000 };
#define TIMEOUT_NS UINT64_C(5000000000)
#define SIGN_NS UINT64_C(10000000000)

static const uint32_t edges[] = {
    1,  2,   3,   4,   5,    7,    8,    9,    15,   16,   17,   31,    32,    33,    63,    64,
    65, 127, 128, 129, 1499, 1500, 4095, 4096, 4097, 8191, 8192, 16383, 16384, 32768, 65534, 65535};
static const struct {
  uint32_t most;
  const char *name;
} classes[CLASSES] = {{63, "    1-63   "},   {255, "   64-255  "},   {1023, "  256-1023 "},
                      {4095, " 1024-4095 "}, {16383, " 4096-16383"}, {65535, "16384-65535"}};

struct run {
  const struct axm_hal *hal;
  const struct axm_packets_setup *setup;
  struct axm_channel out, in;
  uint64_t sign_ns; /* when it gave the last sign of life */
  struct row {
    uint32_t packets, sum;
    uint64_t bytes, wrong;
  } rows[CLASSES];
  uint32_t there[(AXM_PACKET_MOST + 3) / 4], back[(AXM_PACKET_MOST + 3) / 4];
};

static void text(const struct run *run, const char *words) { axm_print(run->hal, words); }

static void number(const struct run *run, uint64_t value, unsigned base, size_t width) {
  axm_print_number(run->hal, value, base, width);
}

/* Numerical Recipes' congruential generator, and Knuth's multiplier to spread a packet's number. */
static uint32_t next(uint32_t state) { return state * 1664525u + 1013904223u; }
static uint32_t seed(uint32_t packet) { return next(packet * 2654435761u); }

static uint32_t length(uint32_t packet) {
  if (packet < sizeof edges / sizeof edges[0])
    return edges[packet];
  const uint32_t octave = UINT32_C(1) << (seed(packet) >> 28);
  return octave + (next(seed(packet)) >> 16) % octave;
}

/* The contents of a packet in words, the last of them cut. */
static void fill(void *to, uint32_t bytes, uint32_t packet) {
  unsigned char *at = to;
  uint32_t word = seed(packet);
  for (; bytes >= 4; bytes -= 4, at += 4) {
    word = next(word);
    memcpy(at, &word, 4);
  }
  word = next(word);
  memcpy(at, &word, bytes);
}

static uint32_t differing(uint32_t one, uint32_t other, uint32_t bytes) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < bytes; ++n)
    count += (one >> 8 * n & 0xFFu) != (other >> 8 * n & 0xFFu);
  return count;
}

/* Holds a packet against what it must be. Bytes that are missing or too many are wrong. */
static void check(struct run *run, const void *from, uint32_t bytes, bool last, uint32_t packet) {
  const unsigned char *at = from;
  const uint32_t wanted = length(packet);
  int class = 0;
  while (classes[class].most < wanted)
    ++class;
  struct row *row = &run->rows[class];
  ++row->packets;
  row->bytes += wanted;
  if (!run->in.engine->limits.lengths)
    bytes = wanted;
  if (bytes != wanted || !last) {
    row->wrong += wanted;
    return;
  }
  uint32_t word = seed(packet);
  for (uint32_t left = bytes; left > 0;) {
    const uint32_t part = left < 4 ? left : 4;
    uint32_t found = 0;
    word = next(word);
    memcpy(&found, at, part);
    row->sum = (row->sum << 5 | row->sum >> 27) ^ found;
    if (found != word)
      row->wrong += differing(found, word, part);
    at += part;
    left -= part;
  }
}

static enum axm_status send(struct run *run, uint32_t packet) {
  struct axm_slot slot;
  const uint32_t bytes = length(packet);
  if (packet % 2 == 0) {
    fill(run->there, bytes, packet);
    return axm_send(&run->out, run->there, bytes);
  }
  const enum axm_status status = axm_channel_next(&run->out, &slot);
  if (status != AXM_OK)
    return status;
  fill(slot.data, bytes, packet);
  slot.bytes = bytes;
  return axm_channel_give(&run->out, &slot);
}

static enum axm_status receive(struct run *run, uint32_t packet) {
  struct axm_slot slot;
  uint32_t bytes = 0;
  if (packet % 2 == 0) {
    const enum axm_status came = axm_receive(&run->in, run->back, AXM_PACKET_MOST, &bytes);
    if (came == AXM_OK)
      check(run, run->back, bytes, true, packet);
    return came;
  }
  const enum axm_status status = axm_channel_next(&run->in, &slot);
  if (status != AXM_OK)
    return status;
  check(run, slot.data, slot.bytes, slot.last, packet);
  slot.bytes = 0; /* it was only read */
  return axm_channel_give(&run->in, &slot);
}

/* A sign of life: the table may take long. */
static void still_there(struct run *run, uint32_t came) {
  const uint64_t now_ns = run->hal->now_ns(run->hal->self);
  if (now_ns - run->sign_ns < SIGN_NS)
    return;
  run->sign_ns = now_ns;
  text(run, "# ");
  number(run, came, 10, 0);
  text(run, " packets\n");
}

static enum axm_status all(struct run *run) {
  enum axm_status status = AXM_OK;
  uint32_t sent = 0;
  run->sign_ns = run->hal->now_ns(run->hal->self);
  for (uint32_t came = 0; came < run->setup->packets && status == AXM_OK; ++came) {
    for (; sent < run->setup->packets && sent < came + SLOTS && status == AXM_OK; ++sent)
      status = send(run, sent);
    if (status == AXM_OK)
      status = axm_channel_kick(&run->out);
    if (status == AXM_OK)
      status = receive(run, came);
    still_there(run, came);
  }
  return status == AXM_OK ? axm_channel_flush(&run->out) : status;
}

static enum axm_status wait(struct run *run, uint64_t timeout_ns) {
  struct axm_engine *engine = run->in.engine;
  return engine->ops->wait != NULL ? engine->ops->wait(engine, timeout_ns)
                                   : run->hal->wait_irq(run->hal->self, timeout_ns);
}

/* Clears causes until no interrupt is left. Senders interrupt as well: both causes are cleared
 * before each wait: an interrupt that is forwarded late, as into a virtual machine, stays until the
 * device is accessed again. */
static enum axm_status quiet(struct run *run) {
  struct axm_engine *const engines[] = {run->out.engine, run->in.engine};
  for (int looks = 0; looks < STALE; ++looks) {
    enum axm_status status = AXM_OK;
    for (int n = 0; n < 2 && status == AXM_OK; ++n)
      if (engines[n]->ops->interrupt_take != NULL)
        status = engines[n]->ops->interrupt_take(engines[n]);
    if (status == AXM_OK)
      status = wait(run, 0);
    if (status != AXM_OK)
      return status;
  }
  text(run, "# the interrupt stays up after its cause was cleared\n");
  return AXM_ERROR_STATE;
}

/* Whether a packet that comes wakes who does not look. */
static enum axm_status woken(struct run *run) {
  uint32_t bytes = 0;
  enum axm_status status = quiet(run);
  if (status == AXM_ERROR_UNSUPPORTED)
    text(run, "# no interrupt is connected\n");
  if (status != AXM_ERROR_TIMEOUT)
    return status == AXM_ERROR_UNSUPPORTED ? AXM_OK : status;
  fill(run->there, 64, 0);
  status = axm_send(&run->out, run->there, 64);
  if (status == AXM_OK)
    status = axm_channel_kick(&run->out);
  if (status != AXM_OK)
    return status;
  const enum axm_status came = wait(run, TIMEOUT_NS);
  text(run, came == AXM_OK ? "# the interrupt came\n" : "# no interrupt came\n");
  status = axm_receive(&run->in, run->back, AXM_PACKET_MOST, &bytes);
  return status == AXM_OK ? came : status;
}

static enum axm_status open(struct run *run) {
  const struct axm_packets_setup *setup = run->setup;
  const struct axm_channel_config config = {.wait = setup->wait,
                                            .coherent = setup->coherent,
                                            .slots = SLOTS,
                                            .slot_bytes = AXM_PACKET_MOST + 1,
                                            .batch = BATCH,
                                            .timeout_ns = TIMEOUT_NS};
  struct axm_channel_config shorter = config;
  if (setup->receive->limits.bytes < config.slot_bytes ||
      setup->send->limits.bytes < config.slot_bytes)
    shorter.slot_bytes = AXM_PACKET_MOST;
  const enum axm_status status = axm_channel_open(&run->out, setup->send, &shorter);
  if (status != AXM_OK)
    return status;
  const enum axm_status opened = axm_channel_open(&run->in, setup->receive, &shorter);
  if (opened != AXM_OK)
    (void)!axm_channel_close(&run->out);
  return opened;
}

static void table(const struct run *run, uint64_t duration_ns) {
  text(run, "      bytes packets       total  wrong       sum\n");
  for (int class = 0; class < CLASSES; ++class) {
    const struct row *row = &run->rows[class];
    text(run, classes[class].name);
    number(run, row->packets, 10, 8);
    number(run, row->bytes, 10, 12);
    number(run, row->wrong, 10, 7);
    text(run, "  ");
    number(run, row->sum, 16, 8);
    text(run, "\n");
  }
  text(run, "# engine ");
  text(run, run->in.engine->ops->name);
  text(run, " on ");
  text(run, run->hal->target);
  text(run, ":");
  number(run, duration_ns / 1000000, 10, 0);
  text(run, " ms, doorbells ");
  number(run, run->out.counts.doorbells + run->in.counts.doorbells, 10, 0);
  text(run, ", interrupts ");
  number(run, run->out.counts.interrupts + run->in.counts.interrupts, 10, 0);
  text(run, "\n");
}

static void fault(const struct run *run, const struct axm_channel *channel, const char *which) {
  struct axm_engine_done done;
  uint64_t address = 0;
  if (axm_channel_fault(channel, &done, &address) != AXM_OK)
    return;
  text(run, which);
  text(run, axm_engine_cause_text(done.cause));
  text(run, ", code ");
  number(run, done.code, 16, 8);
  text(run, " at ");
  number(run, address, 16, 8);
  text(run, "\n");
}

static enum axm_status whole(struct run *run) {
  const struct axm_hal *hal = run->hal;
  enum axm_status status = open(run);
  if (status != AXM_OK)
    return status;
  const uint64_t begin = hal->now_ns(hal->self);
  status = all(run);
  table(run, hal->now_ns(hal->self) - begin);
  if (status == AXM_OK && run->setup->wait != AXM_WAIT_LOOK && run->in.engine->limits.interrupt)
    status = woken(run);
  fault(run, &run->out, "# sending: ");
  fault(run, &run->in, "# receiving: ");
  /* An engine whose halves are reset together may need both stopped. */
  enum axm_status ends[2] = {axm_channel_close(&run->out), axm_channel_close(&run->in)};
  if (ends[0] == AXM_ERROR_BUSY)
    ends[0] = axm_channel_close(&run->out);
  return status != AXM_OK ? status : ends[0] != AXM_OK ? ends[0] : ends[1];
}

int axm_packets(const struct axm_packets_setup *setup) {
  static struct run run;
  memset(&run, 0, sizeof run);
  run.hal = setup->send->hal;
  run.setup = setup;
  const enum axm_status status = whole(&run);
  uint64_t wrong = 0;
  for (int class = 0; class < CLASSES; ++class)
    wrong += run.rows[class].wrong;
  return axm_print_end(run.hal, status, wrong);
}

/* An image's engine, number of packets, and what else the engine's spec has. */
#ifndef AXM_ENGINE
#define AXM_ENGINE "axm"
#endif
#ifndef AXM_PACKETS
#define AXM_PACKETS 200
#endif
#ifndef AXM_COHERENT
#define AXM_COHERENT false /* true: on a port that sees the processor's caches */
#endif
#ifndef AXM_SPEC
#define AXM_SPEC .base = base
#endif

int axm_app(const struct axm_hal *hal, uint64_t base) {
  static struct axm_pair pair;
  const struct axm_pair_spec spec = {.engine = AXM_ENGINE, .hal = hal, AXM_SPEC};
  (void)base;
  const enum axm_status status = axm_pair_open(&pair, &spec);
  const struct axm_packets_setup setup = {
      .send = pair.send,
      .receive = pair.receive,
      .packets = AXM_PACKETS,
      .wait = AXM_WAIT_BOTH,
      .coherent = AXM_COHERENT,
  };
  if (status == AXM_OK)
    return axm_packets(&setup);
  axm_print(hal, "failed: " AXM_ENGINE ": ");
  axm_print(hal, axm_status_text(status));
  axm_print(hal, "\n");
  return 1;
}
