/* Tests of the engines behind channels, on engines that are not there (engine_model.h), with a
 * cache that loses what is not maintained. */
#include <stdio.h>
#include <string.h>

#include "axm/channel.h"
#include "check.h"
#include "engine_model.h"
#include "fake.h"
#include "generated/dma.h"
#include "registers.h"

enum { SLOTS = 4, ROOM = 1000, PACKETS = 60 };

static struct axm_test_target target;
static struct engine_model model;
static struct axm_pair pair;
static struct axm_channel out, in;

static const char *const all[] = {"axi-dma", "axi-dma-sg", "axi-cdma", "axi-cdma-sg", "msgdma"};
enum {
  ENGINES = sizeof all / sizeof all[0],
  AXI_DMA = 0,
  AXI_DMA_SG,
  AXI_CDMA,
  AXI_CDMA_SG,
  MSGDMA
};

/* All that is sent in a test has room in the stream. */
static const struct axm_hal *made(const char *engine) {
  char name[64];
  (void)snprintf(name, sizeof name, "%s,fifo=131072", engine);
  return engine_model(&model, &target, name);
}

static struct axm_channel_config usual(bool cached) {
  return (struct axm_channel_config){.wait = AXM_WAIT_BOTH,
                                     .coherent = !cached,
                                     .slots = SLOTS,
                                     .slot_bytes = ROOM,
                                     .batch = 2,
                                     .timeout_ns = 10000000};
}

static void fresh(const char *engine, bool cached) {
  char kind[16] = "";
  memcpy(kind, engine, strcspn(engine, ","));
  const struct axm_hal *hal = made(engine);
  const struct axm_pair_spec spec = {
      .engine = kind, .hal = hal, .base = ENGINE_BASE, .slot_bytes = ROOM, .memory_bytes = 8192};
  const struct axm_channel_config config = usual(cached);
  target.cached = cached;
  target.seed = 1; /* without it a descriptor is not visible without a barrier */
  CHECK_EQUAL(axm_pair_open(&pair, &spec), AXM_OK);
  CHECK_EQUAL(axm_channel_open(&out, pair.send, &config), AXM_OK);
  CHECK_EQUAL(axm_channel_open(&in, pair.receive, &config), AXM_OK);
}

static void closed(void) {
  enum axm_status status = axm_channel_close(&out);
  CHECK_EQUAL(axm_channel_close(&in), AXM_OK);
  if (status == AXM_ERROR_BUSY) /* the halves are reset together */
    status = axm_channel_close(&out);
  CHECK_EQUAL(status, AXM_OK);
}

static uint32_t size_of(uint32_t packet) { return 1 + packet * 337 % ROOM; }

static void send(uint32_t packet) {
  unsigned char data[ROOM];
  memset(data, (int)(packet + 1), sizeof data);
  CHECK_EQUAL(axm_send(&out, data, size_of(packet)), AXM_OK);
}

static void receive(uint32_t packet) {
  struct axm_slot slot = {0};
  uint32_t wrong = 0;
  CHECK_EQUAL(axm_channel_next(&in, &slot), AXM_OK);
  CHECK_EQUAL(slot.bytes, size_of(packet));
  CHECK(slot.last);
  for (uint32_t i = 0; i < slot.bytes && i < ROOM; ++i)
    wrong += slot.data[i] != (unsigned char)(packet + 1);
  CHECK_EQUAL(wrong, 0);
  if (slot.data != NULL && packet % 3 == 0)
    memset(slot.data, 0xEE, slot.bytes);
  CHECK_EQUAL(axm_channel_give(&in, &slot), AXM_OK);
}

/* Packets of many sizes, several under way; then all comes to rest and the memory is given back. */
static void through(const char *engine, bool cached) {
  fresh(engine, cached);
  const uint32_t before = target.arena.count;
  uint32_t sent = 0;
  for (uint32_t came = 0; came < PACKETS; ++came) {
    for (; sent < PACKETS && sent < came + SLOTS; ++sent)
      send(sent);
    CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
    receive(came);
  }
  CHECK_EQUAL(axm_channel_flush(&out), AXM_OK);
  CHECK_EQUAL(in.counts.bytes, out.counts.bytes);
  CHECK(out.counts.doorbells < PACKETS);
  if (!cached)
    CHECK(target.invalidated <= 1); /* a mailbox's memory, before its use */
  closed();
  CHECK(target.arena.count < before);
  CHECK(!engine_objections(&model));
}

