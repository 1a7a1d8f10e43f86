/* The performance monitor of one AXI port. */
#ifndef AXM_MONITOR_H
#define AXM_MONITOR_H

#include "axm/counters.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_monitor {
  struct axm_block block;
};

enum axm_status axm_monitor_open(struct axm_monitor *monitor,
                                 const struct axm_block_info *info) AXM_CHECKED;
/* Counts from 0 from now on; goes on with what was counted; counts no more. Starting from 0 may
 * wait some clocks for the counters' sweep, which this function waits for. */
enum axm_status axm_monitor_start(const struct axm_monitor *monitor) AXM_CHECKED;
enum axm_status axm_monitor_resume(const struct axm_monitor *monitor) AXM_CHECKED;
enum axm_status axm_monitor_stop(const struct axm_monitor *monitor) AXM_CHECKED;
/* All counters as of one and the same clock. */
enum axm_status axm_monitor_read(const struct axm_monitor *monitor,
                                 struct axm_counters *counters) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
