/* A vendor's engine by its block: see axm/vendor.h. */
#include "axm/vendor.h"

#include <stddef.h>
#include <string.h>

#include "engines/pair_vendor.h"
#include "generated/vendor.h"
#include "registers.h"

enum axm_status axm_vendor_describe(const struct axm_block_info *info, struct axm_vendor *vendor) {
  static const struct axm_vendor known[] = {
      {.engine = AXM_VENDOR_ENGINE_AXI_DMA, .name = "axi-dma"},
      {.engine = AXM_VENDOR_ENGINE_AXI_DMA_SG, .name = "axi-dma-sg", .chains = true, .joins = true},
      {.engine = AXM_VENDOR_ENGINE_AXI_CDMA, .name = "axi-cdma", .copy = true},
      {.engine = AXM_VENDOR_ENGINE_AXI_CDMA_SG,
       .name = "axi-cdma-sg",
       .copy = true,
       .chains = true,
       .joins = true},
      {.engine = AXM_VENDOR_ENGINE_AXI_TRAFFIC_GEN, .name = "axi-traffic-gen"},
      {.engine = AXM_VENDOR_ENGINE_MSGDMA, .name = "msgdma", .chains = true},
  };
  if (info->type != AXM_VENDOR_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_VENDOR_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *vendor = (struct axm_vendor){.engine = AXM_GET(info->caps, AXM_VENDOR_CAPS__ENGINE)};
  for (size_t n = 0; n < sizeof known / sizeof known[0]; ++n)
    if (known[n].engine == vendor->engine)
      *vendor = known[n];
  vendor->coherent = AXM_GET(info->caps, AXM_VENDOR_CAPS__COHERENT) != 0;
  return AXM_OK;
}

enum axm_status axm_vendor_open(struct axm_pair *pair, const struct axm_block_info *info) {
  struct axm_vendor vendor;
  AXM_TRY(axm_vendor_describe(info, &vendor));
  if (vendor.name == NULL)
    return AXM_ERROR_UNSUPPORTED;
  const struct axm_pair_spec spec = {
      .engine = vendor.name,
      .hal = info->block.hal,
      .base = info->caps2,
      .data_bytes = UINT32_C(1) << AXM_GET(info->caps, AXM_VENDOR_CAPS__DATA_LOG2),
      .length_bits = AXM_GET(info->caps, AXM_VENDOR_CAPS__LENGTH_BITS),
      .address_bits = AXM_GET(info->caps, AXM_VENDOR_CAPS__ADDRESS_BITS),
      .aligned = AXM_GET(info->caps, AXM_VENDOR_CAPS__UNALIGNED) == 0,
      .queue = AXM_PAIR_MSGDMA_QUEUE,
  };
  memset(pair, 0, sizeof *pair);
  if (vendor.engine == AXM_VENDOR_ENGINE_AXI_TRAFFIC_GEN)
    return axm_pair_open_generator(pair, &spec);
  return vendor.engine == AXM_VENDOR_ENGINE_MSGDMA ? axm_pair_open_msgdma(pair, &spec)
                                                   : axm_pair_open_axi(pair, &spec);
}
