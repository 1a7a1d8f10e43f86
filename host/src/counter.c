/* The free-running counter: see axm/stream.h. */
#include "generated/counter.h"
#include "axm/stream.h"
#include "registers.h"

enum axm_status axm_counter_open(struct axm_counter *counter, const struct axm_block_info *info) {
  if (info->type != AXM_COUNTER_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_COUNTER_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *counter = (struct axm_counter){.block = info->block};
  return AXM_OK;
}

enum axm_status axm_counter_read(const struct axm_counter *counter, uint64_t *clocks) {
  /* Reading the low half latches the high half of the same clock: axm_read64 reads low first. */
  return axm_read64(&counter->block, AXM_COUNTER_TIME_LO, clocks);
}
