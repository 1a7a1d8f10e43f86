/* DMA memory on Linux that the kernel leaves unused (`mem=` on its command line, or a
 * `reserved-memory` node with `no-map`), through /dev/mem, without a driver and its checks. It is
 * not cached, needs root, and must be accessed word by word.
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
