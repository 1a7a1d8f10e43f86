/* Copies by the DMA controller of a Zynq-7000 or Cyclone V (PL330), each byte checked: pieces that
 * are aligned alike and pieces that are not, 1 byte to 64 KiB. It needs no design in the fabric.
 * One line for each size: copies, how many programs were made for them (one a channel, where all
 * have one shape), what was wrong.
 */
#include <string.h>

#include "app.h"
#include "axm/chip.h"
#include "axm/pl330.h"
#include "print.h"

#ifndef AXM_PL330_BASE /* the controller's registers */
#define AXM_PL330_BASE AXM_PL330
#endif

enum { ROOM = 131072, COPIES = 40, AROUND = 64 };

static const uint32_t sizes[] = {1, 7, 64, 1000, 4096, 65536};

struct table {
  const struct axm_hal *hal;
  int failed;
};

static void text(const struct table *table, const char *words) { axm_print(table->hal, words); }

static void number(const struct table *table, uint64_t value, size_t width) {
  axm_print_number(table->hal, value, 10, width);
}

static unsigned char byte_of(uint32_t copy, uint32_t at) {
  return (unsigned char)(copy * 31u + at * 7u + (at >> 8));
}

/* A copy between places of its own, and what of it is wrong, or was written around it. */
static enum axm_status one(struct axm_pl330 *pl330, const struct axm_memory *to,
                           const struct axm_memory *from, uint32_t bytes, uint32_t copy, bool alike,
                           uint32_t *wrong) {
  const uint32_t to_at = alike ? AROUND + copy * 256 : AROUND + copy * 37 % 1024;
  const uint32_t from_at = alike ? to_at + 1280 : AROUND + copy * 53 % 1024;
  unsigned char *const there = (unsigned char *)from->memory + from_at;
  unsigned char *const here = (unsigned char *)to->memory + to_at;
  for (uint32_t i = 0; i < bytes; ++i)
    there[i] = byte_of(copy, i);
  memset(here - AROUND, 0x5A, bytes + 2 * AROUND);
  const uint32_t channel = copy % pl330->caps.channels;
  enum axm_status status = axm_pl330_copy(pl330, channel, to, to_at, from, from_at, bytes);
  if (status == AXM_OK)
    status = axm_pl330_wait(pl330, channel, UINT64_C(5000000000));
  for (uint32_t i = 0; i < bytes; ++i)
    *wrong += here[i] != byte_of(copy, i);
  for (uint32_t i = 0; i < AROUND; ++i)
    *wrong += here[(int)i - AROUND] != 0x5A || here[bytes + i] != 0x5A;
  return status;
}

static enum axm_status row(struct table *table, struct axm_pl330 *pl330,
                           const struct axm_memory *to, const struct axm_memory *from, bool alike,
                           uint32_t bytes) {
  uint32_t wrong = 0;
  enum axm_status status = AXM_OK;
  const uint64_t before = pl330->programs_made;
  for (uint32_t copy = 0; copy < COPIES && status == AXM_OK; ++copy)
    status = one(pl330, to, from, bytes, copy, alike, &wrong);
  text(table, alike ? "alike   " : "unalike ");
  number(table, bytes, 6);
  number(table, COPIES, 8);
  number(table, pl330->programs_made - before, 9);
  number(table, wrong, 6);
  text(table, "  ");
  text(table, axm_status_name(status));
  text(table, "\n");
  table->failed |= status != AXM_OK || wrong != 0;
  return status;
}

static enum axm_status run(struct table *table) {
  static struct axm_pl330 pl330;
  struct axm_memory to, from;
  const struct axm_hal *hal = table->hal;
  const struct axm_pl330_config config = {.burst_beats = AXM_PL330_BURST_BEATS,
                                          .timeout_ns = UINT64_C(1000000000)};
  enum axm_status status = axm_pl330_open(&pl330, hal, AXM_PL330_BASE, &config);
  if (status == AXM_OK)
    status = hal->alloc(hal->self, ROOM, 4096, AXM_ANY_ADDRESS, &to);
  if (status == AXM_OK)
    status = hal->alloc(hal->self, ROOM, 4096, AXM_ANY_ADDRESS, &from);
  if (status != AXM_OK)
    return status;
  text(table, "channels");
  number(table, pl330.caps.channels, 3);
  text(table, ", bytes a beat");
  number(table, pl330.caps.bus_bytes, 3);
  text(table, "\naligned   size  copies programs wrong  status\n");
  for (int alike = 1; alike >= 0; --alike)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && status == AXM_OK; ++i)
      status = row(table, &pl330, &to, &from, alike != 0, sizes[i]);
  return status != AXM_OK ? status : axm_pl330_close(&pl330);
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  (void)base;
  struct table table = {.hal = hal, .failed = 0};
  const enum axm_status status = run(&table);
  text(&table, status == AXM_OK && table.failed == 0 ? "done\n" : "failed: ");
  if (status != AXM_OK || table.failed != 0) {
    text(&table, axm_status_text(status));
    text(&table, "\n");
  }
  return status != AXM_OK || table.failed != 0;
}
