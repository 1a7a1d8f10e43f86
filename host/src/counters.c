/* Reads the counters that a monitor and a traffic generator have alike: see counters.h. */
#include "counters.h"

#include "generated/monitor.h"
#include "generated/traffic.h"
#include "registers.h"

/* One offset serves both blocks and both directions because the maps agree. */
_Static_assert(AXM_MONITOR_COUNTERS_READ_DATA_LO == AXM_TRAFFIC_COUNTERS_READ_DATA_LO &&
                   AXM_MONITOR_COUNTERS_WRITE_LATENCY_SUM_HI ==
                       AXM_TRAFFIC_COUNTERS_WRITE_LATENCY_SUM_HI,
               "the counters of monitor and traffic generator differ");
_Static_assert(AXM_MONITOR_COUNTERS_READ_HISTOGRAM_COUNT == 2 * AXM_HISTOGRAM_BINS,
               "another number of bins");

/* A sweep of the counters takes tens of clocks, so a few reads of a register do. */
enum { SETTLE_READS = 1000 };

struct layout {
  uint32_t beats, idle, address, wait, stall, response, cycles, bytes;
  uint32_t bursts, histogram, latency, inactivity, latency_sum;
};

#define LAYOUT(direction)                                                                          \
  {.beats = AXM_MONITOR_COUNTERS_##direction##_DATA_LO,                                            \
   .idle = AXM_MONITOR_COUNTERS_##direction##_IDLE_LO,                                             \
   .address = AXM_MONITOR_COUNTERS_##direction##_ADDRESS_LO,                                       \
   .wait = AXM_MONITOR_COUNTERS_##direction##_WAIT_LO,                                             \
   .stall = AXM_MONITOR_COUNTERS_##direction##_STALL_LO,                                           \
   .response = AXM_MONITOR_COUNTERS_##direction##_RESPONSE_LO,                                     \
   .cycles = AXM_MONITOR_COUNTERS_##direction##_CYCLES_LO,                                         \
   .bytes = AXM_MONITOR_COUNTERS_##direction##_BYTES_LO,                                           \
   .bursts = AXM_MONITOR_COUNTERS_##direction##_BURSTS_LO,                                         \
   .histogram = AXM_MONITOR_COUNTERS_##direction##_HISTOGRAM,                                      \
   .latency = AXM_MONITOR_COUNTERS_##direction##_LATENCY,                                          \
   .inactivity = AXM_MONITOR_COUNTERS_##direction##_INACTIVITY,                                    \
   .latency_sum = AXM_MONITOR_COUNTERS_##direction##_LATENCY_SUM_LO}

static const struct layout reading = LAYOUT(READ);
static const struct layout writing = LAYOUT(WRITE);

static enum axm_status direction(const struct axm_block *block, const struct layout *at,
                                 struct axm_direction_counters *to) {
  AXM_TRY(axm_read64(block, at->beats, &to->beats));
  AXM_TRY(axm_read64(block, at->idle, &to->idle));
  AXM_TRY(axm_read64(block, at->address, &to->address));
  AXM_TRY(axm_read64(block, at->wait, &to->wait));
  AXM_TRY(axm_read64(block, at->stall, &to->stall));
  AXM_TRY(axm_read64(block, at->response, &to->response));
  AXM_TRY(axm_read64(block, at->cycles, &to->cycles));
  AXM_TRY(axm_read64(block, at->bytes, &to->bytes));
  AXM_TRY(axm_read64(block, at->bursts, &to->bursts));
  AXM_TRY(axm_read64(block, at->latency_sum, &to->latency_sum));
  uint32_t word = 0;
  AXM_TRY(axm_read(block, at->latency, &word));
  to->latency_min = AXM_GET(word, AXM_MONITOR_COUNTERS_READ_LATENCY__MIN);
  to->latency_max = AXM_GET(word, AXM_MONITOR_COUNTERS_READ_LATENCY__MAX);
  AXM_TRY(axm_read(block, at->inactivity, &word));
  to->longest_inactivity = AXM_GET(word, AXM_MONITOR_COUNTERS_READ_INACTIVITY__MAX);
  for (uint32_t bin = 0; bin < AXM_HISTOGRAM_BINS; ++bin)
    AXM_TRY(axm_read64(block, at->histogram + 8 * bin, &to->histogram[bin]));
  return AXM_OK;
}

enum axm_status axm_counters_read(const struct axm_block *block, struct axm_counters *counters) {
  AXM_TRY(direction(block, &reading, &counters->read));
  return direction(block, &writing, &counters->write);
}

enum axm_status axm_settle(const struct axm_block *block, uint32_t offset, uint32_t mask,
                           uint32_t wanted, uint32_t *word) {
  for (int i = 0; i < SETTLE_READS; ++i) {
    AXM_TRY(axm_read(block, offset, word));
    if (((*word ^ wanted) & mask) == 0)
      return AXM_OK;
  }
  return AXM_ERROR_TIMEOUT;
}
