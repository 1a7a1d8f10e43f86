/* Duplex transfers of many sizes between memory and a loop in the fabric: what J. Vieira's programs
 * do for Figure 3 of "Assessing On-Chip High-Performance Interfaces on Xilinx and Intel FPGA-SoC
 * Devices" (2020). `simple`: the next transfer is started when the one before has come back;
 * `ring`: four are under way.
 *
 * A line for each size: transfers, and bytes of the last that are wrong. Lines with # have the
 * time; on an emulator it is the emulator's, and no figure of a chip. Sizes end with the engine's
 * longest.
 */
#include <string.h>

#include "app.h"
#include "axm/engines/pair.h"
#include "print.h"

#ifndef AXM_ENGINE
#define AXM_ENGINE "axm"
#endif
#ifndef AXM_SPEC
#define AXM_SPEC .base = base
#endif

enum { LEAST = 4, MOST = 262144, STEP = 4, TRANSFERS = 8, UNDER_WAY = 4, PAGE = 4096 };
#define TIMEOUT_NS UINT64_C(5000000000)

struct bench {
  const struct axm_hal *hal;
  struct axm_engine *send, *receive;
  struct axm_memory there, back;
};

static enum axm_status begin(struct bench *bench, uint32_t bytes) {
  const struct axm_engine_transfer in = {.address = bench->back.bus_address, .bytes = bytes};
  const struct axm_engine_transfer out = {
      .address = bench->there.bus_address, .bytes = bytes, .last = true};
  enum axm_status status = bench->receive->ops->submit(bench->receive, &in);
  if (status == AXM_OK)
    status = bench->receive->ops->give(bench->receive);
  if (status == AXM_OK)
    status = bench->send->ops->submit(bench->send, &out);
  return status == AXM_OK ? bench->send->ops->give(bench->send) : status;
}

static enum axm_status ended(struct bench *bench, struct axm_engine *engine, uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  const uint64_t since = hal->now_ns(hal->self);
  for (;;) {
    struct axm_engine_done done;
    const enum axm_status status = engine->ops->poll(engine, &done);
    if (status == AXM_OK)
      return done.cause == AXM_ENGINE_OK && done.bytes == bytes ? AXM_OK : AXM_ERROR_FAULT;
    if (status != AXM_ERROR_EMPTY)
      return status;
    if (hal->now_ns(hal->self) - since > TIMEOUT_NS)
      return AXM_ERROR_TIMEOUT;
  }
}

/* The bytes go to one buffer: their last copy is looked at. */
static enum axm_status transfers(struct bench *bench, uint32_t under_way, uint32_t bytes) {
  uint32_t begun = 0;
  for (uint32_t came = 0; came < TRANSFERS; ++came) {
    enum axm_status status = AXM_OK;
    for (; begun < TRANSFERS && begun < came + under_way && status == AXM_OK; ++begun)
      status = begin(bench, bytes);
    if (status == AXM_OK)
      status = ended(bench, bench->receive, bytes);
    if (status == AXM_OK)
      status = ended(bench, bench->send, bytes);
    if (status != AXM_OK)
      return status;
  }
  return AXM_OK;
}

static enum axm_status row(struct bench *bench, const char *name, uint32_t under_way,
                           uint32_t bytes, uint64_t *wrong) {
  const struct axm_hal *hal = bench->hal;
  unsigned char *there = bench->there.memory;
  const unsigned char *back = bench->back.memory;
  uint32_t word = bytes * 2654435761u + under_way;
  for (uint32_t n = 0; n < bytes; ++n)
    there[n] = (unsigned char)((word = word * 1664525u + 1013904223u) >> 24);
  memset(bench->back.memory, 0, bytes);
  enum axm_status status = hal->clean(hal->self, &bench->there, 0, bytes);
  if (status == AXM_OK)
    status = hal->clean(hal->self, &bench->back, 0, bytes);
  if (status == AXM_OK)
    status = hal->invalidate(hal->self, &bench->back, 0, bytes);
  const uint64_t since = hal->now_ns(hal->self);
  if (status == AXM_OK)
    status = transfers(bench, under_way, bytes);
  const uint64_t each_ns = (hal->now_ns(hal->self) - since) / TRANSFERS;
  hal->barrier(hal->self);
  if (status == AXM_OK)
    status = hal->invalidate(hal->self, &bench->back, 0, bytes);
  uint64_t differ = 0;
  for (uint32_t n = 0; n < bytes; ++n)
    differ += there[n] != back[n];
  *wrong += differ;
  axm_print(hal, name);
  axm_print_number(hal, bytes, 10, 8);
  axm_print_number(hal, TRANSFERS, 10, 10);
  axm_print_number(hal, differ, 10, 7);
  axm_print_each(hal, each_ns, "both directions ", UINT64_C(2) * bytes);
  return status;
}

static enum axm_status opened(struct bench *bench, struct axm_pair *pair, uint64_t base) {
  const struct axm_hal *hal = bench->hal;
  const struct axm_engine_config config = {.queue = UNDER_WAY};
  const struct axm_pair_spec spec = {.engine = AXM_ENGINE, .hal = hal, AXM_SPEC};
  (void)base;
  enum axm_status status = axm_pair_open(pair, &spec);
  bench->send = pair->send;
  bench->receive = pair->receive;
  if (status == AXM_OK)
    status = hal->alloc(hal->self, MOST, PAGE, AXM_ANY_ADDRESS, &bench->there);
  if (status == AXM_OK)
    status = hal->alloc(hal->self, MOST, PAGE, AXM_ANY_ADDRESS, &bench->back);
  if (status == AXM_OK)
    status = bench->send->ops->start(bench->send, &config);
  return status == AXM_OK ? bench->receive->ops->start(bench->receive, &config) : status;
}

static enum axm_status closed(struct bench *bench) {
  enum axm_status first = bench->send->ops->stop(bench->send, TIMEOUT_NS);
  const enum axm_status second = bench->receive->ops->stop(bench->receive, TIMEOUT_NS);
  if (first == AXM_ERROR_BUSY) /* halves that are reset together */
    first = bench->send->ops->stop(bench->send, TIMEOUT_NS);
  return first != AXM_OK ? first : second;
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  static struct axm_pair pair;
  static struct bench bench;
  uint64_t wrong = 0;
  bench.hal = hal;
  enum axm_status status = opened(&bench, &pair, base);
  axm_print_origin(hal);
  if (status == AXM_OK)
    axm_print(hal, "mode     bytes transfers  wrong\n");
  for (uint32_t bytes = LEAST; status == AXM_OK && bytes <= MOST; bytes *= STEP) {
    if (bytes > bench.send->limits.bytes || bytes > bench.receive->limits.bytes)
      break;
    status = row(&bench, "simple", 1, bytes, &wrong);
    if (status == AXM_OK)
      status = row(&bench, "ring  ", UNDER_WAY, bytes, &wrong);
  }
  if (status == AXM_OK)
    status = closed(&bench);
  return axm_print_end(hal, status, wrong);
}
