/* Vendors' engines of axm/engines/pair.h apart from the others, so that a program with only these
 * has no more. All of the spec is given, and the pair is 0; an engine that copies is `copy`,
 * without a mailbox. */
#ifndef AXM_ENGINES_PAIR_VENDOR_H
#define AXM_ENGINES_PAIR_VENDOR_H

#include "axm/engines/pair.h"

/* AXI DMA and AXI CDMA; mSGDMA; AXI Traffic Generator, which is no loop: pair.h has it not. */
enum axm_status axm_pair_open_axi(struct axm_pair *pair,
                                  const struct axm_pair_spec *spec) AXM_CHECKED;
enum axm_status axm_pair_open_msgdma(struct axm_pair *pair,
                                     const struct axm_pair_spec *spec) AXM_CHECKED;
enum axm_status axm_pair_open_generator(struct axm_pair *pair,
                                        const struct axm_pair_spec *spec) AXM_CHECKED;

#endif
