/* Copies by the PL330, on one that is not there. */
#include <string.h>

#include "axm/pl330.h"
#include "check.h"
#include "fake_pl330.h"

enum { ROOM = 200000, COPIES = 3000 };

static struct axm_test_target target;
static struct fake_pl330 fake;
static struct axm_pl330 pl330;
static const struct axm_pl330_config usual = {.burst_beats = 16, .timeout_ns = 1000000};

static uint32_t drawn(uint32_t below) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)state * below >> 32);
}

static const struct axm_hal *fresh(const struct axm_pl330_config *config, struct axm_memory *from,
                                   struct axm_memory *to) {
  const struct axm_hal *hal = fake_pl330(&fake, &target);
  target.cached = true;
  CHECK_EQUAL(axm_pl330_open(&pl330, hal, FAKE_PL330_BASE, config), AXM_OK);
  CHECK_EQUAL(hal->alloc(hal->self, ROOM, 4096, AXM_ANY_ADDRESS, from), AXM_OK);
  CHECK_EQUAL(hal->alloc(hal->self, ROOM, 4096, AXM_ANY_ADDRESS, to), AXM_OK);
  return hal;
}

static enum axm_status copied(const struct axm_memory *to, uint64_t to_at,
                              const struct axm_memory *from, uint64_t from_at, uint32_t bytes) {
  const enum axm_status status = axm_pl330_copy(&pl330, 1, to, to_at, from, from_at, bytes);
  return status == AXM_OK ? axm_pl330_wait(&pl330, 1, 1000000) : status;
}

/* Any length at any place: what is copied is right, what is beside it stays, no burst is one that
 * a bus would refuse. */
static void test_any_place(uint32_t bus_bytes, uint32_t beats) {
  struct axm_memory from, to;
  struct axm_pl330_config config = usual;
  config.burst_beats = beats;
  const struct axm_hal *hal = fresh(&config, &from, &to);
  (void)hal;
  CHECK_EQUAL(axm_pl330_close(&pl330), AXM_OK);
  fake.bus_bytes = bus_bytes;
  CHECK_EQUAL(axm_pl330_open(&pl330, hal, FAKE_PL330_BASE, &config), AXM_OK);
  CHECK_EQUAL(pl330.caps.bus_bytes, bus_bytes);
  CHECK_EQUAL(pl330.caps.channels, 4);
  unsigned char *const there = from.memory, *const here = to.memory;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < ROOM; ++i)
    there[i] = (unsigned char)drawn(256);
  for (int n = 0; n < COPIES; ++n) {
    const uint32_t bytes = 1 + drawn(n % 50 == 0 ? 60000 : 600);
    const uint32_t from_at = 64 + drawn(5000);
    const uint32_t to_at =
        n % 3 == 0 ? 64 + drawn(5000) : 64 + (from_at + drawn(100) / 8 * 8) % 5000;
    memset(here, 0xA5, to_at + bytes + 64);
    const enum axm_status status = copied(&to, to_at, &from, from_at, bytes);
    wrong += status != AXM_OK || memcmp(here + to_at, there + from_at, bytes) != 0;
    for (uint32_t i = 1; i <= 64; ++i)
      wrong += here[to_at - i] != 0xA5 || here[to_at + bytes + i - 1] != 0xA5;
  }
  CHECK_EQUAL(wrong, 0);
  CHECK_EQUAL(fake.objections, 0);
  CHECK_EQUAL(axm_pl330_close(&pl330), AXM_OK);
}

/* Bursts are as few as they can be where both sides are aligned alike. */
static void test_bursts(void) {
  struct axm_memory from, to;
  (void)fresh(&usual, &from, &to);
  CHECK_EQUAL(copied(&to, 0, &from, 0, 65536), AXM_OK);
  CHECK_EQUAL(fake.bursts, 2 * 65536 / 128);
  fake.bursts = 0;
  CHECK_EQUAL(copied(&to, 120, &from, 248, 1 + 7 + 128), AXM_OK); /* a beat, a burst */
  CHECK_EQUAL(fake.bursts, 2 * 2);
  CHECK_EQUAL(pl330.programs_made, 2);
  /* The same shape elsewhere: only addresses change. */
  CHECK_EQUAL(copied(&to, 120 + 1280, &from, 248 + 256, 1 + 7 + 128), AXM_OK);
  CHECK_EQUAL(pl330.programs_made, 2);
  CHECK_EQUAL(memcmp((char *)to.memory + 1400, (char *)from.memory + 504, 136), 0);
  CHECK_EQUAL(copied(&to, 120, &from, 249, 1 + 7 + 128), AXM_OK);
  CHECK_EQUAL(pl330.programs_made, 3);
  CHECK_EQUAL(copied(&to, 121, &from, 249, 1 + 7 + 128), AXM_OK);
  CHECK_EQUAL(pl330.programs_made, 4);
}

