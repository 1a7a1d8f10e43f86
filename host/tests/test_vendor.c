/* Tests of vendors' engines as the agent drives them, on engines that are not there
 * (engine_model.h). */
#include <string.h>

#include "check.h"
#include "engine_model.h"
#include "generated/vendor.h"
#include "job_engine.h"
#include "registers.h"

enum { BYTES = 5000, PART = 1024, PORT = 3, LOOKS = 100 };

static struct axm_test_target target;
static struct engine_model model;
static struct axm_job job;
static struct axm_memory from, to;

static const struct one {
  uint32_t number;
  const char *engine;
  bool copy, chains;
} all[] = {
    {AXM_VENDOR_ENGINE_AXI_DMA, "axi-dma", false, false},
    {AXM_VENDOR_ENGINE_AXI_DMA_SG, "axi-dma-sg", false, true},
    {AXM_VENDOR_ENGINE_AXI_CDMA, "axi-cdma", true, false},
    {AXM_VENDOR_ENGINE_AXI_CDMA_SG, "axi-cdma-sg", true, true},
    {AXM_VENDOR_ENGINE_MSGDMA, "msgdma", false, true},
};
enum { ENGINES = sizeof all / sizeof all[0] };

static struct axm_block_info block(const struct one *one, const struct axm_hal *hal) {
  return (struct axm_block_info){
      .block = {.hal = hal},
      .type = AXM_VENDOR_BLOCK_TYPE,
      .map_version = AXM_VENDOR_MAP_VERSION,
      .caps = AXM_PUT(one->number, AXM_VENDOR_CAPS__ENGINE) | AXM_VENDOR_CAPS__UNALIGNED_MASK |
              AXM_PUT(16u, AXM_VENDOR_CAPS__LENGTH_BITS) |
              AXM_PUT(32u, AXM_VENDOR_CAPS__ADDRESS_BITS) | AXM_PUT(3u, AXM_VENDOR_CAPS__DATA_LOG2),
      .caps2 = (uint32_t)ENGINE_BASE,
  };
}

/* A job of BYTES from one memory to the other. */
static void fresh(const struct one *one) {
  const struct axm_hal *hal = engine_model(&model, &target, one->engine);
  const struct axm_block_info info = block(one, hal);
  struct axm_vendor_port *port = &job.vendor[0];
  axm_job_forget(&job);
  CHECK_EQUAL(axm_vendor_describe(&info, &port->vendor), AXM_OK);
  CHECK_EQUAL(port->vendor.copy, one->copy);
  CHECK_EQUAL(port->vendor.chains, one->chains);
  CHECK_EQUAL(axm_vendor_open(&port->pair, &info), AXM_OK);
  CHECK_EQUAL(hal->alloc(hal->self, BYTES, 64, AXM_ANY_ADDRESS, &from), AXM_OK);
  CHECK_EQUAL(hal->alloc(hal->self, BYTES, 64, AXM_ANY_ADDRESS, &to), AXM_OK);
  for (uint32_t i = 0; i < BYTES; ++i)
    axm_test_fabric(&target, from.bus_address, BYTES)[i] = (unsigned char)(i * 7 + (i >> 8));
  memset(axm_test_fabric(&target, to.bus_address, BYTES), 0, BYTES);
  struct axm_engine *const engines[] = {port->pair.receive, port->pair.send};
  job.streams = one->copy ? 1 : 2;
  const struct axm_engine *some = one->copy ? port->pair.copy : engines[0];
  CHECK_EQUAL(some->limits.address_align, 1);
  CHECK_EQUAL(some->limits.bytes, 65535);
  for (uint32_t i = 0; i < job.streams; ++i) {
    const bool sends = i == 1;
    job.stream[i] = (struct axm_stream){
        .half = sends ? AXM_DMA_READ : AXM_DMA_WRITE,
        .transfer = {.address = sends ? from.bus_address : to.bus_address,
                     .source = from.bus_address,
                     .bytes = BYTES,
                     .last = true},
        .parts = {.engine = one->copy ? port->pair.copy : engines[i],
                  .joined = port->vendor.joins,
                  .bytes = one->chains ? PART : BYTES,
                  .count = one->chains ? (BYTES + PART - 1) / PART : 1},
        .state = AXM_STREAM_RUNNING,
    };
  }
}

