/* Transfers of many sizes in one direction, from memory to a sink of the fabric or from a source to
 * memory, by one port of a design, by two, and so on to all: J. Vieira's PS-to-PL and PL-to-PS
 * measurements (2020).
 * `simple`: the next transfer of a port is started when its last has ended; `ring`: four are under
 * way. It needs axm_dma_top with MODE 1 or 2. Sinks and the program check each byte.
 *
 * A line for each size: ports, transfers of all of them, and what is wrong (beats of the sinks,
 * words of the memory). Lines with # have what is not the same in each run; times on an emulator
 * are the emulator's, and no figure of a chip.
 */
#include <string.h>

#include "app.h"
#include "axm/engines/own.h"
#include "axm/stream.h"
#include "print.h"

enum { PORTS = 4, LEAST = 64, STEP = 4, SEED = 0x5EED, TRANSFERS = 8, UNDER_WAY = 4, PAGE = 4096 };
#ifndef AXM_LARGEST
#define AXM_LARGEST 262144u
#endif
#define TIMEOUT_NS UINT64_C(5000000000)

struct port {
  struct axm_own_engine own;
  struct axm_memory memory;
  struct axm_sink sink;
  struct axm_source source;
  uint32_t begun, ended;
  uint32_t words; /* that its source has sent */
};

struct bench {
  const struct axm_hal *hal;
  uint32_t ports, used; /* by a row: the first of them */
  bool sends;
  struct port port[PORTS];
};

static enum axm_status begin(const struct bench *bench, struct port *port, uint32_t bytes) {
  struct axm_engine *engine = &port->own.engine;
  const struct axm_engine_transfer one = {.address = port->memory.bus_address +
                                                     (uint64_t)port->begun * bytes,
                                          .bytes = bytes,
                                          .last = bench->sends};
  ++port->begun;
  const enum axm_status status = engine->ops->submit(engine, &one);
  return status == AXM_OK ? engine->ops->give(engine) : status;
}

/* Takes what has ended, and begins others. */
static enum axm_status serve(const struct bench *bench, struct port *port, uint32_t under_way,
                             uint32_t bytes) {
  struct axm_engine *engine = &port->own.engine;
  struct axm_engine_done done;
  enum axm_status status = AXM_OK;
  while (port->begun < TRANSFERS && port->begun < port->ended + under_way && status == AXM_OK)
    status = begin(bench, port, bytes);
  if (status != AXM_OK || port->ended == TRANSFERS)
    return status;
  status = engine->ops->poll(engine, &done);
  if (status == AXM_ERROR_EMPTY)
    return AXM_OK;
  ++port->ended;
  return status != AXM_OK || (done.cause == AXM_ENGINE_OK && done.bytes == bytes) ? status
                                                                                  : AXM_ERROR_FAULT;
}

static enum axm_status transfers(struct bench *bench, uint32_t under_way, uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  const uint64_t since = hal->now_ns(hal->self);
  for (uint32_t ended = 0; ended < bench->used * TRANSFERS;) {
    ended = 0;
    for (uint32_t n = 0; n < bench->used; ++n) {
      const enum axm_status status = serve(bench, &bench->port[n], under_way, bytes);
      if (status != AXM_OK)
        return status;
      ended += bench->port[n].ended;
    }
    if (hal->now_ns(hal->self) - since > TIMEOUT_NS)
      return AXM_ERROR_TIMEOUT;
  }
  return AXM_OK;
}

/* Memory that holds what a sink expects, or nothing; the next words of a source go there. */
static enum axm_status prepared(struct bench *bench, struct port *port, uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  uint32_t *words = port->memory.memory;
  port->begun = port->ended = 0;
  for (uint32_t n = 0; n < bytes / 4; ++n)
    words[n] = bench->sends ? axm_stream_word(n, SEED) : 0;
  enum axm_status status = hal->clean(hal->self, &port->memory, 0, bytes);
  hal->barrier(hal->self);
  if (status == AXM_OK)
    status = hal->invalidate(hal->self, &port->memory, 0, bytes);
  return status == AXM_OK && bench->sends ? axm_sink_configure(&port->sink, true, SEED, 1, 0)
                                          : status;
}

static enum axm_status checked(struct bench *bench, struct port *port, uint32_t bytes,
                               uint64_t *wrong) {
  const struct axm_hal *hal = bench->hal;
  struct axm_sink_counts counts = {0};
  enum axm_status status = AXM_OK;
  if (bench->sends) {
    status = axm_sink_read(&port->sink, &counts);
    *wrong += counts.errors + (counts.bytes != bytes);
    return status;
  }
  hal->barrier(hal->self);
  status = hal->invalidate(hal->self, &port->memory, 0, bytes);
  const uint32_t *words = port->memory.memory;
  for (uint32_t n = 0; n < bytes / 4; ++n)
    *wrong += words[n] != axm_stream_word(port->words + n, SEED);
  port->words += bytes / 4;
  return status;
}

