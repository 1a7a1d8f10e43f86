/* What of a Linux system may change what is measured on it: kernel, governor, clocks, temperature.
 *
 * A value is what the system says, without units of its own: `cpu_khz`, `temperature_mC` (the
 * hottest sensor), `fabric_hz` (needs debugfs). What a system does not tell is left out.
 */
#ifndef AXM_LINUX_ENVIRONMENT_H
#define AXM_LINUX_ENVIRONMENT_H

#include <stdbool.h>

#include "hal.h"

/* The nth of them, `root` in front of each path ("" on a board). AXM_ERROR_EMPTY: the system does
 * not tell; AXM_ERROR_RANGE: there are no more. */
enum axm_status axm_linux_environment(const char *root, uint32_t nth, const char **name,
                                      char value[AXM_ENVIRONMENT_BYTES]) AXM_CHECKED;

/* Whether this is no board: its device tree is an emulator's, or there is none. */
bool axm_linux_emulated(const char *root);

#endif
