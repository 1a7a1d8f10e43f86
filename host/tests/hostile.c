/* Devices that answer what no design would: see hostile.h. */
#include "hostile.h"

#include "axm/engines/pair.h"

#include <string.h>

enum { DYING_READS = 40, WAIT_NS = 100000, RECORDS = 130 };

static uint32_t chance(struct hostile *device) {
  device->state = device->state * 1664525u + 1013904223u;
  return device->state ^ device->state >> 16;
}

static uint32_t food(struct hostile *device) {
  uint32_t word = 0;
  for (int i = 0; i < 4 && device->left > 0; ++i, --device->left)
    word |= (uint32_t)*device->food++ << (8 * i);
  return word;
}

uint32_t hostile_draw(struct hostile *device) {
  return device->kind == HOSTILE_FED ? food(device) : chance(device);
}

static enum axm_status hostile_read(void *self, uint64_t address, uint32_t *value) {
  struct hostile *device = self;
  const uint64_t number = device->reads++;
  switch (device->kind) {
  case HOSTILE_ONES:
    *value = UINT32_MAX;
    return AXM_OK;
  case HOSTILE_ZEROS:
    *value = 0;
    return AXM_OK;
  case HOSTILE_ALTERNATE:
    *value = number % 2 == 0 ? UINT32_MAX : 0;
    return AXM_OK;
  case HOSTILE_COUNTING:
    *value = (uint32_t)number;
    return AXM_OK;
  case HOSTILE_STUCK:
    *value = (uint32_t)address * 0x9E3779B1u ^ device->state;
    return AXM_OK;
  case HOSTILE_SLOW:
    device->target->now_ns += 1000000000u;
    *value = chance(device);
    return AXM_OK;
  case HOSTILE_BUS_ERROR:
    return AXM_ERROR_BUS;
  case HOSTILE_DYING:
    *value = chance(device);
    return number > DYING_READS ? AXM_ERROR_BUS : AXM_OK;
  case HOSTILE_FED:
    *value = food(device);
    return AXM_OK;
  default:
    *value = chance(device);
    return AXM_OK;
  }
}

static enum axm_status hostile_write(void *self, uint64_t address, uint32_t value) {
  const struct hostile *device = self;
  (void)address;
  (void)value;
  return device->kind == HOSTILE_BUS_ERROR ? AXM_ERROR_BUS : AXM_OK;
}

/* An interrupt that speaks at random, so that both ways out of a wait are gone. */
static bool hostile_irq(void *self) {
  struct hostile *device = self;
  return device->kind == HOSTILE_ONES ||
         (device->kind != HOSTILE_ZEROS && chance(device) % 64 == 0);
}

const struct axm_hal *hostile_device(struct hostile *device, struct axm_test_target *target,
                                     enum hostile_kind kind, uint32_t seed) {
  memset(device, 0, sizeof *device);
  device->kind = kind;
  device->state = seed;
  device->target = target;
  const struct axm_test_device behind = {
      .self = device, .read32 = hostile_read, .write32 = hostile_write, .irq = hostile_irq};
  return axm_hal_test(target, &behind);
}

/* What the calls have in common. */
struct trial {
  struct hostile *device;
  const struct axm_hal *hal;
  uint64_t before, most;
  uint32_t strange;
};

static enum axm_status told(struct trial *t, enum axm_status status) {
  const uint64_t accesses = t->device->target->accesses - t->before;
  t->before = t->device->target->accesses;
  t->most = accesses > t->most ? accesses : t->most;
  t->strange += strcmp(axm_status_name(status), "invalid") == 0 || *axm_status_text(status) == '\0';
  return status;
}

/* Makes a call and stores its status, which may be anything. */
#define CALL(call) (void)told(t, (call))

static struct axm_block_info made_up(struct trial *t, uint32_t type, uint32_t version) {
  return (struct axm_block_info){
      .block = {.hal = t->hal, .base = hostile_draw(t->device)},
      .index = hostile_draw(t->device) % 80,
      .type = type,
      .port = hostile_draw(t->device) % 256,
      .map_version = version,
      .caps = hostile_draw(t->device),
      .caps2 = hostile_draw(t->device),
  };
}