/* A packet that comes while a program sleeps wakes it. */
static void wakes(const char *engine) {
  fresh(engine, true);
  send(0);
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  in.config.wait = AXM_WAIT_INTERRUPT;
  receive(0);
  CHECK_EQUAL(in.engine->ops->interrupt_take(in.engine), AXM_OK);
  CHECK_EQUAL(out.engine->ops->interrupt_take(out.engine), AXM_OK);
  CHECK_EQUAL(target.hal.wait_irq(target.hal.self, 0), AXM_ERROR_TIMEOUT);
  send(1);
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  CHECK_EQUAL(target.hal.wait_irq(target.hal.self, 0), AXM_OK);
  receive(1);
  closed();
}

/* A transfer that ends with an error: of memory, or of the stream that is received. */
static void fails(const char *engine, enum axm_engine_cause cause, bool of_the_stream) {
  struct axm_slot slot;
  struct axm_engine_done done = {0};
  uint64_t address = 0;
  fresh(engine, true);
  const int half = strncmp(engine, "axi-cdma", 8) == 0 ? 0 : 1;
  struct axm_channel *channel = half == 0 ? &out : &in;
  model.fails[half] = !of_the_stream;
  model.response = of_the_stream ? 1 : 0;
  send(0);
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  CHECK_EQUAL(half == 0 ? axm_channel_flush(&out) : axm_channel_next(&in, &slot), AXM_ERROR_FAULT);
  CHECK_EQUAL(axm_channel_fault(channel, &done, &address), AXM_OK);
  CHECK_EQUAL(done.cause, cause);
  CHECK(done.code != 0);
  model.fails[half] = false;
  if (half == 0)
    (void)!axm_channel_flush(&out);
  closed();
  /* After the stop it works again. */
  const struct axm_channel_config config = usual(true);
  CHECK_EQUAL(axm_channel_open(&out, pair.send, &config), AXM_OK);
  CHECK_EQUAL(axm_channel_open(&in, pair.receive, &config), AXM_OK);
  if (half == 1)
    return; /* what was lost is the stream's affair */
  send(0);
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  receive(0);
}

static void says_too_much(const char *engine) {
  struct axm_slot slot;
  fresh(engine, true);
  model.too_much = true;
  send(0);
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  CHECK_EQUAL(axm_channel_next(&in, &slot), AXM_ERROR_STATE);
}

/* An engine that does not come to rest keeps its buffers. */
static void never_rests(const char *engine) {
  fresh(engine, true);
  model.hang = model.never_resets = true;
  const uint32_t before = target.arena.count;
  struct axm_engine_done done;
  send(0);
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  CHECK_EQUAL(out.engine->ops->poll(out.engine, &done), AXM_ERROR_EMPTY);
  CHECK(axm_channel_close(&out) != AXM_OK);
  CHECK(axm_channel_close(&in) != AXM_OK);
  CHECK(axm_channel_close(&out) != AXM_OK);
  CHECK_EQUAL(target.arena.count, before);
}

/* A packet that is longer than its buffer: in parts where the engine can, or a fault. */
static void longer(const char *engine, bool parts) {
  struct axm_slot slot = {0};
  struct axm_engine_done done = {0};
  uint64_t address = 0;
  fresh(engine, true);
  struct axm_channel_config shorter = usual(true);
  shorter.slot_bytes = 64;
  CHECK_EQUAL(axm_channel_close(&out), AXM_OK);
  CHECK_EQUAL(axm_channel_close(&in), AXM_OK);
  const struct axm_channel_config config = usual(true);
  CHECK_EQUAL(axm_channel_open(&out, pair.send, &config), AXM_OK);
  CHECK_EQUAL(axm_channel_open(&in, pair.receive, &shorter), AXM_OK);
  send(100); /* 701 bytes */
  CHECK_EQUAL(axm_channel_kick(&out), AXM_OK);
  if (!parts) {
    CHECK_EQUAL(axm_channel_next(&in, &slot), AXM_ERROR_FAULT);
    CHECK_EQUAL(axm_channel_fault(&in, &done, &address), AXM_OK);
    CHECK_EQUAL(done.cause, AXM_ENGINE_TOO_LONG);
    return;
  }
  uint32_t bytes = 0;
  for (bool last = false; !last && bytes < size_of(100); last = slot.last) {
    if (axm_channel_next(&in, &slot) != AXM_OK)
      break;
    bytes += slot.bytes;
    CHECK_EQUAL(axm_channel_give(&in, &slot), AXM_OK);
  }
  CHECK_EQUAL(bytes, size_of(100));
}

