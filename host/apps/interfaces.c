/* The ways between a processor and the fabric that Melo and Valinoti compare (2014-2017), as the
 * processor uses them: words one by one (AXI-Lite), and bursts of a DMA engine (AXI-Full), which is
 * AXI CDMA. The memory in the fabric is that beside it (`words` and `memory` of AXM_SPEC,
 * axm/engines/pair.h): what the processor writes there by words the engine brings back to DDR, and
 * what the engine takes there the processor reads by words, each checked.
 *
 * A line for each way and size: bytes, wrong bytes; behind a # the time of a transfer, from its
 * start to its end seen. On an emulator these are the emulator's, and no figure of a chip.
 */
#include "app.h"
#include "axm/engines/axi_dma.h"
#include "axm/engines/pair.h"
#include "print.h"

#ifndef AXM_SPEC
#define AXM_SPEC .base = base
#endif
#ifndef AXM_LARGEST
#define AXM_LARGEST 16384u
#endif

enum { TRANSFERS = 4, PAGE = 4096 };
#define TIMEOUT_NS UINT64_C(5000000000)

struct bench {
  const struct axm_hal *hal;
  struct axm_pair_spec spec;
  struct axm_axi_dma dma;
  struct axm_axi_half half;
  struct axm_memory ddr;
  uint64_t wrong;
};

static uint32_t word_of(uint32_t bytes, uint32_t at, uint32_t seed) {
  return bytes * 2654435761u + at * 7u + seed;
}

static enum axm_status write_words(struct bench *bench, uint32_t bytes, uint32_t seed) {
  enum axm_status status = AXM_OK;
  for (uint32_t at = 0; at < bytes && status == AXM_OK; at += 4)
    status =
        bench->hal->write32(bench->hal->self, bench->spec.words + at, word_of(bytes, at, seed));
  return status;
}

static enum axm_status read_words(struct bench *bench, uint32_t bytes, uint32_t seed) {
  enum axm_status status = AXM_OK;
  for (uint32_t at = 0; at < bytes && status == AXM_OK; at += 4) {
    uint32_t word = 0;
    status = bench->hal->read32(bench->hal->self, bench->spec.words + at, &word);
    bench->wrong += word != word_of(bytes, at, seed) ? 4 : 0;
  }
  return status;
}

static enum axm_status copied(struct bench *bench, uint64_t to, uint64_t from, uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  struct axm_engine *engine = &bench->half.engine;
  const struct axm_engine_transfer transfer = {.address = to, .source = from, .bytes = bytes};
  struct axm_engine_done done = {0};
  enum axm_status status = engine->ops->submit(engine, &transfer);
  if (status == AXM_OK)
    status = engine->ops->give(engine);
  const uint64_t since = hal->now_ns(hal->self);
  while (status == AXM_OK) {
    status = engine->ops->poll(engine, &done);
    if (status == AXM_OK)
      return done.cause == AXM_ENGINE_OK ? AXM_OK : AXM_ERROR_FAULT;
    if (status == AXM_ERROR_EMPTY)
      status = hal->now_ns(hal->self) - since < TIMEOUT_NS ? AXM_OK : AXM_ERROR_TIMEOUT;
  }
  return status;
}

/* Fabric to DDR; the processor compares what came. */
static enum axm_status from_fabric(struct bench *bench, uint32_t bytes, uint32_t seed) {
  const struct axm_hal *hal = bench->hal;
  enum axm_status status = copied(bench, bench->ddr.bus_address, bench->spec.memory, bytes);
  hal->barrier(hal->self);
  if (status == AXM_OK)
    status = hal->invalidate(hal->self, &bench->ddr, 0, bytes);
  const uint32_t *came = bench->ddr.memory;
  for (uint32_t at = 0; at < bytes && status == AXM_OK; at += 4)
    bench->wrong += came[at / 4] != word_of(bytes, at, seed) ? 4 : 0;
  return status;
}

/* DDR to fabric. */
static enum axm_status to_fabric(struct bench *bench, uint32_t bytes, uint32_t seed) {
  const struct axm_hal *hal = bench->hal;
  uint32_t *words = bench->ddr.memory;
  for (uint32_t at = 0; at < bytes; at += 4)
    words[at / 4] = word_of(bytes, at, seed);
  enum axm_status status = hal->clean(hal->self, &bench->ddr, 0, bytes);
  hal->barrier(hal->self);
  return status == AXM_OK ? copied(bench, bench->spec.memory, bench->ddr.bus_address, bytes)
                          : status;
}

/* In this order each finds what the one before has left. */
static const struct way {
  const char *name;
  enum axm_status (*transfer)(struct bench *bench, uint32_t bytes, uint32_t seed);
} ways[] = {{"words to the fabric  ", write_words},
            {"engine to memory     ", from_fabric},
            {"engine to the fabric ", to_fabric},
            {"words from the fabric", read_words}};

static enum axm_status row(struct bench *bench, size_t number, uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  const struct way *way = &ways[number];
  const uint64_t before = bench->wrong, since = hal->now_ns(hal->self);
  enum axm_status status = AXM_OK;
  for (int n = 0; n < TRANSFERS && status == AXM_OK; ++n)
    status = way->transfer(bench, bytes, (uint32_t)(number / 2));
  const uint64_t each_ns = (hal->now_ns(hal->self) - since) / TRANSFERS;
  axm_print(hal, way->name);
  axm_print_number(hal, bytes, 10, 8);
  axm_print_number(hal, bench->wrong - before, 10, 7);
  axm_print(hal, "\n#");
  axm_print_number(hal, each_ns, 10, 12);
  axm_print(hal, " ns each, checks included\n");
  return status;
}

static enum axm_status opened(struct bench *bench) {
  static const struct axm_engine_config config = {.queue = 1};
  const struct axm_hal *hal = bench->hal;
  bench->dma = (struct axm_axi_dma){.hal = hal,
                                    .base = bench->spec.base,
                                    .central = true,
                                    .unaligned = true,
                                    .length_bits = 26,
                                    .address_bits = 32,
                                    .data_bytes = 8};
  enum axm_status status = axm_axi_dma_open(&bench->half, &bench->dma, AXM_ENGINE_COPY);
  if (status == AXM_OK)
    status = bench->half.engine.ops->start(&bench->half.engine, &config);
  return status == AXM_OK ? hal->alloc(hal->self, AXM_LARGEST, PAGE, AXM_ANY_ADDRESS, &bench->ddr)
                          : status;
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  static struct bench bench;
  bench = (struct bench){.hal = hal, .spec = {.hal = hal, AXM_SPEC}};
  (void)base;
  enum axm_status status = opened(&bench);
  axm_print_origin(hal);
  axm_print(hal, "way                     bytes  wrong\n");
  for (uint32_t bytes = 4; bytes <= AXM_LARGEST; bytes *= 4)
    for (size_t n = 0; n < sizeof ways / sizeof ways[0] && status == AXM_OK; ++n)
      status = row(&bench, n, bytes);
  if (status == AXM_OK)
    status = bench.half.engine.ops->stop(&bench.half.engine, TIMEOUT_NS);
  return axm_print_end(hal, status, bench.wrong);
}
