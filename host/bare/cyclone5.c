/* What is the Cyclone V's own (Cyclone V HPS Technical Reference Manual). */
#include "bare.h"

/* Bridges to the fabric that the preloader left in reset or hidden: an access would hang or fail.
 * The fabric must be configured by then. */
void axm_chip_start(void) {
#ifndef AXM_EMULATED
  *axm_register(AXM_BRGMODRST) &= ~AXM_BRIDGES_IN_RESET;
  *axm_register(AXM_L3) = AXM_L3_REMAP;
#endif
}

/* The timers count at a quarter of the processor's clock (mpu_periph_clk). */
uint64_t axm_timer_hz(void) {
#ifdef AXM_TIMER_HZ
  return AXM_TIMER_HZ;
#else
  const uint32_t pll = *axm_register(AXM_CLK_MAINPLLGRP_VCO);
  const uint32_t first = *axm_register(AXM_CLK_ALTERAGRP_MPUCLK);
  const uint32_t second = *axm_register(AXM_CLK_MAINPLLGRP_MPUCLK);
  return (uint64_t)AXM_PS_CLK_HZ * (AXM_CLK_MAINPLLGRP_VCO_NUMER(pll) + 1) /
         (AXM_CLK_MAINPLLGRP_VCO_DENOM(pll) + 1) / (AXM_CLK_ALTERAGRP_MPUCLK_ALL(first) + 1) /
         (AXM_CLK_MAINPLLGRP_MPUCLK_CNT(second) + 1) / 4;
#endif
}

struct axm_coherency axm_chip_coherency(void) { return (struct axm_coherency){.prot = 0}; }
