/* Interrupts of the processor, also those that a critical section of the kernel lets pass: of use
 * everywhere, in handlers too. And whether a handler runs. */
#ifndef AXM_PROCESSOR_H
#define AXM_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#define AXM_YIELD(better) portYIELD_FROM_ISR(better)

#if defined(AXM_POSIX) /* posix/posix.c */

bool axm_in_a_handler(void);
uintptr_t axm_hold(void);
void axm_let_go(uintptr_t state);
void axm_rest(void);
#undef AXM_YIELD
#define AXM_YIELD(better) (void)(better) /* the tick does, at its end */

#elif defined(__aarch64__)

extern volatile uint64_t ullPortInterruptNesting; /* of the port */
static inline bool axm_in_a_handler(void) { return ullPortInterruptNesting != 0; }

static inline uintptr_t axm_hold(void) {
  uintptr_t state = 0;
  __asm__ volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(state)::"memory");
  return state;
}

static inline void axm_let_go(uintptr_t state) {
  __asm__ volatile("msr daif, %0" ::"r"(state) : "memory");
}

static inline void axm_rest(void) { __asm__ volatile("wfi"); }

#else

extern volatile uint32_t ulPortInterruptNesting;
static inline bool axm_in_a_handler(void) { return ulPortInterruptNesting != 0; }

static inline uintptr_t axm_hold(void) {
  uintptr_t state = 0;
  __asm__ volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(state)::"memory");
  return state;
}

static inline void axm_let_go(uintptr_t state) {
  __asm__ volatile("msr cpsr_c, %0" ::"r"(state) : "memory");
}

static inline void axm_rest(void) { __asm__ volatile("wfi"); }

#endif

#endif
