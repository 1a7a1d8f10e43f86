/* A device of DPDK's vdev bus as these drivers see it: registers, and engines behind them.
 *
 * Its arguments: registers=FILE or sim=SOCKET; base= and size= of the registers on the bus (0 and
 * 64 KiB); port= of an Axiometer design (0). engine=NAME: axm (this project's, by rings), for
 * packets also those of axm/engines/pair.h, for copies axi-cdma and axi-cdma-sg; for
 * these length_bits=, address_bits= and data_bytes= give parameters that they do not report.
 */
#ifndef AXM_DPDK_ATTACH_H
#define AXM_DPDK_ATTACH_H

#include <bus_vdev_driver.h>

#include "axm/engines/pair.h"
#include "axm/stream.h"
#include "target.h"

/* For RTE_PMD_REGISTER_PARAM_STRING. */
#define AXM_ARGUMENTS                                                                              \
  "registers=<file> sim=<socket> base=<number> size=<number> port=<number> engine=<name> "         \
  "length_bits=<number> address_bits=<number> data_bytes=<number>"

#define AXM_STOP_NS UINT64_C(1000000000) /* the longest wait for an engine to stop */

struct axm_attached {
  struct axm_target target;
  struct axm_engine *send, *receive; /* or: */
  struct axm_engine *copy;
  struct axm_pair pair; /* the state of whichever engines there are */
  bool loops;           /* the stream comes back through a FIFO of the design */
  struct axm_loopback loopback;
};

/* Opens the engines of the device's arguments: one that copies, or two for packets. 0, or a
 * negative errno with an error in the log. */
int axm_attach(struct axm_attached *attached, struct rte_vdev_device *vdev, bool copies);
void axm_detach(struct axm_attached *attached);

/* A negative errno that fits. */
int axm_errno(enum axm_status status);

#endif
