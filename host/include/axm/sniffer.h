/* The burst sniffer: what the reads or writes of a port (a slot) look like. */
#ifndef AXM_SNIFFER_H
#define AXM_SNIFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AXM_SNIFFER_BINS = 32, AXM_SNIFFER_SLOTS = 8 };

struct axm_sniffer {
  struct axm_block block;
  uint32_t slots;   /* number of slots, at most AXM_SNIFFER_SLOTS */
  uint32_t records; /* transactions recorded for each slot, at most */
  uint32_t writes;  /* bit k: slot k watches writes */
};

struct axm_sniffer_status {
  bool triggered;  /* a burst was seen */
  bool saturated;  /* a bin or the time is at its maximum */
  uint32_t clocks; /* from the first address on any slot to the stop */
};

/* Histograms by axm_sniffer_bin(). A range with min above max: none was seen. */
struct axm_sniffer_slot {
  uint32_t recorded; /* transactions recorded */
  uint64_t bursts, beats;
  uint32_t beat_min, beat_max, beat_typical; /* clocks between the beats of a burst */
  uint32_t gap_min, gap_max;                 /* clocks between bursts */
  uint32_t lengths[AXM_SNIFFER_BINS];        /* bursts by beats less one */
  uint32_t beat_gaps[AXM_SNIFFER_BINS];
  uint32_t burst_gaps[AXM_SNIFFER_BINS];
};

struct axm_sniffer_record {
  uint64_t address;
  uint32_t beats;
  uint32_t time; /* clocks since the first address on any slot */
};

/* AXM_ERROR_RANGE if the block reports more slots or records than a register map holds: then it is
 * not a sniffer. */
enum axm_status axm_sniffer_open(struct axm_sniffer *sniffer,
                                 const struct axm_block_info *info) AXM_CHECKED;
/* Forgets everything and watches; returns when it does. */
enum axm_status axm_sniffer_start(const struct axm_sniffer *sniffer) AXM_CHECKED;
/* Stops and keeps its counts; only then can they be read. */
enum axm_status axm_sniffer_stop(const struct axm_sniffer *sniffer) AXM_CHECKED;
enum axm_status axm_sniffer_read(const struct axm_sniffer *sniffer,
                                 struct axm_sniffer_status *status) AXM_CHECKED;
enum axm_status axm_sniffer_read_slot(const struct axm_sniffer *sniffer, uint32_t slot,
                                      struct axm_sniffer_slot *seen) AXM_CHECKED;
/* Transaction `index` (from 0) of a slot: AXM_ERROR_EMPTY if fewer were recorded. */
enum axm_status axm_sniffer_read_record(const struct axm_sniffer *sniffer, uint32_t slot,
                                        uint32_t index,
                                        struct axm_sniffer_record *record) AXM_CHECKED;
/* The smallest value of a bin; that of the last bin for a number beyond. */
uint32_t axm_sniffer_bin(uint32_t bin);

#ifdef __cplusplus
}
#endif

#endif
