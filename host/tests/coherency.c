/* Packets and copies in memory that loses what is not maintained (hal/test.h), over every engine
 * that there is a model of: this project's (fake.h), others' (lab/engines/), the PL330
 * (fake_pl330.h).
 *
 *   coherency ENGINE MODE
 *
 * ENGINE: axm, axm-ring (it copies, with a mailbox), axi-dma, axi-dma-sg, axi-cdma, axi-cdma-sg,
 * msgdma, axi-traffic-gen (what it reads is looked up in its RAM), pl330. MODE: cached: the port
 * sees memory; coherent: it looks into the caches; private: it would, but the memory is not
 * shareable. Exit status: 0 if every byte is right; 1 with a line that names the fault; 2 for
 * bad usage.
 */
#include <stdio.h>
#include <string.h>

#include "axm/engines/pair.h"
#include "engine_model.h"
#include "fake.h"
#include "fake_pl330.h"
#include "generated/dma.h"
#include "registers.h"

enum { SEEDS = 6, PACKETS = 48, SLOTS = 4, ROOM = 1500, COPIES = 40, COPY_ROOM = 8192 };
enum { GENERATED = 2048, TURNS = 4 };
#define TIMEOUT_NS UINT64_C(10000000)

static struct axm_test_target target;
static struct engine_model model;
static struct axm_test_device behind;
static const char *engine;
static bool coherent, shareable;

/* A word of memory that the processor reaches past its caches, where mailboxes are. */
static unsigned char *word_at(uint64_t address) { return axm_test_fabric(&target, address, 4); }

static enum axm_status get(void *self, uint64_t address, uint32_t *value) {
  const unsigned char *word = word_at(address);
  if (word == NULL)
    return behind.read32(self, address, value);
  memcpy(value, word, sizeof *value);
  return AXM_OK;
}

static enum axm_status put(void *self, uint64_t address, uint32_t value) {
  unsigned char *word = word_at(address);
  if (word == NULL)
    return behind.write32(self, address, value);
  memcpy(word, &value, sizeof value);
  return AXM_OK;
}

/* The engine's registers behind a target whose memory an earlier owner has left dirty. */
static const struct axm_hal *fresh(uint32_t seed) {
  static struct fake_design design;
  static struct fake_pl330 pl330;
  struct axm_memory all;
  const struct axm_hal *hal = NULL;
  if (strncmp(engine, "axm", 3) == 0) {
    hal = fake_design(&design, &target);
    for (uint32_t block = FAKE_PORT0; block < FAKE_BLOCKS; ++block)
      if (block == FAKE_DMA0 || block == FAKE_COPY)
        *fake_word(&design, block, AXM_DMA_CAPS) |= AXM_DMA_CAPS__UNALIGNED_MASK;
  } else if (strcmp(engine, "pl330") == 0) {
    hal = fake_pl330(&pl330, &target);
  } else {
    hal = engine_model(&model, &target, engine);
    model.slow = true;
  }
  behind = target.device;
  target.device.read32 = get;
  target.device.write32 = put;
  target.cached = true;
  target.line = AXM_TEST_SHORT_LINE;
  target.seed = seed * 77777u;
  target.keeps = seed % 2 == 0;
  if (hal->alloc(hal->self, AXM_TEST_MEMORY_BYTES, 64, AXM_ANY_ADDRESS, &all) != AXM_OK)
    return NULL;
  target.coherent = coherent;
  target.shareable = shareable;
  memset(all.memory, 0xEE, (size_t)all.size);
  if (coherent && shareable) /* those lines are as visible as others */
    hal->barrier(hal->self);
  if (hal->release(hal->self, &all) != AXM_OK)
    return NULL;
  return hal;
}

static unsigned char byte_of(uint32_t packet, uint32_t at) {
  return (unsigned char)(packet * 13u + at * 5u + (at >> 8) + 1u);
}

static uint32_t wrong_bytes(const unsigned char *data, uint32_t bytes, uint32_t packet) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    wrong += data[i] != byte_of(packet, i);
  return wrong;
}

static uint32_t length_of(uint32_t packet) { return 1 + packet * 397u % ROOM; }

static enum axm_status send(struct axm_channel *out, uint32_t packet) {
  struct axm_slot slot;
  AXM_TRY(axm_channel_next(out, &slot));
  slot.bytes = length_of(packet);
  for (uint32_t i = 0; i < slot.bytes; ++i)
    slot.data[i] = byte_of(packet, i);
  return axm_channel_give(out, &slot);
}

static enum axm_status receive(struct axm_channel *in, uint32_t packet, uint32_t *wrong) {
  struct axm_slot slot;
  AXM_TRY(axm_channel_next(in, &slot));
  *wrong += slot.bytes != length_of(packet) ? ROOM : wrong_bytes(slot.data, slot.bytes, packet);
  memset(slot.data, 0x77, slot.bytes); /* the packet is the caller's, until it is given back */
  return axm_channel_give(in, &slot);
}