static void go(void) {
  CHECK_EQUAL(axm_engines_begin(&job), AXM_OK);
  for (uint32_t i = 0; i < job.streams; ++i)
    CHECK_EQUAL(axm_engine_go(&job.stream[i]), AXM_OK);
  for (int n = 0; n < LOOKS; ++n)
    for (uint32_t i = 0; i < job.streams; ++i)
      if (job.stream[i].state == AXM_STREAM_RUNNING)
        CHECK_EQUAL(axm_engine_look(&job.stream[i], 1), AXM_OK);
}

/* All bytes, and the memory of the descriptors is given back. */
static void through(const struct one *one) {
  fresh(one);
  const uint32_t before = target.arena.count;
  go();
  for (uint32_t i = 0; i < job.streams; ++i) {
    CHECK_EQUAL(job.stream[i].state, AXM_STREAM_DONE);
    CHECK_EQUAL(job.stream[i].done.bytes, BYTES);
    CHECK_EQUAL(job.stream[i].parts.ended, job.stream[i].parts.count);
  }
  CHECK_EQUAL(axm_engines_end(&job), AXM_OK);
  CHECK(memcmp(axm_test_fabric(&target, from.bus_address, BYTES),
               axm_test_fabric(&target, to.bus_address, BYTES), BYTES) == 0);
  CHECK_EQUAL(target.arena.count, before);
  CHECK(!engine_objections(&model));
}

/* A failed stream is reported and stopped; one that never ends is stopped, both halves. */
static void ends(const struct one *one) {
  if (strcmp(one->engine, "msgdma") == 0)
    return; /* it does not report the bus, and a reset ends it immediately */
  fresh(one);
  model.fails[0] = true;
  go();
  const struct axm_stream *failed = &job.stream[one->copy ? 0 : 1];
  CHECK_EQUAL(failed->state, AXM_STREAM_FAULT);
  CHECK(axm_stream_failed(failed));
  CHECK(strcmp(axm_stream_cause_name(failed), "decode") == 0);
  CHECK_EQUAL(axm_engines_end(&job), AXM_OK);
  fresh(one);
  const uint32_t before = target.arena.count;
  model.hang = true;
  go();
  CHECK_EQUAL(job.stream[0].state, AXM_STREAM_RUNNING);
  CHECK_EQUAL(axm_engines_end(&job), AXM_OK);
  CHECK_EQUAL(target.arena.count, before);
}

/* A reset that does not end: no engine is reported as stopped. */
static void stuck(const struct one *one) {
  if (strcmp(one->engine, "msgdma") == 0)
    return;
  fresh(one);
  model.hang = model.never_resets = true;
  go();
  CHECK(axm_engines_end(&job) != AXM_OK);
  CHECK_EQUAL(job.stream[0].state, AXM_STREAM_TIMEOUT);
  CHECK(job.stream[0].parts.started);
}

static void unknown(void) {
  const struct one generator = {.number = 9};
  const struct axm_hal *hal = engine_model(&model, &target, "axi-dma");
  struct axm_block_info info = block(&generator, hal);
  struct axm_vendor vendor;
  CHECK_EQUAL(axm_vendor_describe(&info, &vendor), AXM_OK);
  CHECK(vendor.name == NULL);
  CHECK_EQUAL(axm_vendor_open(&job.vendor[0].pair, &info), AXM_ERROR_UNSUPPORTED);
  /* An engine whose registers contradict its block. */
  info = block(&all[1], hal);
  CHECK_EQUAL(axm_vendor_open(&job.vendor[0].pair, &info), AXM_ERROR_UNSUPPORTED);
  info.map_version = 9;
  CHECK_EQUAL(axm_vendor_describe(&info, &vendor), AXM_ERROR_VERSION);
  info.type = AXM_BLOCK_DMA;
  CHECK_EQUAL(axm_vendor_describe(&info, &vendor), AXM_ERROR_TYPE);
}

void test_vendor(void) {
  for (int n = 0; n < ENGINES; ++n) {
    through(&all[n]);
    ends(&all[n]);
    stuck(&all[n]);
  }
  unknown();
}
