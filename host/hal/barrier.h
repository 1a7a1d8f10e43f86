/* The barrier before a register access that hands memory to a device, or takes it back.
 *
 * The device is a master outside the processors' inner shareable domain, and need not be coherent:
 * a barrier among processors (`dmb ish`, which is what __sync_synchronize() gives) does not bind
 * it. `dsb sy` waits until every access before it is complete for the whole system, reads as well,
 * so that a buffer is neither given away before it was read nor read before it is back.
 */
#ifndef AXM_BARRIER_H
#define AXM_BARRIER_H

static inline void axm_device_barrier(void) {
#if defined(__aarch64__) || (defined(__arm__) && defined(__ARM_ARCH) && __ARM_ARCH >= 7)
  __asm__ volatile("dsb sy" ::: "memory");
#elif defined(__arm__)
  __asm__ volatile("mcr p15, 0, %0, c7, c10, 4" ::"r"(0) : "memory"); /* before ARMv7 */
#else
  __sync_synchronize();
#endif
}

#endif
