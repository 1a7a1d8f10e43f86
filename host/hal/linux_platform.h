/* Registers of the processor system on Linux, by /dev/mem (as root): those of axm/platform.h, and
 * no others. Each access maps a page and lets it go: settings are changed rarely. */
#ifndef AXM_LINUX_PLATFORM_H
#define AXM_LINUX_PLATFORM_H

#include "axm/platform.h"

/* The table of the chip that the device tree below `tree` names; NULL if there is none. */
const struct axm_platform_table *axm_linux_platform(const char *tree);
/* An access to a register of `table`, by the file `memory`. AXM_ERROR_BUS if it has no such
 * register, or nothing answers; AXM_ERROR_SYSTEM if the file cannot be mapped. */
enum axm_status axm_linux_platform_read32(const struct axm_platform_table *table,
                                          const char *memory, uint64_t address,
                                          uint32_t *value) AXM_CHECKED;
enum axm_status axm_linux_platform_write32(const struct axm_platform_table *table,
                                           const char *memory, uint64_t address,
                                           uint32_t value) AXM_CHECKED;

#endif
