/* Copies of 2 bytes to 2 MiB by the processor, word by word and by memcpy, and by its DMA
 * controller (PL330), as UviDTE's programs do between a Zynq-7000's processors and its fabric
 * (2017-2019). For a Zynq-7000 or Cyclone V.
 *
 * They go to a memory of the fabric that the processors reach at FABRIC (axm_slave_top; it has
 * FABRIC_BYTES), or, without one, from DDR to DDR; the table shows which. `cached`: the copy only;
 * `memory`: its time includes reading a source that no cache holds and writing the destination
 * back. The PL330 sees no caches: its copies always include maintenance. `pl330u`: by its last
 * channel, between addresses of different alignment. `wrong`: wrong bytes, and bytes written
 * outside. Times are means; on an emulator they are not those of a chip.
 */
#include <string.h>

#include "app.h"
#include "axm/chip.h"
#include "axm/pl330.h"
#include "print.h"

#ifndef AXM_LARGEST
#define AXM_LARGEST 2097152u
#endif

enum { COPIES = 4, PAGE = 4096, AROUND = 64 };
#define TIMEOUT_NS UINT64_C(5000000000)

struct bench {
  const struct axm_hal *hal;
  struct axm_pl330 pl330;
  struct axm_memory to, from;
  uint32_t to_at, from_at; /* in them, of a row's copies */
  uint64_t wrong;
};

static void words(void *to, const void *from, uint32_t bytes) {
  volatile uint32_t *out = to;
  const volatile uint32_t *in = from;
  for (uint32_t n = 0; n < bytes / 4; ++n)
    out[n] = in[n];
  if (bytes % 4 != 0)
    ((volatile uint16_t *)to)[bytes / 2 - 1] = ((const volatile uint16_t *)from)[bytes / 2 - 1];
}

static enum axm_status by_words(struct bench *bench, uint32_t bytes) {
  words(bench->to.memory, bench->from.memory, bytes);
  return AXM_OK;
}

static enum axm_status by_memcpy(struct bench *bench, uint32_t bytes) {
  memcpy(bench->to.memory, bench->from.memory, bytes);
  return AXM_OK;
}

static enum axm_status by_channel(struct bench *bench, uint32_t channel, uint32_t bytes) {
  const enum axm_status status = axm_pl330_copy(&bench->pl330, channel, &bench->to, bench->to_at,
                                                &bench->from, bench->from_at, bytes);
  return status == AXM_OK ? axm_pl330_wait(&bench->pl330, channel, TIMEOUT_NS) : status;
}

static enum axm_status by_pl330(struct bench *bench, uint32_t bytes) {
  return by_channel(bench, 0, bytes);
}

static enum axm_status by_pl330_unalike(struct bench *bench, uint32_t bytes) {
  return by_channel(bench, bench->pl330.caps.channels - 1, bytes);
}

static const struct master {
  const char *name;
  enum axm_status (*copy)(struct bench *bench, uint32_t bytes);
  bool maintained;               /* by the library */
  uint32_t most, to_at, from_at; /* bytes; unalike a program copies no more (axm_pl330_program) */
} masters[] = {{"words  ", by_words, false, AXM_LARGEST, 0, 0},
               {"memcpy ", by_memcpy, false, AXM_LARGEST, 0, 0},
               {"pl330  ", by_pl330, true, AXM_LARGEST, 0, 0},
               {"pl330u ", by_pl330_unalike, true, 65536, AROUND + 1, 6}};

static uint32_t largest(const struct bench *bench, const struct master *master) {
  const uint64_t room = bench->to.size - master->to_at;
  const uint32_t most = master->most < AXM_LARGEST ? master->most : AXM_LARGEST;
  return room < most ? (uint32_t)room : most;
}

static unsigned char byte_of(uint32_t seed, uint32_t at) {
  return (unsigned char)(seed * 31u + at * 7u + (at >> 8) + 1u);
}

/* Checks a copy of `bytes`, and the bytes behind it up to `end_of_look`. */
static unsigned char byte_to(const struct bench *bench, uint32_t bytes, uint32_t at) {
  return at < bench->to_at || at - bench->to_at >= bytes ? 0 : byte_of(bytes, at - bench->to_at);
}

static uint32_t end_of_look(const struct bench *bench, uint32_t bytes) {
  const uint64_t end = (uint64_t)bench->to_at + bytes + AROUND;
  return (uint32_t)(end < bench->to.size ? end : bench->to.size);
}