static enum axm_status row(struct bench *bench, const char *name, uint32_t under_way,
                           uint32_t bytes, uint64_t *all) {
  const struct axm_hal *hal = bench->hal;
  const uint32_t total = TRANSFERS * bytes;
  uint64_t wrong = 0;
  enum axm_status status = AXM_OK;
  for (uint32_t n = 0; n < bench->used && status == AXM_OK; ++n)
    status = prepared(bench, &bench->port[n], total);
  const uint64_t since = hal->now_ns(hal->self);
  if (status == AXM_OK)
    status = transfers(bench, under_way, bytes);
  const uint64_t spent_ns = hal->now_ns(hal->self) - since;
  for (uint32_t n = 0; n < bench->used && status == AXM_OK; ++n)
    status = checked(bench, &bench->port[n], total, &wrong);
  *all += wrong;
  axm_print_number(hal, bench->used, 10, 5);
  axm_print(hal, name);
  axm_print_number(hal, bytes, 10, 8);
  axm_print_number(hal, bench->used * TRANSFERS, 10, 10);
  axm_print_number(hal, wrong, 10, 7);
  axm_print(hal, "\n# ");
  axm_print_number(hal, spent_ns == 0 ? 0 : UINT64_C(1000) * bench->used * total / spent_ns, 10, 0);
  axm_print(hal, " MB/s by all of them\n");
  return status;
}

static enum axm_status opened(struct bench *bench, struct port *port,
                              const struct axm_device *device, uint32_t number) {
  const struct axm_hal *hal = bench->hal;
  const struct axm_engine_config config = {.queue = UNDER_WAY};
  struct axm_block_info info;
  struct axm_dma dma;
  enum axm_status status = axm_device_find(device, AXM_BLOCK_DMA, number, 0, &info);
  if (status == AXM_OK)
    status = axm_dma_open(&dma, &info);
  if (status == AXM_OK)
    status =
        axm_own_engine_open(&port->own, &dma, bench->sends ? AXM_ENGINE_SEND : AXM_ENGINE_RECEIVE);
  if (status == AXM_OK)
    status =
        axm_device_find(device, bench->sends ? AXM_BLOCK_SINK : AXM_BLOCK_SOURCE, number, 0, &info);
  if (status == AXM_OK)
    status =
        bench->sends ? axm_sink_open(&port->sink, &info) : axm_source_open(&port->source, &info);
  if (status == AXM_OK)
    status = hal->alloc(hal->self, (uint64_t)TRANSFERS * AXM_LARGEST, PAGE, AXM_ANY_ADDRESS,
                        &port->memory);
  if (status == AXM_OK)
    status = port->own.engine.ops->start(&port->own.engine, &config);
  if (status == AXM_OK && !bench->sends)
    status = axm_source_configure(&port->source, SEED, 0);
  return status == AXM_OK && !bench->sends ? axm_source_enable(&port->source, true) : status;
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  static struct bench bench;
  struct axm_device device;
  struct axm_device_info about = {0};
  struct axm_block_info info;
  uint64_t wrong = 0;
  bench.hal = hal;
  enum axm_status status = axm_open(&device, hal, base);
  if (status == AXM_OK)
    status = axm_device_describe(&device, &about);
  bench.ports = about.ports < PORTS ? about.ports : PORTS;
  bench.sends =
      status == AXM_OK && axm_device_find(&device, AXM_BLOCK_SINK, AXM_NO_PORT, 0, &info) == AXM_OK;
  for (uint32_t n = 0; n < bench.ports && status == AXM_OK; ++n)
    status = opened(&bench, &bench.port[n], &device, n);
  axm_print_origin(hal);
  if (status == AXM_OK)
    axm_print(hal, bench.sends ? "PS to PL\n" : "PL to PS\n");
  axm_print(hal, "ports mode      bytes transfers  wrong\n");
  for (bench.used = 1; bench.used <= bench.ports; ++bench.used) {
    for (uint32_t bytes = LEAST; status == AXM_OK && bytes <= AXM_LARGEST; bytes *= STEP) {
      status = row(&bench, " simple", 1, bytes, &wrong);
      if (status == AXM_OK)
        status = row(&bench, " ring  ", UNDER_WAY, bytes, &wrong);
    }
  }
  for (uint32_t n = 0; n < bench.ports && status == AXM_OK; ++n)
    status = bench.port[n].own.engine.ops->stop(&bench.port[n].own.engine, TIMEOUT_NS);
  return axm_print_end(hal, status, wrong);
}