static enum axm_status stream(struct axm_engine *sender, struct axm_engine *receiver,
                              uint32_t *wrong) {
  static struct axm_channel out, in;
  const struct axm_channel_config config = {
      .wait = AXM_WAIT_BOTH,
      .coherent = coherent,
      .slots = SLOTS,
      .slot_bytes = ROOM,
      .batch = 2,
      .timeout_ns = TIMEOUT_NS,
  };
  AXM_TRY(axm_channel_open(&out, sender, &config));
  AXM_TRY(axm_channel_open(&in, receiver, &config));
  uint32_t sent = 0;
  for (uint32_t came = 0; came < PACKETS; ++came) {
    for (; sent < PACKETS && sent < came + SLOTS; ++sent)
      AXM_TRY(send(&out, sent));
    AXM_TRY(axm_channel_kick(&out));
    AXM_TRY(receive(&in, came, wrong));
  }
  AXM_TRY(axm_channel_close(&out));
  return axm_channel_close(&in);
}

/* This project's engine as it copies by a ring; the pair would take the first that it finds. */
static enum axm_status ring(const struct axm_hal *hal, uint32_t *wrong) {
  static struct axm_own_engine own;
  static struct axm_mailbox box;
  enum { BYTES = 65536, PAGE = 4096 };
  struct axm_device device;
  struct axm_block_info info;
  struct axm_dma dma;
  struct axm_memory memory;
  AXM_TRY(axm_open(&device, hal, FAKE_BASE));
  AXM_TRY(axm_device_block(&device, FAKE_COPY, &info));
  AXM_TRY(axm_dma_open(&dma, &info));
  AXM_TRY(axm_own_ring_open(&own, &dma, AXM_ENGINE_COPY, AXM_TEST_SHORT_LINE));
  AXM_TRY(hal->alloc(hal->self, BYTES, PAGE, AXM_ANY_ADDRESS, &memory));
  AXM_TRY(hal->invalidate(hal->self, &memory, 0, BYTES));
  AXM_TRY(axm_mailbox_open(&box, &own.engine, memory.bus_address, memory.bus_address, BYTES, ROOM));
  AXM_TRY(axm_mailbox_clear(&box));
  return stream(axm_mailbox_engine(&box, AXM_ENGINE_SEND),
                axm_mailbox_engine(&box, AXM_ENGINE_RECEIVE), wrong);
}

static enum axm_status pair(const struct axm_hal *hal, uint32_t *wrong) {
  static struct axm_pair pair;
  const struct axm_pair_spec spec = {
      .engine = engine,
      .hal = hal,
      .base = FAKE_BASE,
      .line_bytes = AXM_TEST_SHORT_LINE,
      .slot_bytes = ROOM,
      .memory_bytes = 65536,
  };
  AXM_TRY(axm_pair_open(&pair, &spec));
  return stream(pair.send, pair.receive, wrong);
}

/* One turn of the generator: it reads what the processor wrote, and the processor what it wrote. */
static enum axm_status turn(struct axm_traffic_gen *core, const struct axm_memory *from,
                            const struct axm_memory *to, uint32_t number, uint32_t *wrong) {
  enum { RAM = 0xD000 };
  const struct axm_hal *hal = core->hal;
  const struct axm_engine_config config = {.queue = 1, .coherent = coherent};
  for (uint32_t i = 0; i < GENERATED; ++i)
    ((unsigned char *)from->memory)[i] = byte_of(number, i);
  memset(to->memory, 0x5A, GENERATED);
  if (!coherent) {
    AXM_TRY(hal->clean(hal->self, from, 0, GENERATED));
    AXM_TRY(hal->clean(hal->self, to, 0, GENERATED));
    AXM_TRY(hal->invalidate(hal->self, to, 0, GENERATED));
  }
  for (uint32_t n = 0; n < 2; ++n)
    AXM_TRY(core->half[n].engine.ops->start(&core->half[n].engine, &config));
  for (uint32_t n = 0; n < 2; ++n) {
    const struct axm_engine_transfer one = {
        .address = (n == 0 ? from : to)->bus_address, .bytes = GENERATED, .last = true};
    AXM_TRY(core->half[n].engine.ops->submit(&core->half[n].engine, &one));
  }
  for (uint32_t n = 0; n < 2; ++n) {
    struct axm_engine *half = &core->half[n].engine;
    struct axm_engine_done done;
    enum axm_status status = half->ops->give(half);
    for (uint32_t looks = 0; status == AXM_OK && looks < 1000; ++looks)
      if ((status = half->ops->poll(half, &done)) == AXM_ERROR_EMPTY)
        status = hal->wait_irq(hal->self, 1000) == AXM_ERROR_DEAD ? AXM_ERROR_DEAD : AXM_OK;
      else
        break;
    AXM_TRY(status);
    *wrong += done.cause != AXM_ENGINE_OK || done.bytes != GENERATED;
    AXM_TRY(half->ops->stop(half, TIMEOUT_NS));
  }
  hal->barrier(hal->self);
  if (!coherent)
    AXM_TRY(hal->invalidate(hal->self, to, 0, GENERATED));
  for (uint32_t i = 0; i < GENERATED; i += 4) {
    uint32_t word = 0;
    AXM_TRY(hal->read32(hal->self, FAKE_BASE + RAM + i, &word));
    for (uint32_t byte = 0; byte < 4; ++byte)
      *wrong += (unsigned char)(word >> 8 * byte) != byte_of(number, i + byte);
    memcpy(&word, (unsigned char *)to->memory + i, sizeof word);
    *wrong += word != i / 4;
  }
  return AXM_OK;
}

