/* A simulated device as a target: a client of vfio-user, whose server is axm_vfio (lab/vfio).
 *
 * The server reaches DPDK's memory by the files behind it, at the addresses that the program sees
 * (IOVA as VA). Limit: only memory that exists when the device is opened, so run with --no-huge
 * (and -m), where memory does not grow. It shows that software works; its times mean nothing.
 */
#ifndef AXM_DPDK_SIM_H
#define AXM_DPDK_SIM_H

#include <stdbool.h>
#include <stdint.h>

struct axm_sim {
  int socket; /* -1: there is none, or the server has gone */
  uint16_t next;
};

/* Connects to the socket at `path`, shares DPDK's memory and lets the device be a master.
 * 0, or a negative errno, which a log explains. */
int axm_sim_open(struct axm_sim *sim, const char *path);
void axm_sim_close(struct axm_sim *sim);

/* A register; false if the server has gone. Writes do not wait. */
bool axm_sim_read(struct axm_sim *sim, uint64_t offset, uint32_t *value);
bool axm_sim_write(struct axm_sim *sim, uint64_t offset, uint32_t value);

#endif
