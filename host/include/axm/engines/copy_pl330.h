/* A channel of the processor's PL330 (axm/pl330.h) as a copying engine. Copies wait here, one is in
 * hand, and the next begins in poll. No interrupt.
 *
 * The PL330 is opened with `coherent`: the caller does the cache maintenance of the data.
 */
#ifndef AXM_ENGINES_COPY_PL330_H
#define AXM_ENGINES_COPY_PL330_H

#include "axm/engine.h"
#include "axm/pl330.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_copy_pl330 {
  struct axm_engine engine;
  struct axm_pl330 *pl330;
  uint32_t channel;
  struct axm_engine_queue queue;
};

/* AXM_ERROR_ARGUMENT for a channel that is not there, or a PL330 that is not opened so. */
enum axm_status axm_copy_pl330_open(struct axm_copy_pl330 *copy, struct axm_pl330 *pl330,
                                    uint32_t channel) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