static void device_calls(struct trial *t) {
  struct axm_device device = {.hal = t->hal, .base = 0x1000, .blocks = 64};
  struct axm_device_info design;
  struct axm_block_info info;
  CALL(axm_open(&device, t->hal, hostile_draw(t->device)));
  CALL(axm_device_describe(&device, &design));
  CALL(axm_device_block(&device, hostile_draw(t->device) % 70, &info));
  CALL(axm_device_find(&device, (enum axm_block_type)(hostile_draw(t->device) % 16), AXM_NO_PORT,
                       hostile_draw(t->device) % 4, &info));
  const struct axm_block block = {.hal = t->hal, .base = hostile_draw(t->device)};
  uint32_t word = 0;
  uint64_t wide = 0;
  CALL(axm_read(&block, 0, &word));
  CALL(axm_read64(&block, 8, &wide));
  CALL(axm_write(&block, 0, word));
  CALL(axm_write64(&block, 8, wide));
}

static void dma_calls(struct trial *t) {
  struct hostile *d = t->device;
  const struct axm_block_info info = made_up(t, AXM_BLOCK_DMA, 1);
  struct axm_dma dma = {.block = info.block, .caps = info.caps};
  struct axm_dma_caps caps;
  struct axm_dma_done done = {0};
  struct axm_start start = {0};
  bool one = false;
  bool two = false;
  CALL(axm_dma_open(&dma, &info));
  axm_dma_describe(&dma, &caps);
  for (uint32_t n = 0; n < 20; ++n)
    t->strange += *axm_dma_cause_name((enum axm_dma_cause)n) == '\0' ||
                  *axm_dma_cause_text((enum axm_dma_cause)n) == '\0';
  const struct axm_dma_config config = {.burst_beats = hostile_draw(d) % 300,
                                        .outstanding = hostile_draw(d) % 70,
                                        .cache = hostile_draw(d) % 17};
  for (int n = 0; n < 2; ++n) {
    const enum axm_dma_half half = (enum axm_dma_half)n;
    const struct axm_dma_transfer transfer = {.address = (uint64_t)hostile_draw(d)
                                                         << (hostile_draw(d) % 32),
                                              .source = hostile_draw(d),
                                              .bytes = hostile_draw(d)};
    CALL(axm_dma_configure(&dma, half, &config));
    CALL(axm_dma_set_timeout(&dma, hostile_draw(d)));
    CALL(axm_dma_prepare(&dma, half, &transfer, &start));
    CALL(axm_dma_submit(&dma, half, &transfer));
    CALL(axm_start(t->hal, &start));
    CALL(axm_dma_poll(&dma, half, &done));
    CALL(axm_dma_wait(&dma, half, WAIT_NS, &done));
    t->strange += *axm_dma_cause_name(done.cause) == '\0';
    CALL(axm_dma_busy(&dma, half, &one));
    CALL(axm_dma_abort(&dma, half, WAIT_NS));
    CALL(axm_dma_forget(&dma, half));
    CALL(axm_dma_interrupts(&dma, true, true, hostile_draw(d) % 300, hostile_draw(d) % 20000));
    CALL(axm_dma_interrupts_take(&dma, &one, &two));
  }
}

static void ring_calls(struct trial *t) {
  struct hostile *d = t->device;
  const struct axm_block_info info = made_up(t, AXM_BLOCK_DMA, 1);
  struct axm_memory memory = {0};
  CALL(t->hal->alloc(t->hal->self, 2048, 2048, AXM_ANY_ADDRESS, &memory));
  if (memory.memory == NULL)
    return;
  /* With a ring's needs filled in, so that it opens whatever the device reports. */
  const struct axm_dma dma = {.block = info.block, .caps = info.caps | 0x2000000Bu};
  struct axm_dma_ring ring = {.dma = dma, .half = AXM_DMA_WRITE, .memory = memory, .entries = 64};
  struct axm_dma_done done;
  struct axm_start start;
  const struct axm_dma_transfer transfer = {.address = hostile_draw(d), .bytes = hostile_draw(d)};
  CALL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &memory));
  for (uint32_t n = hostile_draw(d) % 70; n > 0; --n)
    CALL(axm_dma_ring_push(&ring, &transfer, n % 2 == 0));
  axm_dma_ring_start(&ring, &start);
  CALL(axm_dma_ring_give(&ring));
  for (int n = 0; n < 70; ++n)
    CALL(axm_dma_ring_take(&ring, &done));
  t->strange += (uint16_t)(ring.written - ring.taken) > ring.entries;
  CALL(axm_dma_ring_close(&ring, WAIT_NS));
  CALL(t->hal->release(t->hal->self, &memory));
}

