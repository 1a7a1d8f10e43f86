/* The library under FreeRTOS. */
#ifndef AXM_RTOS_H
#define AXM_RTOS_H

#include "hal.h"

enum { AXM_RTOS_WAITERS = 8 }; /* tasks that may wait for the interrupt */

/* The target for tasks, over that of the processor without an operating system. Many tasks may use
 * it together: registers and memory are guarded, wait_irq blocks the task that calls it until the
 * interrupt comes. One task prints; a channel has one task (axm/channel.h).
 *
 * Of an interrupt's handler, or before the scheduler runs, wait_irq and idle_ns are refused:
 * AXM_ERROR_STATE, and no time passes. */
const struct axm_hal *axm_hal_rtos(const struct axm_hal *bare);

#endif
