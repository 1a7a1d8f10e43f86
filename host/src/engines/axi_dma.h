/* What the two ways of AXI DMA and CDMA share: see axm/engines/axi_dma.h. */
#ifndef AXM_ENGINES_AXI_DMA_OWN_H
#define AXM_ENGINES_AXI_DMA_OWN_H

#include "axm/engines/axi_dma.h"

static inline struct axm_axi_half *axm_axi_half_of(struct axm_engine *engine) {
  return (struct axm_axi_half *)engine;
}
enum axm_status axm_axi_read(const struct axm_axi_half *half, uint32_t at,
                             uint32_t *value) AXM_CHECKED;
enum axm_status axm_axi_write(const struct axm_axi_half *half, uint32_t at,
                              uint32_t value) AXM_CHECKED;
/* An address: the high word last, and only where there is one. */
enum axm_status axm_axi_write_address(const struct axm_axi_half *half, uint32_t at,
                                      uint64_t address) AXM_CHECKED;
/* Cause and code of a half's error bits. */
struct axm_engine_done axm_axi_failed(uint32_t status);

extern const struct axm_engine_ops axm_axi_simple_ops;
extern const struct axm_engine_ops axm_axi_sg_ops;

enum axm_status axm_axi_start(struct axm_engine *engine,
                              const struct axm_engine_config *config) AXM_CHECKED;
enum axm_status axm_axi_halt(struct axm_engine *engine, uint64_t timeout_ns) AXM_CHECKED;
enum axm_status axm_axi_interrupt_enable(struct axm_engine *engine, bool on) AXM_CHECKED;

#endif
