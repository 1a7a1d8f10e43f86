/* The counters of a performance monitor, alone or in a traffic generator, as read by software. */
#ifndef AXM_COUNTERS_H
#define AXM_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AXM_HISTOGRAM_BINS = 15 };

/* Every cycle of a direction is in exactly one class; the classes add up to `cycles`. */
struct axm_direction_counters {
  uint64_t beats;    /* cycles in which a beat moved */
  uint64_t idle;     /* no request was pending */
  uint64_t address;  /* address valid, not ready */
  uint64_t wait;     /* the master held back, or a gap in a burst */
  uint64_t stall;    /* data valid, not ready */
  uint64_t response; /* waiting for the first beat (read) or the response (write) */
  uint64_t cycles;
  uint64_t bytes;
  uint64_t bursts;
  uint64_t latency_sum;
  uint32_t latency_min, latency_max;      /* clocks; min 0x7FFF if no burst has ended */
  uint32_t longest_inactivity;            /* clocks without a beat between two beats */
  uint64_t histogram[AXM_HISTOGRAM_BINS]; /* bursts of 2^k to 2^(k+1)-1 clocks; last: all above */
};

struct axm_counters {
  struct axm_direction_counters read, write;
  bool saturated;    /* a counter is at its maximum */
  bool out_of_order; /* bursts ended in another order: latencies are not exact, the sum is */
  bool overrun;      /* more bursts at a time than can be followed: latencies are wrong */
};

#ifdef __cplusplus
}
#endif

#endif