static void watch_calls(struct trial *t) {
  struct hostile *d = t->device;
  const struct axm_block_info watched = made_up(t, AXM_BLOCK_MONITOR, 1);
  struct axm_monitor monitor = {.block = watched.block};
  struct axm_counters counters;
  CALL(axm_monitor_open(&monitor, &watched));
  CALL(axm_monitor_start(&monitor));
  CALL(axm_monitor_resume(&monitor));
  CALL(axm_monitor_stop(&monitor));
  CALL(axm_monitor_read(&monitor, &counters));
  const struct axm_block_info sniffed = made_up(t, AXM_BLOCK_SNIFFER, 1);
  struct axm_sniffer sniffer;
  struct axm_sniffer_status status;
  struct axm_sniffer_slot slot;
  struct axm_sniffer_record record;
  t->strange += axm_sniffer_bin(hostile_draw(d)) < 15 && axm_sniffer_bin(UINT32_MAX) < 224;
  if (told(t, axm_sniffer_open(&sniffer, &sniffed)) != AXM_OK)
    sniffer = (struct axm_sniffer){.block = sniffed.block, .slots = 8, .records = 128};
  t->strange += sniffer.slots > AXM_SNIFFER_SLOTS;
  CALL(axm_sniffer_start(&sniffer));
  CALL(axm_sniffer_stop(&sniffer));
  CALL(axm_sniffer_read(&sniffer, &status));
  for (uint32_t n = 0; n < 10; ++n)
    CALL(axm_sniffer_read_slot(&sniffer, n, &slot));
  for (uint32_t n = 0; n < RECORDS; ++n)
    CALL(axm_sniffer_read_record(&sniffer, n % 9, n, &record));
}

static void stream_calls(struct trial *t) {
  struct hostile *d = t->device;
  struct axm_block_info info = made_up(t, AXM_BLOCK_SOURCE, 1);
  struct axm_source source = {.block = info.block};
  struct axm_sink sink = {.block = info.block};
  struct axm_loopback loopback = {.block = info.block};
  struct axm_counter counter = {.block = info.block};
  struct axm_sink_counts counts;
  uint32_t one = 0;
  uint32_t two = 0;
  uint64_t clocks = axm_stream_word(hostile_draw(d), hostile_draw(d));
  CALL(axm_source_open(&source, &info));
  CALL(axm_source_configure(&source, 1, hostile_draw(d)));
  CALL(axm_source_enable(&source, true));
  CALL(axm_source_beats(&source, &one));
  info.type = AXM_BLOCK_SINK;
  CALL(axm_sink_open(&sink, &info));
  CALL(axm_sink_configure(&sink, true, 1, hostile_draw(d) % 300, hostile_draw(d) % 300));
  CALL(axm_sink_read(&sink, &counts));
  info.type = AXM_BLOCK_LOOPBACK;
  CALL(axm_loopback_open(&loopback, &info));
  CALL(axm_loopback_configure(&loopback, hostile_draw(d)));
  CALL(axm_loopback_clear(&loopback));
  CALL(axm_loopback_level(&loopback, &one, &two));
  info.type = AXM_BLOCK_COUNTER;
  CALL(axm_counter_open(&counter, &info));
  CALL(axm_counter_read(&counter, &clocks));
}

static void traffic_calls(struct trial *t) {
  struct hostile *d = t->device;
  const struct axm_block_info info = made_up(t, AXM_BLOCK_TRAFFIC, 2);
  struct axm_traffic traffic = {.block = info.block, .caps = info.caps};
  struct axm_traffic_caps caps;
  struct axm_traffic_errors errors = {0};
  struct axm_counters counters;
  struct axm_start start;
  bool one = false;
  bool two = false;
  CALL(axm_traffic_open(&traffic, &info));
  axm_traffic_describe(&traffic, &caps);
  const struct axm_traffic_config config = {
      .base = (uint64_t)hostile_draw(d) << (hostile_draw(d) % 33),
      .region = (uint64_t)hostile_draw(d) << (hostile_draw(d) % 33),
      .pattern = (enum axm_traffic_pattern)(hostile_draw(d) % 4),
      .stride = hostile_draw(d),
      .stop = (enum axm_traffic_stop)(hostile_draw(d) % 5),
      .limit = hostile_draw(d),
      .burst_beats = hostile_draw(d) % 260,
      .outstanding = hostile_draw(d) % 260,
      .gap = hostile_draw(d) % 70000,
      .user = hostile_draw(d)};
  for (int n = 0; n < 2; ++n) {
    const enum axm_dma_half half = (enum axm_dma_half)n;
    CALL(axm_traffic_check(&traffic, half, &config));
    CALL(axm_traffic_configure(&traffic, half, &config));
    CALL(axm_traffic_read_errors(&traffic, half, &errors));
  }
  for (uint32_t n = 0; n < 20; ++n) {
    const char *name = axm_traffic_error_name(errors.kinds, n);
    t->strange += name != NULL && (*name == '\0' || n > 10);
  }
  CALL(axm_traffic_set_seed(&traffic, 1));
  CALL(axm_traffic_set_timeout(&traffic, hostile_draw(d)));
  CALL(axm_traffic_prepare(&traffic, true, true, &start));
  CALL(axm_traffic_busy(&traffic, &one, &two));
  CALL(axm_traffic_stop(&traffic, true, true));
  CALL(axm_traffic_forget(&traffic));
  CALL(axm_traffic_counters(&traffic, &counters));
}

