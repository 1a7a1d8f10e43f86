/* Stream source, stream sink, loop-back FIFO and free-running counter. */
#ifndef AXM_STREAM_H
#define AXM_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_source {
  struct axm_block block;
};
struct axm_sink {
  struct axm_block block;
};
struct axm_loopback {
  struct axm_block block;
  uint32_t depth;      /* beats that it can hold */
  uint32_t data_bytes; /* of a beat */
};
struct axm_counter {
  struct axm_block block;
};

/* What a sink has taken. */
struct axm_sink_counts {
  uint64_t beats, bytes;
  uint32_t packets;
  uint32_t errors;      /* beats of which a kept byte was wrong */
  uint64_t first_error; /* number of the first of them */
  uint32_t first_lanes; /* its wrong bytes, one bit each */
  bool saturated;
};

/* The data of a source, as the sink expects it and as software can check it: 32-bit word `index`
 * of the stream, least significant byte first. */
uint32_t axm_stream_word(uint32_t index, uint32_t seed);

enum axm_status axm_source_open(struct axm_source *source,
                                const struct axm_block_info *info) AXM_CHECKED;
/* Stops it, then sets it up; packet_bytes 0: no packets. */
enum axm_status axm_source_configure(const struct axm_source *source, uint32_t seed,
                                     uint32_t packet_bytes) AXM_CHECKED;
enum axm_status axm_source_enable(const struct axm_source *source, bool on) AXM_CHECKED;
/* Beats sent since the start, modulo 2^32. */
enum axm_status axm_source_beats(const struct axm_source *source, uint32_t *beats) AXM_CHECKED;

enum axm_status axm_sink_open(struct axm_sink *sink, const struct axm_block_info *info) AXM_CHECKED;
/* Sets it up and its counts to 0. It takes for `on` clocks (1 to 256), then does not for `off`
 * (0 to 255), and so on. */
enum axm_status axm_sink_configure(const struct axm_sink *sink, bool check, uint32_t seed,
                                   uint32_t on, uint32_t off) AXM_CHECKED;
/* Exact while the stream rests. */
enum axm_status axm_sink_read(const struct axm_sink *sink,
                              struct axm_sink_counts *counts) AXM_CHECKED;

enum axm_status axm_loopback_open(struct axm_loopback *loopback,
                                  const struct axm_block_info *info) AXM_CHECKED;
/* Empties it and sets how many beats it may hold, at most its depth. */
enum axm_status axm_loopback_configure(const struct axm_loopback *loopback,
                                       uint32_t limit) AXM_CHECKED;
/* Beats held now, and the most since it was emptied. */
/* Drops what it holds. Its engines must be at rest. */
enum axm_status axm_loopback_clear(const struct axm_loopback *loopback) AXM_CHECKED;
enum axm_status axm_loopback_level(const struct axm_loopback *loopback, uint32_t *held,
                                   uint32_t *peak) AXM_CHECKED;

enum axm_status axm_counter_open(struct axm_counter *counter,
                                 const struct axm_block_info *info) AXM_CHECKED;
enum axm_status axm_counter_read(const struct axm_counter *counter, uint64_t *clocks) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
