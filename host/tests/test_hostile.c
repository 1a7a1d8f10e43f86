/* Every public call of the library on every hostile device: a status, no crash, bounded accesses;
 * and what such devices have broken before.
 */
#include <string.h>

#include "check.h"
#include "generated/sniffer.h"
#include "hostile.h"

enum { SEEDS = 100 };

static struct axm_test_target target;
static struct hostile device;

/* A sniffer that claims slots or records beyond its register map was shifted by, and read behind
 * its window. */
static void test_sniffer_claims(void) {
  const struct axm_hal *hal = hostile_device(&device, &target, HOSTILE_ONES, 1);
  struct axm_sniffer sniffer;
  struct axm_block_info info = {.block = {.hal = hal, .base = 0x1000},
                                .type = AXM_BLOCK_SNIFFER,
                                .map_version = AXM_SNIFFER_MAP_VERSION,
                                .caps = 33u | 4u << 8};
  CHECK_EQUAL(axm_sniffer_open(&sniffer, &info), AXM_ERROR_RANGE);
  info.caps = 8u | 129u << 8;
  CHECK_EQUAL(axm_sniffer_open(&sniffer, &info), AXM_ERROR_RANGE);
  info.caps = 0;
  CHECK_EQUAL(axm_sniffer_open(&sniffer, &info), AXM_ERROR_RANGE);
  info.caps = 8u | 128u << 8;
  CHECK_EQUAL(axm_sniffer_open(&sniffer, &info), AXM_OK);
  CHECK_EQUAL(axm_sniffer_bin(31), 224);
  static const uint32_t beyond[] = {32, 127, 128, 140, 255, UINT32_MAX};
  for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i)
    CHECK_EQUAL(axm_sniffer_bin(beyond[i]), 224);
}

/* An engine that reports work that was never submitted. */
static void test_ring_claims(void) {
  const struct axm_hal *hal = hostile_device(&device, &target, HOSTILE_COUNTING, 1);
  const struct axm_dma dma = {.block = {.hal = hal, .base = 0x1000}, .caps = 0x2000000Bu};
  struct axm_memory memory;
  struct axm_dma_done done;
  CHECK_EQUAL(hal->alloc(hal->self, 64, 64, AXM_ANY_ADDRESS, &memory), AXM_OK);
  struct axm_dma_ring ring;
  CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &memory), AXM_ERROR_BUSY);
  ring = (struct axm_dma_ring){.dma = dma, .half = AXM_DMA_WRITE, .memory = memory, .entries = 2};
  /* A valid completion, left by the memory's former owner. */
  ((uint32_t *)memory.memory)[6] = 0x80000000u;
  device.reads = 5;
  CHECK_EQUAL(axm_dma_ring_take(&ring, &done), AXM_ERROR_STATE);
  CHECK_EQUAL(ring.taken, 0);
  const struct axm_dma_transfer high = {.address = UINT64_C(0xFFFFFFF0), .bytes = 32};
  CHECK_EQUAL(axm_dma_ring_push(&ring, &high, false), AXM_ERROR_RANGE);
  const struct axm_dma_transfer none = {.address = 0x1000};
  CHECK_EQUAL(axm_dma_ring_push(&ring, &none, false), AXM_ERROR_ARGUMENT);
}

void test_hostile(void) {
  test_sniffer_claims();
  test_ring_claims();
  for (int kind = 0; kind < HOSTILE_FED; ++kind) {
    for (uint32_t seed = 0; seed < SEEDS; ++seed) {
      const struct axm_hal *hal =
          hostile_device(&device, &target, (enum hostile_kind)kind, seed * 77777u);
      uint32_t strange = 0;
      const uint64_t most = hostile_calls(&device, hal, &strange);
      CHECK_EQUAL(strange, 0);
      if (most > HOSTILE_MOST_ACCESSES)
        CHECK_EQUAL(most, HOSTILE_MOST_ACCESSES);
    }
  }
}
