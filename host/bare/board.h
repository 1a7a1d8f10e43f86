/* The board that an image without an operating system runs on. */
#ifndef AXM_BOARD_H
#define AXM_BOARD_H

#include "axm/chip.h"
#include "targets.h"

#ifndef AXM_BASE
#define AXM_BASE AXM_DESIGN
#endif

/* Starts UART, timer and interrupts; the target for the library. MMU and caches are on. */
const struct axm_hal *axm_board_start(void);

#endif