static void limits(void) {
  struct axm_engine engine = {
      .direction = AXM_ENGINE_SEND,
      .limits = {
          .queue = 1, .bytes = 100, .address_bits = 32, .address_align = 8, .length_align = 4}};
  struct axm_engine_transfer one = {.address = 64, .bytes = 100};
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_OK);
  one.bytes = 0;
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_ERROR_ARGUMENT);
  one.bytes = 104;
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_ERROR_RANGE);
  one.bytes = 3;
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_ERROR_RANGE);
  one = (struct axm_engine_transfer){.address = 63, .bytes = 4};
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_ERROR_RANGE);
  one.address = 0xFFFFFFF8u;
  one.bytes = 12;
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_ERROR_RANGE);
  one = (struct axm_engine_transfer){.address = 64, .source = 0x100000000u, .bytes = 4};
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_OK);
  engine.direction = AXM_ENGINE_COPY;
  CHECK_EQUAL(axm_engine_check(&engine, &one), AXM_ERROR_RANGE);
}

/* Impossible instances, and instances that contradict their registers. */
static void refused(void) {
  const struct axm_hal *hal = made("axi-dma-sg");
  struct axm_pair_spec spec = {.engine = "axi-dma", .hal = hal, .base = ENGINE_BASE};
  CHECK_EQUAL(axm_pair_open(&pair, &spec), AXM_ERROR_UNSUPPORTED);
  spec.engine = "axi-dma-sg";
  spec.length_bits = 27;
  CHECK_EQUAL(axm_pair_open(&pair, &spec), AXM_ERROR_ARGUMENT);
  spec.length_bits = 8;
  CHECK_EQUAL(axm_pair_open(&pair, &spec), AXM_OK);
  const struct axm_channel_config config = usual(true);
  CHECK_EQUAL(axm_channel_open(&out, pair.send, &config), AXM_ERROR_RANGE);
  spec.engine = "msgdma";
  spec.address_bits = 65;
  CHECK_EQUAL(axm_pair_open(&pair, &spec), AXM_ERROR_ARGUMENT);
  spec.engine = "axi-vdma";
  CHECK_EQUAL(axm_pair_open(&pair, &spec), AXM_ERROR_UNKNOWN);
  CHECK_EQUAL(strcmp(axm_engine_cause_name((enum axm_engine_cause)99), "invalid"), 0);
  CHECK_EQUAL(strcmp(axm_engine_cause_name(AXM_ENGINE_DECODE), "decode"), 0);
}

/* This project's ring, made to copy: many transfers by one doorbell, seen by one look. */
static void ring_copies(void) {
  static struct fake_design design;
  static struct axm_own_engine own;
  struct axm_device device;
  struct axm_block_info info;
  struct axm_dma dma;
  struct axm_memory memory;
  struct axm_engine_done done = {0};
  struct axm_engine_config config = {.queue = 6};
  const struct axm_hal *hal = fake_design(&design, &target);
  CHECK_EQUAL(axm_open(&device, hal, FAKE_BASE), AXM_OK);
  CHECK_EQUAL(axm_device_block(&device, FAKE_COPY, &info), AXM_OK);
  CHECK_EQUAL(axm_dma_open(&dma, &info), AXM_OK);
  CHECK_EQUAL(axm_own_ring_open(&own, &dma, AXM_ENGINE_SEND, 64), AXM_ERROR_UNSUPPORTED);
  CHECK_EQUAL(axm_own_ring_open(&own, &dma, AXM_ENGINE_COPY, 64), AXM_OK);
  const struct axm_engine_ops *ops = own.engine.ops;
  /* Two descriptors in a line that is written back would lose what the engine has written. */
  CHECK_EQUAL(ops->start(&own.engine, &config), AXM_ERROR_UNSUPPORTED);
  config.coherent = true;
  CHECK_EQUAL(ops->start(&own.engine, &config), AXM_OK);
  const uint32_t descriptors = *fake_word(&design, FAKE_COPY, AXM_DMA_RING_CONFIG);
  CHECK_EQUAL(AXM_GET(descriptors, AXM_DMA_RING_CONFIG__CACHE), AXM_CACHE_ALLOCATES);
  CHECK_EQUAL(hal->alloc(hal->self, 4096, 64, AXM_ANY_ADDRESS, &memory), AXM_OK);
  unsigned char *bytes = memory.memory;
  for (uint32_t n = 0; n < 6; ++n) {
    const struct axm_engine_transfer one = {.address = memory.bus_address + 2048 + 64 * n,
                                            .source = memory.bus_address + 64 * n,
                                            .bytes = 64};
    memset(bytes + 64 * n, (int)n + 1, 64);
    CHECK_EQUAL(ops->submit(&own.engine, &one), AXM_OK);
  }
  CHECK_EQUAL(ops->poll(&own.engine, &done), AXM_ERROR_EMPTY);
  CHECK_EQUAL(ops->give(&own.engine), AXM_OK);
  const uint64_t before = target.accesses;
  for (uint32_t n = 0; n < 6; ++n) {
    CHECK_EQUAL(ops->poll(&own.engine, &done), AXM_OK);
    CHECK_EQUAL(done.bytes, 64);
    CHECK_EQUAL(bytes[2048 + 64 * n + 63], n + 1);
  }
  CHECK_EQUAL(target.accesses - before, 1);
  CHECK_EQUAL(ops->poll(&own.engine, &done), AXM_ERROR_EMPTY);
  CHECK_EQUAL(ops->stop(&own.engine, 1000000), AXM_OK);
  CHECK_EQUAL(target.arena.count, 1);
}

