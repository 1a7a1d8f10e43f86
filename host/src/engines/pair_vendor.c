/* Vendors' engines by name: see pair_vendor.h. */
#include "engines/pair_vendor.h"

#include <string.h>

#include "registers.h"

enum axm_status axm_pair_open_axi(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  struct axm_axi_dma *dma = &pair->state.axi.dma;
  struct axm_axi_half *half = pair->state.axi.half;
  *dma = (struct axm_axi_dma){
      .hal = spec->hal,
      .base = spec->base,
      .central = strncmp(spec->engine, "axi-cdma", 8) == 0,
      .scatter_gather = strcmp(spec->engine + strlen(spec->engine) - 3, "-sg") == 0,
      .unaligned = !spec->aligned,
      .length_bits = spec->length_bits,
      .address_bits = spec->address_bits,
      .data_bytes = spec->data_bytes,
  };
  if (dma->central) {
    pair->copy = &half[0].engine;
    return axm_axi_dma_open(&half[0], dma, AXM_ENGINE_COPY);
  }
  AXM_TRY(axm_axi_dma_open(&half[0], dma, AXM_ENGINE_SEND));
  AXM_TRY(axm_axi_dma_open(&half[1], dma, AXM_ENGINE_RECEIVE));
  pair->send = &half[0].engine;
  pair->receive = &half[1].engine;
  return AXM_OK;
}

enum axm_status axm_pair_open_msgdma(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  for (uint32_t n = 0; n < 2; ++n) {
    const uint64_t base = spec->base + (uint64_t)n * AXM_PAIR_MSGDMA_STEP;
    const struct axm_msgdma_parts parts = {
        .hal = spec->hal,
        .csr = base,
        .descriptors = base + AXM_PAIR_MSGDMA_DESCRIPTORS,
        .responses = n == 0 ? 0 : base + AXM_PAIR_MSGDMA_RESPONSES,
        .extended = true,
        .unaligned = !spec->aligned,
        .queue = spec->queue,
        .longest = spec->length_bits < 32 ? (UINT32_C(1) << spec->length_bits) - 1 : UINT32_MAX,
        .data_bytes = spec->data_bytes,
        .address_bits = spec->address_bits,
    };
    AXM_TRY(axm_msgdma_open(&pair->state.msgdma[n], &parts,
                            n == 0 ? AXM_ENGINE_SEND : AXM_ENGINE_RECEIVE));
  }
  pair->send = &pair->state.msgdma[0].engine;
  pair->receive = &pair->state.msgdma[1].engine;
  return AXM_OK;
}

enum axm_status axm_pair_open_generator(struct axm_pair *pair, const struct axm_pair_spec *spec) {
  struct axm_traffic_gen *core = &pair->state.generator;
  *core = (struct axm_traffic_gen){.hal = spec->hal,
                                   .base = spec->base,
                                   .data_bytes = spec->data_bytes,
                                   .address_bits = spec->address_bits};
  AXM_TRY(axm_traffic_gen_open(core));
  pair->send = &core->half[0].engine;
  pair->receive = &core->half[1].engine;
  return AXM_OK;
}