/* Any engine: its answers may be anything, the number of calls is bounded. */
static void engine_calls(struct trial *t, struct axm_engine *engine) {
  struct hostile *d = t->device;
  const struct axm_engine_ops *ops = engine->ops;
  const struct axm_engine_config config = {.queue = 1 + hostile_draw(d) % 8,
                                           .burst_beats = hostile_draw(d) % 17,
                                           .coherent = hostile_draw(d) % 2 == 0,
                                           .coalesce = hostile_draw(d) % 300};
  struct axm_memory memory = {0};
  uint32_t polled = 0;
  CALL(t->hal->alloc(t->hal->self, 4096, 64, AXM_ANY_ADDRESS, &memory));
  if (memory.memory == NULL)
    return;
  if (told(t, ops->start(engine, &config)) == AXM_OK) {
    for (int n = 0; n < 12; ++n) {
      const struct axm_engine_transfer one = {.address = memory.bus_address,
                                              .source = memory.bus_address,
                                              .bytes = hostile_draw(d) % 4096,
                                              .last = hostile_draw(d) % 4 != 0};
      struct axm_engine_done done = {0};
      CALL(ops->submit(engine, &one));
      CALL(ops->give(engine));
      if (ops->interrupt_take != NULL)
        CALL(ops->interrupt_take(engine));
      if (told(t, ops->poll(engine, &done)) == AXM_OK) {
        ++polled;
        t->strange +=
            done.bytes > 4096 || strcmp(axm_engine_cause_name(done.cause), "invalid") == 0;
      }
    }
    t->strange += polled > 12;
    if (ops->interrupt_enable != NULL)
      CALL(ops->interrupt_enable(engine, true));
    CALL(ops->stop(engine, WAIT_NS));
    CALL(ops->stop(engine, WAIT_NS));
  }
  CALL(t->hal->release(t->hal->self, &memory));
}

static void vendor_calls(struct trial *t) {
  static const char *const names[] = {"axi-dma", "axi-dma-sg", "axi-cdma", "axi-cdma-sg", "msgdma"};
  static struct axm_pair pair;
  for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
    const struct axm_pair_spec spec = {.engine = names[n],
                                       .hal = t->hal,
                                       .base = hostile_draw(t->device),
                                       .slot_bytes = 4096,
                                       .memory = 0x20000000u,
                                       .words = 0x20000000u,
                                       .memory_bytes = 16384};
    CALL(axm_pair_open(&pair, &spec));
    if (pair.send == NULL || pair.receive == NULL)
      continue;
    engine_calls(t, pair.send);
    engine_calls(t, pair.receive);
  }
}

static void own_calls(struct trial *t) {
  static struct axm_own_engine own;
  const struct axm_block_info info = made_up(t, AXM_BLOCK_DMA, 1);
  for (int n = 0; n < 3; ++n) {
    /* With each one's needs filled in, so that it opens whatever the device reports. */
    const struct axm_dma dma = {.block = info.block,
                                .caps = (info.caps & ~0xCu) | 0x20100003u | (n == 2 ? 0xCu : 0x8u)};
    const enum axm_engine_direction direction = (enum axm_engine_direction)n;
    if (told(t, axm_own_engine_open(&own, &dma, direction)) == AXM_OK)
      engine_calls(t, &own.engine);
    if (told(t, axm_own_ring_open(&own, &dma, direction, 32)) == AXM_OK)
      engine_calls(t, &own.engine);
  }
}

uint64_t hostile_calls(struct hostile *device, const struct axm_hal *hal, uint32_t *strange) {
  struct trial trial = {.device = device, .hal = hal};
  trial.before = device->target->accesses;
  device_calls(&trial);
  dma_calls(&trial);
  ring_calls(&trial);
  watch_calls(&trial);
  stream_calls(&trial);
  traffic_calls(&trial);
  vendor_calls(&trial);
  own_calls(&trial);
  *strange += trial.strange;
  return trial.most;
}
