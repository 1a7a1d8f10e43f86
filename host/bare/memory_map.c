/* What is mapped where: the image and its data, the peripherals, the fabric. How is the
 * architecture's own (mmu.c). */
#include "bare.h"

static uint64_t address_of(const unsigned char *place) { return (uintptr_t)place; }

void axm_memory_map(void) {
  static const uint32_t fabric[][2] = AXM_FABRIC;
  axm_map(address_of(axm_image_begin), address_of(axm_dma_begin), AXM_CODE);
  axm_map(address_of(axm_dma_begin), address_of(axm_dma_end), AXM_DATA);
  axm_map(AXM_PERIPHERALS, UINT64_C(1) << 32, AXM_DEVICE);
  if (axm_window_access != NULL)
    return; /* an emulator's fabric is not there: each access is an abort */
  for (size_t i = 0; i < sizeof fabric / sizeof fabric[0]; ++i)
    axm_map(fabric[i][0], (uint64_t)fabric[i][1] + 1, AXM_DEVICE);
}
