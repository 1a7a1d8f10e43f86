/* The traffic generator: a reading and a writing engine, and a monitor that counts both. */
#ifndef AXM_TRAFFIC_H
#define AXM_TRAFFIC_H

#include "axm/counters.h"
#include "axm/dma.h" /* struct axm_start */

#ifdef __cplusplus
extern "C" {
#endif

enum axm_traffic_pattern {
  AXM_TRAFFIC_CONTIGUOUS = 0,
  AXM_TRAFFIC_STRIDED = 1,
  AXM_TRAFFIC_RANDOM = 2
};

enum axm_traffic_stop {
  AXM_TRAFFIC_BURSTS = 0,
  AXM_TRAFFIC_BYTES = 1,
  AXM_TRAFFIC_CLOCKS = 2,
  AXM_TRAFFIC_NEVER = 3
};

struct axm_traffic {
  struct axm_block block;
  uint32_t caps;
};

struct axm_traffic_caps {
  uint32_t beat_bytes;
  uint32_t outstanding; /* bursts in flight in each direction, at most */
  uint32_t address_bits;
  bool axi3;
  uint32_t user_bits;
};

/* What a direction does. */
struct axm_traffic_config {
  uint64_t base;   /* a multiple of a beat */
  uint64_t region; /* bytes, at most 4 GiB; the burst after the last one that begins in it begins
                      at the base again. All beats must lie in it: AXM_ERROR_RANGE */
  enum axm_traffic_pattern pattern;
  uint32_t stride; /* strided: bytes from burst to burst, a multiple of a beat, at most the region;
                      random: offset bits that vary */
  enum axm_traffic_stop stop;
  uint32_t limit;       /* when to end, in the unit of `stop` */
  uint32_t burst_beats; /* 1 to 256, at most 16 in AXI3 */
  uint32_t outstanding; /* 1 to caps.outstanding */
  uint32_t gap;         /* clocks between the end of a burst's beats and the next burst; for reads
                           gap + burst_beats at most 65536, as if each beat took one clock */
  bool check;           /* reading: compare the data with what a write there has written */
  uint32_t cache, prot, qos, user;
};

/* What went wrong in a direction since its start. */
struct axm_traffic_errors {
  uint32_t count;   /* 0xFF: 255 or more */
  uint32_t kinds;   /* bits, named by axm_traffic_error_name */
  uint64_t address; /* of the first */
};

enum axm_status axm_traffic_open(struct axm_traffic *traffic,
                                 const struct axm_block_info *info) AXM_CHECKED;
void axm_traffic_describe(const struct axm_traffic *traffic, struct axm_traffic_caps *caps);
/* Whether configure would take it, without an access to the registers. */
enum axm_status axm_traffic_check(const struct axm_traffic *traffic, enum axm_dma_half half,
                                  const struct axm_traffic_config *config) AXM_CHECKED;
enum axm_status axm_traffic_configure(const struct axm_traffic *traffic, enum axm_dma_half half,
                                      const struct axm_traffic_config *config) AXM_CHECKED;
/* For both directions: seed of data and random addresses; clocks without progress after which a
 * direction gives up (units of 64, rounded up; 0: never). */
enum axm_status axm_traffic_set_seed(const struct axm_traffic *traffic, uint32_t seed) AXM_CHECKED;
enum axm_status axm_traffic_set_timeout(const struct axm_traffic *traffic,
                                        uint32_t clocks) AXM_CHECKED;

/* The register write that starts these directions in one clock; axm_start() makes it. Starting
 * from rest clears counters and errors. AXM_ERROR_BUSY if one is at work. */
enum axm_status axm_traffic_prepare(const struct axm_traffic *traffic, bool read, bool write,
                                    struct axm_start *start) AXM_CHECKED;
/* Begins no further burst; what has begun is completed. */
enum axm_status axm_traffic_stop(const struct axm_traffic *traffic, bool read,
                                 bool write) AXM_CHECKED;
enum axm_status axm_traffic_busy(const struct axm_traffic *traffic, bool *read,
                                 bool *write) AXM_CHECKED;
/* Forgets what is under way; only when the slave was reset as well. */
enum axm_status axm_traffic_forget(const struct axm_traffic *traffic) AXM_CHECKED;

enum axm_status axm_traffic_read_errors(const struct axm_traffic *traffic, enum axm_dma_half half,
                                        struct axm_traffic_errors *errors) AXM_CHECKED;
/* The name of the `nth` (from 0) kind in `kinds`; NULL if there are fewer. */
const char *axm_traffic_error_name(uint32_t kinds, uint32_t nth);
/* All counters as of one and the same clock. */
enum axm_status axm_traffic_counters(const struct axm_traffic *traffic,
                                     struct axm_counters *counters) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
