/* What is the Zynq-7000's own. */
#include "bare.h"

/* SLCR.L2C_RAM: UG585, chapter 3, initialisation of the L2 cache. */
void axm_chip_start(void) {
  *axm_register(AXM_SLCR_SLCR_UNLOCK) = 0xDF0D;
  *axm_register(AXM_SLCR_L2C_RAM) = 0x00020202;
  *axm_register(AXM_SLCR_SLCR_LOCK) = 0x767B;
}

/* The timers count at half of the processor's clock (CPU_3x2x; UG585, chapter 8), which the
 * registers of PLL and divider give. */
uint64_t axm_timer_hz(void) {
#ifdef AXM_TIMER_HZ
  return AXM_TIMER_HZ;
#else
  const uint32_t multiplier = AXM_SLCR_ARM_PLL_CTRL_PLL_FDIV(*axm_register(AXM_SLCR_ARM_PLL_CTRL));
  const uint32_t divider = AXM_SLCR_ARM_CLK_CTRL_DIVISOR(*axm_register(AXM_SLCR_ARM_CLK_CTRL));
  return (uint64_t)AXM_PS_CLK_HZ * multiplier / (divider == 0 ? 1 : divider) / 2;
#endif
}

struct axm_coherency axm_chip_coherency(void) { return (struct axm_coherency){.prot = 0}; }
