/* A vendor's engine that masters a port of the design, as its block describes it (regs/vendor.rdl):
 * which engine, its parameters, and the address of its registers.
 */
#ifndef AXM_VENDOR_H
#define AXM_VENDOR_H

#include "axm/device.h"
#include "axm/engines/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_vendor {
  uint32_t engine;  /* AXM_VENDOR_ENGINE_... of regs/generated/vendor.h */
  const char *name; /* as pair.h has it; NULL: there is no back end */
  bool copy;        /* memory to memory; else it sends and receives */
  bool chains;      /* a transfer may have several descriptors */
  bool joins;       /* a packet may have several of them */
  bool coherent;    /* its port sees the processor's caches */
};

/* AXM_ERROR_TYPE, AXM_ERROR_VERSION for another block. */
enum axm_status axm_vendor_describe(const struct axm_block_info *info,
                                    struct axm_vendor *vendor) AXM_CHECKED;
/* Opens its engines: `send` and `receive` of the pair, or `copy`. AXM_ERROR_UNSUPPORTED without a
 * back end; otherwise the status of the engine's open, which reads its registers. */
enum axm_status axm_vendor_open(struct axm_pair *pair,
                                const struct axm_block_info *info) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
