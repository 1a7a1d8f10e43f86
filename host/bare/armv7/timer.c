/* The global timer of the Cortex-A9 MPCore (DDI 0407, chapter 4): 64 bit, of all cores. */
#include "bare.h"

enum { LOW = 0x00, HIGH = 0x04, CONTROL = 0x08 };

void axm_timer_start(void) { *axm_register(AXM_GLOBAL_TIMER + CONTROL) |= 1u; }

uint64_t axm_timer_ticks(void) {
  for (;;) {
    const uint32_t high = *axm_register(AXM_GLOBAL_TIMER + HIGH);
    const uint32_t low = *axm_register(AXM_GLOBAL_TIMER + LOW);
    if (*axm_register(AXM_GLOBAL_TIMER + HIGH) == high)
      return (uint64_t)high << 32 | low;
  }
}
