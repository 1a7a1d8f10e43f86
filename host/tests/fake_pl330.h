/* A PL330 that is not there: registers, and an interpreter of its programs that moves data of the
 * target for tests. It was written from the manual's tables of instructions (DDI 0424, chapter 4),
 * not from the code that makes programs, and objects to what a real one or its bus would not take.
 */
#ifndef AXM_FAKE_PL330_H
#define AXM_FAKE_PL330_H

#include "axm/zynq7000.h"
#include "test.h"

#define FAKE_PL330_BASE AXM_PL330

struct fake_pl330 {
  struct axm_test_target *target;
  uint32_t instruction[2];
  uint32_t status[8], type[8], counter[8];
  uint32_t polls; /* reads of a channel's status until it ends */
  uint32_t waits[8];
  bool stuck;      /* the manager takes nothing */
  uint64_t broken; /* a bus address that answers with an error; 0: none */
  uint32_t bus_bytes;
  uint32_t bursts, objections; /* of all programs */
};

const struct axm_hal *fake_pl330(struct fake_pl330 *fake, struct axm_test_target *target);

#endif
