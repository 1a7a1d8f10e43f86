/* The library: the input has the values of a device's registers, and its caller's arguments.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hostile.h"

static struct axm_test_target target;
static struct hostile device;

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count) {
  const struct axm_hal *hal = hostile_device(&device, &target, HOSTILE_FED, 1);
  uint32_t strange = 0;
  device.food = bytes;
  device.left = count;
  const uint64_t most = hostile_calls(&device, hal, &strange);
  if (strange != 0 || most > HOSTILE_MOST_ACCESSES) {
    fprintf(stderr, "FINDING: %u strange values, %llu accesses in a call\n", (unsigned)strange,
            (unsigned long long)most);
    abort();
  }
  return 0;
}
