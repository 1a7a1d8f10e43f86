/* What the co-simulation gives to the C side: its bus, memory, time and interrupt.
 * The co-simulation defines these functions; host/hal/sim.c calls them.
 */
#ifndef AXM_SIM_BUS_H
#define AXM_SIM_BUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A register access; simulated time goes on until it is done. Non-zero: bus error or time-out. */
int axm_sim_read32(uint64_t address, uint32_t *value);
int axm_sim_write32(uint64_t address, uint32_t value);

/* Simulated time. */
uint64_t axm_sim_now_ns(void);
/* Runs until the interrupt is asserted: 1; the time is over: 0; the simulation is dead: < 0. */
int axm_sim_wait_irq(uint64_t timeout_ns);
/* Runs for that time. */
void axm_sim_idle_ns(uint64_t duration_ns);

/* Memory that processor and fabric see; `wanted` is a bus address, or UINT64_MAX for any.
 * Non-zero: not available. */
int axm_sim_alloc(uint64_t size, uint64_t align, uint64_t wanted, uint64_t *bus_address,
                  void **memory);
/* Takes memory of axm_sim_alloc back; its addresses are free again. */
void axm_sim_release(uint64_t bus_address, uint64_t size);

/* The host's bytes to the agent (the simulation takes the lines to itself out): at most
 * `room` bytes; waits for the first at most timeout_ns of real time, then *count is 0. Non-zero:
 * the host is gone. */
int axm_sim_read_bytes(char *bytes, size_t room, size_t *count, uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif

#endif