/* Both pieces as they are before a copy: the bytes, and none of them in the caches. */
static enum axm_status prepare(struct bench *bench, uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  const struct axm_memory *both[] = {&bench->from, &bench->to};
  const uint32_t ends[] = {bench->from_at + bytes, end_of_look(bench, bytes)};
  unsigned char *from = (unsigned char *)bench->from.memory + bench->from_at;
  volatile unsigned char *to = bench->to.memory;
  for (uint32_t n = 0; n < bytes; ++n)
    from[n] = byte_of(bytes, n);
  for (uint32_t n = 0; n < ends[1]; ++n)
    to[n] = 0;
  for (int n = 0; n < 2; ++n) {
    enum axm_status status = hal->clean(hal->self, both[n], 0, ends[n]);
    hal->barrier(hal->self);
    if (status == AXM_OK)
      status = hal->invalidate(hal->self, both[n], 0, ends[n]);
    if (status != AXM_OK)
      return status;
  }
  return AXM_OK;
}

static enum axm_status row(struct bench *bench, const struct master *master, bool memory,
                           uint32_t bytes) {
  const struct axm_hal *hal = bench->hal;
  uint64_t wrong = 0, spent_ns = 0;
  bench->to_at = master->to_at;
  bench->from_at = master->from_at;
  enum axm_status status = prepare(bench, bytes);
  for (int copy = 0; copy < COPIES && status == AXM_OK; ++copy) {
    const uint64_t since = hal->now_ns(hal->self);
    status = master->copy(bench, bytes);
    if (memory && !master->maintained && status == AXM_OK) {
      status = hal->clean(hal->self, &bench->to, 0, bytes);
      hal->barrier(hal->self);
    }
    spent_ns += hal->now_ns(hal->self) - since;
    if (memory && status == AXM_OK)
      status = hal->invalidate(hal->self, &bench->from, bench->from_at, bytes);
  }
  const volatile unsigned char *to = bench->to.memory;
  for (uint32_t n = 0; n < end_of_look(bench, bytes); ++n)
    wrong += to[n] != byte_to(bench, bytes, n);
  bench->wrong += wrong;
  axm_print(hal, master->name);
  axm_print(hal, memory ? "memory " : "cached ");
  axm_print_number(hal, bytes, 10, 8);
  axm_print_number(hal, COPIES, 10, 7);
  axm_print_number(hal, wrong, 10, 7);
  axm_print_each(hal, spent_ns / COPIES, "", bytes);
  return status;
}

static enum axm_status opened(struct bench *bench) {
  const struct axm_hal *hal = bench->hal;
  const struct axm_pl330_config config = {.burst_beats = AXM_PL330_BURST_BEATS,
                                          .timeout_ns = UINT64_C(1000000000)};
  enum axm_status status = axm_pl330_open(&bench->pl330, hal, AXM_PL330, &config);
  if (status == AXM_OK)
    status = hal->alloc(hal->self, AXM_LARGEST + PAGE, PAGE, AXM_ANY_ADDRESS, &bench->from);
#ifdef AXM_FABRIC_MEMORY
  bench->to = (struct axm_memory){.memory = (void *)(uintptr_t)AXM_FABRIC_MEMORY,
                                  .bus_address = AXM_FABRIC_MEMORY,
                                  .size = AXM_FABRIC_BYTES};
  axm_print(hal, "from DDR to a memory of the fabric\n");
  return status;
#else
  axm_print(hal, "from DDR to DDR\n");
  return status == AXM_OK
             ? hal->alloc(hal->self, AXM_LARGEST + PAGE, PAGE, AXM_ANY_ADDRESS, &bench->to)
             : status;
#endif
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  static struct bench bench;
  (void)base;
  bench.hal = hal;
  enum axm_status status = opened(&bench);
  axm_print_origin(hal);
  axm_print(hal, "master caches    bytes copies  wrong\n");
  for (size_t m = 0; m < sizeof masters / sizeof masters[0]; ++m)
    for (int memory = masters[m].maintained; memory < 2; ++memory)
      for (uint32_t bytes = 2; bytes <= largest(&bench, &masters[m]); bytes *= 2)
        if (status == AXM_OK)
          status = row(&bench, &masters[m], memory != 0, bytes);
  if (status == AXM_OK)
    status = axm_pl330_close(&bench.pl330);
  return axm_print_end(hal, status, bench.wrong);
}
