/* No configuration of a traffic generator that the library takes leads out of its region: the
 * addresses are worked out again here, burst by burst, from what was written into the registers.
 */
#include <string.h>

#include "check.h"
#include "fake.h"
#include "generated/traffic.h"

enum { MOST_BURSTS = 64, BEAT = 8 };

static struct axm_test_target target;
static struct fake_design design;

/* The furthest byte behind the base that the registers let the first bursts reach. */
static uint64_t walk(const uint32_t *word) {
  const uint32_t mode = word[AXM_TRAFFIC_READ_MODE / 4];
  const uint32_t shape = word[AXM_TRAFFIC_READ_SHAPE / 4];
  const uint32_t step = word[AXM_TRAFFIC_READ_STEP / 4];
  const uint32_t limit = word[AXM_TRAFFIC_READ_LIMIT / 4];
  const uint32_t stop = AXM_GET(mode, AXM_TRAFFIC_READ_MODE__STOP);
  const bool random = AXM_GET(mode, AXM_TRAFFIC_READ_MODE__RANDOM) != 0;
  uint64_t furthest = 0;
  uint32_t offset = 0;
  if (stop == 1) /* nothing to do */
    return 0;
  for (uint32_t n = 0; n < MOST_BURSTS; ++n) {
    const bool last = stop == AXM_TRAFFIC_BURSTS && n == limit;
    const uint32_t beats = 1 + (last ? AXM_GET(mode, AXM_TRAFFIC_READ_MODE__TAIL)
                                     : AXM_GET(shape, AXM_TRAFFIC_READ_SHAPE__LEN));
    /* Of a random sequence, any place may come first. */
    const uint64_t end = (random ? step & ~(BEAT - 1u) : offset) + (uint64_t)beats * BEAT;
    furthest = end > furthest ? end : furthest;
    if (last)
      break;
    offset = offset == word[AXM_TRAFFIC_READ_FINAL / 4] ? 0 : offset + step;
  }
  return furthest;
}

static uint32_t draw(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

void test_reach(void) {
  struct axm_device device;
  struct axm_block_info info = {0};
  struct axm_traffic traffic;
  CHECK_EQUAL(axm_open(&device, fake_design(&design, &target), FAKE_BASE), AXM_OK);
  CHECK_EQUAL(axm_device_block(&device, FAKE_TRAFFIC, &info), AXM_OK);
  CHECK_EQUAL(axm_traffic_open(&traffic, &info), AXM_OK);
  /* The case that was found: 64 bytes, and bursts of 256 beats. */
  struct axm_traffic_config one = {.base = 0x10000000,
                                   .region = 64,
                                   .stop = AXM_TRAFFIC_NEVER,
                                   .burst_beats = 256,
                                   .outstanding = 1};
  CHECK_EQUAL(axm_traffic_check(&traffic, AXM_DMA_WRITE, &one), AXM_ERROR_RANGE);
  one.burst_beats = 8;
  CHECK_EQUAL(axm_traffic_check(&traffic, AXM_DMA_WRITE, &one), AXM_OK);
  /* Beyond the addresses that the generator has, it would write at the bottom of the memory. */
  one.base = UINT64_C(0xFFFFFFE0);
  CHECK_EQUAL(axm_traffic_check(&traffic, AXM_DMA_WRITE, &one), AXM_ERROR_RANGE);
  uint32_t state = 1;
  uint32_t taken = 0;
  uint32_t tight = 0;
  for (int i = 0; i < 40000; ++i) {
    const struct axm_traffic_config config = {
        .base = 0x10000000 + 8 * (draw(&state) % 64),
        .region = 1 + draw(&state) % 600,
        .pattern = (enum axm_traffic_pattern)(draw(&state) % 3),
        .stride = draw(&state) % 2 == 0 ? 8 * (draw(&state) % 20) : draw(&state) % 600,
        .stop = (enum axm_traffic_stop)(draw(&state) % 4),
        .limit = draw(&state) % 300,
        .burst_beats = 1 + draw(&state) % 20,
        .outstanding = 1};
    if (axm_traffic_configure(&traffic, AXM_DMA_READ, &config) != AXM_OK)
      continue;
    const uint64_t furthest = walk(design.word[FAKE_TRAFFIC]);
    CHECK(furthest <= config.region);
    ++taken;
    tight += furthest == config.region ? 1 : 0;
  }
  /* It refuses what leads out, and not much more. */
  CHECK(taken > 4000);
  CHECK(tight > 100);
}
