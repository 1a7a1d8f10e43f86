/* Engines by name: see axm/engines/pair.h. */
#include "axm/engines/pair.h"

#include <string.h>

#include "engines/pair_vendor.h"
#include "registers.h"

enum { PAGE = 4096 };

static enum axm_status open_mailbox(struct axm_pair *pair, const struct axm_pair_spec *spec,
                                    struct axm_engine *copy) {
  const struct axm_hal *hal = spec->hal;
  struct axm_memory memory = {.bus_address = spec->memory, .size = spec->memory_bytes};
  uint64_t words = spec->words;
  if (spec->memory == 0) {
    AXM_TRY(hal->alloc(hal->self, spec->memory_bytes, PAGE, AXM_ANY_ADDRESS, &memory));
    AXM_TRY(hal->invalidate(hal->self, &memory, 0, spec->memory_bytes));
    words = memory.bus_address;
  }
  AXM_TRY(
      axm_mailbox_open(&pair->box, copy, memory.bus_address, words, memory.size, spec->slot_bytes));
  pair->send = axm_mailbox_engine(&pair->box, AXM_ENGINE_SEND);
  pair->receive = axm_mailbox_engine(&pair->box, AXM_ENGINE_RECEIVE);
  return axm_mailbox_clear(&pair->box);
}

static enum axm_status open_own_half(struct axm_own_engine *own, const struct axm_dma *dma,
                                     const struct axm_pair_spec *spec,
                                     enum axm_engine_direction direction) {
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  const bool rings =
      strcmp(spec->engine, "axm-ring") == 0 || (direction == AXM_ENGINE_COPY && caps.rings);
  return rings ? axm_own_ring_open(own, dma, direction, spec->line_bytes)
               : axm_own_engine_open(own, dma, direction);
}

static enum axm_status open_own(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  struct axm_own_engine *own = pair->state.own;
  struct axm_device device;
  struct axm_block_info info;
  struct axm_dma dma;
  AXM_TRY(axm_open(&device, spec->hal, spec->base));
  AXM_TRY(axm_device_find(&device, AXM_BLOCK_DMA, AXM_NO_PORT, 0, &info));
  AXM_TRY(axm_dma_open(&dma, &info));
  if (strcmp(spec->engine, "axm-copy") == 0) {
    AXM_TRY(open_own_half(&own[0], &dma, spec, AXM_ENGINE_COPY));
    return open_mailbox(pair, spec, &own[0].engine);
  }
  AXM_TRY(open_own_half(&own[0], &dma, spec, AXM_ENGINE_SEND));
  AXM_TRY(open_own_half(&own[1], &dma, spec, AXM_ENGINE_RECEIVE));
  pair->send = &own[0].engine;
  pair->receive = &own[1].engine;
  return AXM_OK;
}

static enum axm_status open_axi(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  AXM_TRY(axm_pair_open_axi(pair, spec));
  return pair->copy != NULL ? open_mailbox(pair, spec, pair->copy) : AXM_OK;
}

static enum axm_status open_pl330(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  const struct axm_pl330_config config = {
      .coherent = true, .burst_beats = AXM_PL330_BURST_BEATS, .timeout_ns = UINT64_C(1000000000)};
  AXM_TRY(axm_pl330_open(&pair->state.pl330.controller, spec->hal, spec->base, &config));
  AXM_TRY(axm_copy_pl330_open(&pair->state.pl330.copy, &pair->state.pl330.controller, 0));
  return open_mailbox(pair, spec, &pair->state.pl330.copy.engine);
}

enum axm_status axm_pair_open(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  static const struct {
    const char *name;
    enum axm_status (*open)(struct axm_pair *pair, const struct axm_pair_spec *spec);
  } known[] = {
      {"axm", open_own},         {"axm-ring", open_own},           {"axm-copy", open_own},
      {"axi-dma", open_axi},     {"axi-dma-sg", open_axi},         {"axi-cdma", open_axi},
      {"axi-cdma-sg", open_axi}, {"msgdma", axm_pair_open_msgdma}, {"pl330", open_pl330},
  };
  struct axm_pair_spec usual = *spec;
  usual.data_bytes = spec->data_bytes != 0 ? spec->data_bytes : 8;
  usual.length_bits = spec->length_bits != 0 ? spec->length_bits : 26;
  usual.address_bits = spec->address_bits != 0 ? spec->address_bits : 32;
  usual.queue = spec->queue != 0 ? spec->queue : AXM_PAIR_MSGDMA_QUEUE;
  usual.line_bytes = spec->line_bytes != 0 ? spec->line_bytes : 32;
  usual.slot_bytes = spec->slot_bytes != 0 ? spec->slot_bytes : 65535;
  usual.memory_bytes = spec->memory_bytes != 0 ? spec->memory_bytes : 262144;
  memset(pair, 0, sizeof *pair);
  for (size_t n = 0; n < sizeof known / sizeof known[0]; ++n)
    if (strcmp(known[n].name, spec->engine) == 0)
      return known[n].open(pair, &usual);
  return AXM_ERROR_UNKNOWN;
}
