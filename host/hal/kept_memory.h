/* DMA memory on Linux that the kernel was told to leave alone (`mem=` on its command line, or a
 * `reserved-memory` node with `no-map`), through /dev/mem: without a driver for it, and without its
 * checks. Nobody caches it; it needs root, and a processor that may access it word by word only.
 */
#ifndef AXM_KEPT_MEMORY_H
#define AXM_KEPT_MEMORY_H

#include <stdbool.h>

#include "hal.h"

/* Whether `text` is ADDRESS,BYTES such as 0x1E000000,0x1000000. */
bool axm_kept_memory_named(const char *text);
/* AXM_ERROR_ARGUMENT if `text` names no whole pages, AXM_ERROR_SYSTEM if the kernel does not give
 * them: it uses them itself. devices: NULL for /dev. */
enum axm_status axm_kept_memory_open(struct axm_memory *whole, const char *text,
                                     const char *devices) AXM_CHECKED;
void axm_kept_memory_close(struct axm_memory *whole);

#endif
