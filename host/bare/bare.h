/* The parts of a processor without an operating system, one file each. Chips have zynq7000.c,
 * zynqmp.c and cyclone5.c; architectures have armv7/ (Cortex-A9) and armv8/ (Cortex-A53). */
#ifndef AXM_BARE_H
#define AXM_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axm/chip.h"
#include "hal.h"

static inline volatile uint32_t *axm_register(uint32_t address) {
  return (volatile uint32_t *)(uintptr_t)address;
}

/* Of image.ld. Code may run from the image's beginning to axm_dma_begin; the memory that is there
 * ends at axm_dma_end. */
extern unsigned char axm_image_begin[], axm_dma_begin[], axm_dma_end[];

/* Memory map, caches and aborts, in this order; a loader's settings are gone (mmu.c). Memory is
 * cached (write-back, write-allocate) and shareable, the fabric and the peripherals are device
 * memory; nothing else is mapped. */
void axm_processor_start(void);
/* axm_memory_map: for mmu.c of an architecture (memory_map.c), maps everything. axm_map, of mmu.c:
 * maps from `begin`, at a border of its pieces, to the end of the piece with the byte before `end`,
 * to the same address, below 4 GiB. Only code is executable. */
enum axm_map_kind { AXM_CODE, AXM_DATA, AXM_DEVICE };
void axm_memory_map(void);
void axm_map(uint64_t begin, uint64_t end, enum axm_map_kind kind);

/* Caches (cache.c), for a master that does not see them: whole lines of 32 (A9) or 64 bytes. start:
 * before they are switched on. */
void axm_cache_start(void);
void axm_cache_clean(void *memory, uint64_t size);
void axm_cache_invalidate(void *memory, uint64_t size);

/* Interrupts of the fabric (gic.c). taken: whether the line was asserted since the last call,
 * which enables it again. */
void axm_gic_start(void);
int axm_gic_taken(void);
void axm_gic_allow(uint32_t interrupt, uint32_t priority); /* any, to this core; 0xF8 the least */
void axm_gic_listen(bool listens);                         /* to the fabric */
void axm_gic_pend(void);      /* as if the line rose: for an emulator without a fabric */
void axm_interrupts_on(void); /* of the processor (abort.c) */

/* A timer of all cores (timer.c). */
void axm_timer_start(void);
uint64_t axm_timer_ticks(void);
uint64_t axm_timer_hz(void);

/* A UART (uart_*.c): as the boot loader has set its baud rate. */
void axm_uart_start(void);
int axm_uart_get(void);
int axm_uart_put(char byte);

/* What the chip needs before its caches: bridges, settings of memories. */
void axm_chip_start(void);
/* How coherent ports see the caches; status: by the chip's registers. */
struct axm_coherency axm_chip_coherency(void);

/* Accesses that no slave answers (abort.c, fault.c). start: those that a loader left pending are
 * dropped. taken: whether there was one since the last call. */
void axm_abort_start(void);
int axm_abort_taken(void);
/* A register that may be refused to this program: false if it is. */
bool axm_probe(uint32_t address, uint32_t *value);

/* For abort.c of an architecture (fault.c): whether the fabric is there; an access of it, which the
 * window may answer, or else has failed; one that has failed; the end of a program that did
 * something else. */
bool axm_fabric_has(uint64_t address);
void axm_fabric_access(bool write, uint64_t address, uint32_t *value);
void axm_fabric_failed(void);
_Noreturn void axm_fatal(const char *what, uint64_t where, uint64_t address);

/* What an access to the fabric becomes where the processor cannot reach it (window.c, emulators
 * only): true and the word, or false if no slave answered. NULL on a board. */
bool axm_window_access(bool write, uint32_t address, uint32_t *value) __attribute__((weak));
void axm_window_start(void) __attribute__((weak));
void axm_window_poll(void) __attribute__((weak));
intptr_t axm_semihosting(intptr_t operation, const void *arguments); /* of the architecture */

#endif
