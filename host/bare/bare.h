/* The pieces of a Cortex-A9 without an operating system: one file each. */
#ifndef AXM_BARE_H
#define AXM_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axm/zynq7000.h"

static inline volatile uint32_t *axm_register(uint32_t address) {
  return (volatile uint32_t *)(uintptr_t)address;
}

/* Registers of the program at an exception (start.S). */
struct axm_frame {
  uint32_t r[15]; /* r0 to r12, sp, lr */
  uint32_t pc;    /* of the instruction; where the program goes on */
};

/* Memory map (mmu.c): DDR cached (write-back, write-allocate), the fabric and the peripherals
 * device memory; all else is not there. Switches MMU and caches on. */
void axm_mmu_start(void);

/* Caches (cache.c), L1 by address and then L2, for a master that does not see them. Whole lines of
 * 32 bytes. */
void axm_l2_start(void);
void axm_cache_clean(void *memory, uint64_t size);
void axm_cache_invalidate(void *memory, uint64_t size);

/* Interrupts of the fabric (gic.c). taken: whether the line was asserted since the last call; it
 * is listened to again from then on. */
void axm_gic_start(void);
int axm_gic_taken(void);
void axm_gic_allow(uint32_t interrupt, uint32_t priority); /* any, to this core; 0xF8 the least */
void axm_gic_listen(bool listens);                         /* to the fabric */
void axm_gic_pend(void); /* as if the line rose: for an emulator without a fabric */

/* The global timer (timer.c): counts at half of the processor's clock. */
void axm_timer_start(void);
uint64_t axm_timer_ticks(void);
uint64_t axm_timer_hz(void);

/* A UART (uart.c): as the boot loader has set its baud rate. */
void axm_uart_start(void);
int axm_uart_get(void);
int axm_uart_put(char byte);

/* Accesses that no slave answers (abort.c). taken: whether there was one since the last call. */
int axm_abort_taken(void);
_Noreturn void axm_fatal(uint32_t what, uint32_t where);

/* What an access to the fabric becomes where the processor cannot reach it (window.c, emulators
 * only): true and the word, or false if no slave answered. NULL on a board. */
bool axm_window_access(bool write, uint32_t address, uint32_t *value) __attribute__((weak));
void axm_window_start(void) __attribute__((weak));
void axm_window_poll(void) __attribute__((weak));

#endif
