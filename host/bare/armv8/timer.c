/* The virtual timer of the generic timer (DDI 0487, D11): the same count at every level. */
#include "bare.h"

void axm_timer_start(void) {}

uint64_t axm_timer_ticks(void) {
  uint64_t value = 0;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value)::"memory");
  return value;
}

uint64_t axm_timer_hz(void) {
  uint64_t value = 0;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(value));
  return value;
}