/* What accesses must carry that are to find the processor's lines is the target's affair; a chip
 * that is not set up for it is not used so. */
static void coherent_accesses(void) {
  static struct fake_design design;
  static struct axm_pair own;
  const struct axm_pair_spec spec = {
      .engine = "axm", .hal = fake_design(&design, &target), .base = FAKE_BASE};
  struct axm_engine_config config = {.queue = 1};
  const uint32_t *half[2] = {fake_word(&design, FAKE_DMA0, AXM_DMA_RD_CONFIG),
                             fake_word(&design, FAKE_DMA0, AXM_DMA_WR_CONFIG)};
  CHECK_EQUAL(axm_pair_open(&own, &spec), AXM_OK);
  struct axm_engine *const engines[2] = {own.send, own.receive};
  target.hal.coherency = (struct axm_coherency){.cache = 0xB, .prot = AXM_PROT_NONSECURE};
  for (int n = 0; n < 2; ++n) {
    config.coherent = true;
    CHECK_EQUAL(engines[n]->ops->start(engines[n], &config), AXM_OK);
    CHECK_EQUAL(AXM_GET(*half[n], AXM_DMA_RD_CONFIG__CACHE), 0xB);
    CHECK_EQUAL(AXM_GET(*half[n], AXM_DMA_RD_CONFIG__PROT), AXM_PROT_NONSECURE);
    config.coherent = false;
    CHECK_EQUAL(engines[n]->ops->start(engines[n], &config), AXM_OK);
    CHECK_EQUAL(AXM_GET(*half[n], AXM_DMA_RD_CONFIG__CACHE), 0x3);
    CHECK_EQUAL(AXM_GET(*half[n], AXM_DMA_RD_CONFIG__PROT), 0);
  }
  target.hal.coherency.status = AXM_ERROR_COHERENCY;
  CHECK_EQUAL(own.send->ops->start(own.send, &config), AXM_OK);
  config.coherent = true;
  CHECK_EQUAL(own.send->ops->start(own.send, &config), AXM_ERROR_COHERENCY);
  for (int n = 0; n < ENGINES; ++n) {
    const struct axm_pair_spec vendor = {
        .engine = all[n], .hal = made(all[n]), .base = ENGINE_BASE};
    CHECK_EQUAL(axm_pair_open(&pair, &vendor), AXM_OK);
    target.hal.coherency.status = AXM_ERROR_COHERENCY;
    CHECK_EQUAL(pair.send->ops->start(pair.send, &config), AXM_ERROR_COHERENCY);
  }
}

void test_engines(void) {
  coherent_accesses();
  ring_copies();
  limits();
  refused();
  for (int n = 0; n < ENGINES; ++n) {
    through(all[n], true);
    through(all[n], false);
    wakes(all[n]);
    never_rests(all[n]);
  }
  /* What data's memory answers, as the bit of the status that says so. */
  fails("axi-dma,fault=64", AXM_ENGINE_DECODE, false);
  fails("axi-dma,fault=32", AXM_ENGINE_SLAVE, false);
  fails("axi-dma-sg,fault=64", AXM_ENGINE_DECODE, false);
  fails("axi-dma-sg,fault=32", AXM_ENGINE_SLAVE, false);
  fails("axi-dma-sg,fault=16", AXM_ENGINE_OTHER, false);
  fails("axi-cdma,fault=64", AXM_ENGINE_DECODE, false);
  fails("axi-cdma-sg,fault=32", AXM_ENGINE_SLAVE, false);
  fails("msgdma", AXM_ENGINE_OTHER, true);
  says_too_much(all[AXI_DMA]);
  says_too_much(all[AXI_DMA_SG]);
  says_too_much(all[MSGDMA]);
  longer(all[AXI_DMA], false);
  longer(all[AXI_DMA_SG], true);
  longer(all[MSGDMA], false);
}