static enum axm_status generator(const struct axm_hal *hal, uint32_t *wrong) {
  static struct axm_traffic_gen core;
  struct axm_memory from, to;
  core =
      (struct axm_traffic_gen){.hal = hal, .base = FAKE_BASE, .data_bytes = 8, .address_bits = 32};
  AXM_TRY(axm_traffic_gen_open(&core));
  AXM_TRY(hal->alloc(hal->self, GENERATED, 4096, AXM_ANY_ADDRESS, &from));
  AXM_TRY(hal->alloc(hal->self, GENERATED, 4096, AXM_ANY_ADDRESS, &to));
  for (uint32_t n = 0; n < TURNS; ++n)
    AXM_TRY(turn(&core, &from, &to, n, wrong));
  return AXM_OK;
}

static enum axm_status copies(const struct axm_hal *hal, uint32_t *wrong) {
  static struct axm_pl330 pl330;
  const struct axm_pl330_config config = {
      .burst_beats = 16, .coherent = coherent, .timeout_ns = TIMEOUT_NS};
  struct axm_memory from, to;
  AXM_TRY(axm_pl330_open(&pl330, hal, FAKE_PL330_BASE, &config));
  AXM_TRY(hal->alloc(hal->self, COPY_ROOM, 64, AXM_ANY_ADDRESS, &from));
  AXM_TRY(hal->alloc(hal->self, COPY_ROOM, 64, AXM_ANY_ADDRESS, &to));
  for (uint32_t n = 0; n < COPIES; ++n) {
    const uint32_t bytes = length_of(n);
    const uint32_t from_at = n * 37 % 1024, to_at = n * 53 % 1024;
    unsigned char *const there = (unsigned char *)from.memory + from_at;
    unsigned char *const here = (unsigned char *)to.memory + to_at;
    for (uint32_t i = 0; i < bytes; ++i)
      there[i] = byte_of(n, i);
    memset(to.memory, 0x5A, COPY_ROOM);
    AXM_TRY(axm_pl330_copy(&pl330, 0, &to, to_at, &from, from_at, bytes));
    if (n % 8 == 7) { /* what has come by then is seen */
      AXM_TRY(axm_pl330_stop(&pl330, 0));
      *wrong += memcmp(here, axm_test_fabric(&target, to.bus_address + to_at, bytes), bytes) != 0;
      continue;
    }
    AXM_TRY(axm_pl330_wait(&pl330, 0, TIMEOUT_NS));
    *wrong += wrong_bytes(here, bytes, n) + (here[bytes] != 0x5A);
    *wrong += to_at > 0 && here[-1] != 0x5A;
  }
  return axm_pl330_close(&pl330);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  engine = argv[1];
  coherent = strcmp(argv[2], "cached") != 0;
  shareable = strcmp(argv[2], "private") != 0;
  /* Without a seed nothing becomes visible by itself, and polling memory never ends. */
  for (uint32_t seed = 1; seed <= SEEDS; ++seed) {
    uint32_t wrong = 0;
    const struct axm_hal *hal = fresh(seed);
    if (hal == NULL)
      return 2;
    const enum axm_status status = strcmp(engine, "pl330") == 0             ? copies(hal, &wrong)
                                   : strcmp(engine, "axi-traffic-gen") == 0 ? generator(hal, &wrong)
                                   : strcmp(engine, "axm-ring") == 0        ? ring(hal, &wrong)
                                                                            : pair(hal, &wrong);
    if (engine_objections(&model) || status != AXM_OK || wrong != 0) {
      printf("%s, %s, seed %u: %s, %u bytes wrong\n", engine, argv[2], seed,
             axm_status_name(status), wrong);
      return 1;
    }
  }
  return 0;
}
