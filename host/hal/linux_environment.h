/* Conditions of a Linux system that may change a measurement: kernel, governor, clocks,
 * temperature.
 *
 * Values are as the system reports them, with the unit in the name: `cpu_khz`, `temperature_mC`
 * (the hottest sensor), `fabric_hz` (needs debugfs). Values that a system does not report are left
 * out.
 */
#ifndef AXM_LINUX_ENVIRONMENT_H
#define AXM_LINUX_ENVIRONMENT_H

#include <stdbool.h>

#include "hal.h"

/* The nth of them, `root` in front of each path ("" on a board). AXM_ERROR_EMPTY: the system
 * reports none; AXM_ERROR_RANGE: there are no more. */
enum axm_status axm_linux_environment(const char *root, uint32_t nth, const char **name,
                                      char value[AXM_ENVIRONMENT_BYTES]) AXM_CHECKED;

/* False where the kernel's manager of the FPGA says that it has no bitstream in operation; true
 * without a manager, too. */
bool axm_linux_configured(const char *root);

/* True without a board: the device tree is an emulator's, or there is none. */
bool axm_linux_emulated(const char *root);

#endif
