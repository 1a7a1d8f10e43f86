/* The vendors' engines of lab/engines/ as the device behind a test's target. */
#ifndef VENDOR_DEVICE_H
#define VENDOR_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

#include "test.h"

/* Another engine in place of the last; its registers are at `base`. NULL for a name that is none.
 */
const struct axm_hal *vendor_device(const char *engine, uint64_t base,
                                    struct axm_test_target *target);
/* What the last has objected to. */
unsigned vendor_objections(void);

#ifdef __cplusplus
}
#endif

#endif
