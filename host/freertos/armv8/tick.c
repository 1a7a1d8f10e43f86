/* The kernel's tick: the virtual timer of the core (DDI 0487, D11). */
#include "FreeRTOS.h"

#include "bare.h"

static uint64_t interval, next;

static void at(uint64_t count) { __asm__ volatile("msr cntv_cval_el0, %0\n\tisb" ::"r"(count)); }

void axm_tick_start(void) {
  interval = axm_timer_hz() / configTICK_RATE_HZ;
  next = axm_timer_ticks() + interval;
  at(next);
  axm_gic_allow(AXM_TICK_IRQ, portLOWEST_USABLE_INTERRUPT_PRIORITY << portPRIORITY_SHIFT);
  __asm__ volatile("msr cntv_ctl_el0, %0\n\tisb" ::"r"(UINT64_C(1)));
}

void axm_tick_clear(void) {
  const uint64_t now = axm_timer_ticks();
  next += interval;
  if ((int64_t)(now - next) >= 0)
    next = now + interval; /* ticks that are past are lost, or there would be nothing but ticks */
  at(next);
}
