/* The kernel's tick: the private timer of the Cortex-A9 (DDI 0407, chapter 4), at half of the
 * processor's clock like the global timer. */
#include "FreeRTOS.h"

#include "bare.h"

enum { LOAD = 0x00, CONTROL = 0x08, STATUS = 0x0C };
enum { ON = 1, AGAIN = 2, INTERRUPT = 4 };

void axm_tick_start(void) {
  *axm_register(AXM_PRIVATE_TIMER + CONTROL) = 0;
  *axm_register(AXM_PRIVATE_TIMER + STATUS) = 1;
  *axm_register(AXM_PRIVATE_TIMER + LOAD) = (uint32_t)(axm_timer_hz() / configTICK_RATE_HZ) - 1;
  axm_gic_allow(AXM_TICK_IRQ, portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT);
  *axm_register(AXM_PRIVATE_TIMER + CONTROL) = ON | AGAIN | INTERRUPT;
}

void axm_tick_clear(void) { *axm_register(AXM_PRIVATE_TIMER + STATUS) = 1; }
