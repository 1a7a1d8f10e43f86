/* The performance monitor: see axm/monitor.h. */
#include "axm/monitor.h"

#include "counters.h"
#include "generated/monitor.h"
#include "registers.h"

enum axm_status axm_monitor_open(struct axm_monitor *monitor, const struct axm_block_info *info) {
  if (info->type != AXM_MONITOR_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_MONITOR_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *monitor = (struct axm_monitor){.block = info->block};
  return AXM_OK;
}

enum axm_status axm_monitor_start(const struct axm_monitor *monitor) {
  const struct axm_block *block = &monitor->block;
  uint32_t word = 0;
  AXM_TRY(axm_monitor_stop(monitor));
  AXM_TRY(axm_settle(block, AXM_MONITOR_STATUS, AXM_MONITOR_STATUS__RUNNING_MASK, 0, &word));
  AXM_TRY(axm_write(block, AXM_MONITOR_CONTROL,
                    AXM_MONITOR_CONTROL__START_MASK | AXM_MONITOR_CONTROL__CLEAR_MASK));
  return axm_settle(block, AXM_MONITOR_STATUS, AXM_MONITOR_STATUS__RUNNING_MASK,
                    AXM_MONITOR_STATUS__RUNNING_MASK, &word);
}

enum axm_status axm_monitor_resume(const struct axm_monitor *monitor) {
  return axm_write(&monitor->block, AXM_MONITOR_CONTROL, AXM_MONITOR_CONTROL__START_MASK);
}

enum axm_status axm_monitor_stop(const struct axm_monitor *monitor) {
  return axm_write(&monitor->block, AXM_MONITOR_CONTROL, AXM_MONITOR_CONTROL__STOP_MASK);
}

enum axm_status axm_monitor_read(const struct axm_monitor *monitor, struct axm_counters *counters) {
  const struct axm_block *block = &monitor->block;
  uint32_t word = 0;
  AXM_TRY(axm_write(block, AXM_MONITOR_CONTROL, AXM_MONITOR_CONTROL__SNAPSHOT_MASK));
  AXM_TRY(
      axm_settle(block, AXM_MONITOR_STATUS, AXM_MONITOR_STATUS__SNAPSHOT_PENDING_MASK, 0, &word));
  counters->saturated = AXM_GET(word, AXM_MONITOR_STATUS__SATURATED) != 0;
  counters->out_of_order = AXM_GET(word, AXM_MONITOR_STATUS__ORDER) != 0;
  counters->overrun = AXM_GET(word, AXM_MONITOR_STATUS__OVERRUN) != 0;
  return axm_counters_read(block, counters);
}