static void test_refusals(void) {
  struct axm_memory from, to;
  const struct axm_hal *hal = fresh(&usual, &from, &to);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 4, &to, 0, &from, 0, 8), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, ROOM - 7, &from, 0, 8), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, UINT64_MAX, 8), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, 0, 0), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, 1, 70000), AXM_ERROR_RANGE); /* bytes */
  struct axm_memory high = to;
  high.bus_address = UINT64_C(0xFFFFFFFC);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &high, 0, &from, 0, 8), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_pl330_poll(&pl330, 0), AXM_ERROR_STATE);
  fake.polls = 3;
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, 0, 8), AXM_OK);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, 0, 8), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_pl330_poll(&pl330, 0), AXM_ERROR_EMPTY);
  CHECK_EQUAL(axm_pl330_close(&pl330), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_pl330_wait(&pl330, 0, 1000000), AXM_OK);
  fake.polls = 1u << 30;
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, 0, 8), AXM_OK);
  CHECK_EQUAL(axm_pl330_wait(&pl330, 0, 1000000), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(axm_pl330_stop(&pl330, 0), AXM_OK);
  CHECK_EQUAL(axm_pl330_close(&pl330), AXM_OK);
  fake.stuck = true;
  CHECK_EQUAL(axm_pl330_open(&pl330, hal, FAKE_PL330_BASE, &usual), AXM_OK);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 0, &to, 0, &from, 0, 8), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(axm_pl330_open(&pl330, hal, FAKE_PL330_BASE + 0x1000, &usual), AXM_ERROR_BUS);
  CHECK_EQUAL(axm_pl330_open(&pl330, hal, FAKE_PL330_BASE - 0x1000, &usual), AXM_ERROR_BUS);
}

static void test_faults(void) {
  struct axm_memory from, to;
  struct axm_pl330_cause cause = {0, 0};
  (void)fresh(&usual, &from, &to);
  CHECK_EQUAL(axm_pl330_fault(&pl330, 1, &cause), AXM_ERROR_EMPTY);
  fake.broken = from.bus_address + 1000;
  CHECK_EQUAL(copied(&to, 0, &from, 0, 4096), AXM_ERROR_FAULT);
  CHECK_EQUAL(axm_pl330_fault(&pl330, 1, &cause), AXM_OK);
  CHECK(strcmp(axm_pl330_fault_text(cause.type), "a read was answered with an error") == 0);
  CHECK(cause.at >= pl330.programs.bus_address &&
        cause.at < pl330.programs.bus_address + pl330.programs.size);
  CHECK_EQUAL(axm_pl330_copy(&pl330, 1, &to, 0, &from, 0, 8), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_pl330_stop(&pl330, 1), AXM_OK);
  fake.broken = to.bus_address + 8;
  CHECK_EQUAL(copied(&to, 0, &from, 0, 4096), AXM_ERROR_FAULT);
  CHECK_EQUAL(axm_pl330_fault(&pl330, 1, &cause), AXM_OK);
  CHECK(strcmp(axm_pl330_fault_text(cause.type), "a write was answered with an error") == 0);
  CHECK_EQUAL(axm_pl330_stop(&pl330, 1), AXM_OK);
  fake.broken = 0;
  CHECK_EQUAL(copied(&to, 0, &from, 0, 4096), AXM_OK);
  CHECK_EQUAL(fake.objections, 0);
}

void test_pl330(void) {
  test_any_place(8, 16);
  test_any_place(8, 5);
  test_any_place(4, 16);
  test_any_place(16, 1);
  test_bursts();
  test_refusals();
  test_faults();
}
