/* Register accesses on Linux that nothing answers: a status instead of the end of the program.
 *
 * The kernel reports them by SIGBUS: a failed read immediately, a failed write perhaps some time
 * later (ARM calls it imprecise): then the next access fails. A SIGBUS of any other origin ends the
 * program as usual. One process drives one design: the state is static.
 */
#ifndef AXM_BUS_ERROR_H
#define AXM_BUS_ERROR_H

#include <stdint.h>

#include "axm/status.h"

/* Catches SIGBUS from now on; AXM_ERROR_SYSTEM if it cannot. release gives it back. */
enum axm_status axm_bus_error_catch(void) AXM_CHECKED;
void axm_bus_error_release(void);

/* The accesses: AXM_ERROR_BUS if nothing answers, or did not answer an earlier write. */
enum axm_status axm_bus_read32(const volatile uint32_t *word, uint32_t *value) AXM_CHECKED;
enum axm_status axm_bus_write32(volatile uint32_t *word, uint32_t value) AXM_CHECKED;

#endif
