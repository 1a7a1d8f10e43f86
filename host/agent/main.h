/* The agent as a program: a target calls this when it is set up. */
#ifndef AXM_AGENT_MAIN_H
#define AXM_AGENT_MAIN_H

#include <stdint.h>

#include "hal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Serves the host until its line is closed. `base` is the address of the identification block.
 * 0: the line was closed; else what went wrong, as an enum axm_status. */
int axm_agent_main(const struct axm_hal *hal, uint64_t base);

#ifdef __cplusplus
}
#endif

#endif
