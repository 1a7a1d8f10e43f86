/* The drivers' log: --log-level=pmd.axm:debug shows all of it. */
#ifndef AXM_DPDK_LOG_H
#define AXM_DPDK_LOG_H

#include <rte_log.h>

extern int axm_log_type;

#define AXM_LOG(level, format, ...)                                                                \
  rte_log(RTE_LOG_##level, axm_log_type, "axm: " format "\n", ##__VA_ARGS__)

#endif
