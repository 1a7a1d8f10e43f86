/* The agent with the target for tests and the design that is not there: what the Python client
 * and the fuzzer talk to. Words on the command line select faults:
 * fault=BLOCK,HALF,CODE,BYTES  hang  never_clean  traffic_errors=READ,WRITE  bus=ACCESS
 * clock=HZ: the clock that the design reports. board: the target reports a real board.
 */
#include <stdio.h>
#include <string.h>

#include "fake.h"
#include "generated/id.h"
#include "main.h"

static struct axm_test_target target;
static struct fake_design design;

int main(int count, char **words) {
  const struct axm_hal *hal = fake_design(&design, &target);
  unsigned long long access = 0;
  target.line_in_real_time = true;
  for (int i = 1; i < count; ++i) {
    const char *word = words[i];
    if (sscanf(word, "fault=%u,%u,%u,%u", &design.fault_block, &design.fault_half,
               &design.fault_code, &design.fault_bytes) == 4)
      continue;
    if (sscanf(word, "traffic_errors=%x,%x", &design.traffic_errors[0],
               &design.traffic_errors[1]) == 2)
      continue;
    if (sscanf(word, "clock=%u", fake_word(&design, 0, AXM_ID_CLOCK_HZ)) == 1)
      continue;
    if (sscanf(word, "bus=%llu", &access) == 1)
      target.fail_at = access;
    else if (strcmp(word, "board") == 0)
      target.hal.emulated = 0;
    else if (strcmp(word, "hang") == 0)
      design.hang = true;
    else if (strcmp(word, "never_clean") == 0)
      design.never_clean = true;
    else
      return 2;
  }
  return axm_agent_main(hal, FAKE_BASE);
}
