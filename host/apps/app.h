/* A program over the library: the same source on every target. */
#ifndef AXM_APP_H
#define AXM_APP_H

#include "hal.h"

/* Runs on the design at `base` and prints through the target's line. 0 if all went well. */
int axm_app(const struct axm_hal *hal, uint64_t base);

#endif
