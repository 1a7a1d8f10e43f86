/* The global timer of the Cortex-A9 MPCore: 64 bit, at half of the processor's clock (CPU_3x2x;
 * UG585, chapter 8), which the PLL's and the divider's registers give. */
#include "bare.h"

#ifndef AXM_PS_CLK_HZ
#define AXM_PS_CLK_HZ 33333333u /* of the board's oscillator: 50 MHz on the Zybo and the PYNQs */
#endif

void axm_timer_start(void) { *axm_register(AXM_GLOBAL_TIMER + 0x08) |= 1u; }

uint64_t axm_timer_ticks(void) {
  for (;;) {
    const uint32_t high = *axm_register(AXM_GLOBAL_TIMER + 0x04);
    const uint32_t low = *axm_register(AXM_GLOBAL_TIMER);
    if (*axm_register(AXM_GLOBAL_TIMER + 0x04) == high)
      return (uint64_t)high << 32 | low;
  }
}

uint64_t axm_timer_hz(void) {
#ifdef AXM_TIMER_HZ
  return AXM_TIMER_HZ;
#else
  const uint32_t multiplier = AXM_SLCR_ARM_PLL_CTRL_PLL_FDIV(*axm_register(AXM_SLCR_ARM_PLL_CTRL));
  const uint32_t divider = AXM_SLCR_ARM_CLK_CTRL_DIVISOR(*axm_register(AXM_SLCR_ARM_CLK_CTRL));
  return (uint64_t)AXM_PS_CLK_HZ * multiplier / (divider == 0 ? 1 : divider) / 2;
#endif
}
