/* Reads the counters that a monitor and a traffic generator have alike. */
#ifndef AXM_SRC_COUNTERS_H
#define AXM_SRC_COUNTERS_H

#include "axm/counters.h"

/* Reads the counters as the last snapshot left them; not the flags. */
enum axm_status axm_counters_read(const struct axm_block *block,
                                  struct axm_counters *counters) AXM_CHECKED;
/* Waits until no bit of `mask` at `offset` differs from `wanted`; some clocks at most, else
 * AXM_ERROR_TIMEOUT. *word is what was read last. */
enum axm_status axm_settle(const struct axm_block *block, uint32_t offset, uint32_t mask,
                           uint32_t wanted, uint32_t *word) AXM_CHECKED;

#endif
