/* The targets that there are: each is one file beside this one. A program links those it uses. */
#ifndef AXM_TARGETS_H
#define AXM_TARGETS_H

#include "hal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The co-simulation (sim.c); the functions of sim_bus.h must be linked. */
const struct axm_hal *axm_hal_sim(void);

/* Linux (linux.c): registers through UIO or /dev/mem, DMA memory through u-dma-buf. */
struct axm_linux_options {
  const char *registers; /* "/dev/uio0", or "/dev/mem" without interrupt; NULL: none */
  uint64_t base;         /* bus address of the registers */
  uint64_t size;         /* bytes of the registers */
  const char *memory;    /* name of a u-dma-buf device such as "udmabuf0", "hugepage", or of memory
                          * that the kernel leaves alone "0x1E000000,0x1000000"; NULL: none */
  const char *sysfs;     /* where the system has its classes and devices: NULL for /sys/class */
  const char *devices;   /* and /dev */
};
/* Opens everything; on failure *what names the file or step that failed. */
enum axm_status axm_hal_linux(const struct axm_linux_options *options, const struct axm_hal **hal,
                              const char **what) AXM_CHECKED;
void axm_hal_linux_close(void);

/* Buffers of bare.c are whole pieces of this many bytes where the memory is cached: no line of a
 * Cortex-A's caches is longer. */
enum { AXM_BARE_LINE = 64 };

/* A processor without operating system (bare.c): what the board's file supplies. */
struct axm_bare_board {
  const char *name;
  int emulated; /* 1: an emulator's */
  struct axm_coherency coherency;
  const struct axm_platform_table *platform; /* NULL: not known */
  int (*configured)(void);                   /* 1 if the fabric has a bitstream; NULL: not known */
  /* Generic timer: its count and its frequency. */
  uint64_t (*ticks)(void);
  uint64_t ticks_hz;
  /* UART: a byte if one is there (0 to 255) or -1; sends a byte, 0 if it cannot be sent. */
  int (*get)(void);
  int (*put)(char byte);
  /* 1 if the interrupt of the design is asserted; NULL if it is not connected. */
  int (*irq)(void);
  /* 1 if a register access since the last call was answered by no slave; NULL if that ends the
   * program. */
  int (*failed)(void);
  /* Cache maintenance of whole lines; NULL if the memory is not cached. Both, or neither. */
  void (*clean)(void *memory, uint64_t size);
  void (*invalidate)(void *memory, uint64_t size);
  /* Memory for DMA, with processor and bus addresses the same distance apart throughout, a
   * multiple of AXM_BARE_LINE; cached memory begins at one, too. */
  void *memory;
  uint64_t memory_bus_address;
  uint64_t memory_size;
};
const struct axm_hal *axm_hal_bare(const struct axm_bare_board *board);

#ifdef __cplusplus
}
#endif

#endif
