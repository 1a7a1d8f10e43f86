/* A job: streams that are started together, in the order in which they were configured, and the
 * settings of the blocks around them.
 */
#ifndef AXM_AGENT_JOB_H
#define AXM_AGENT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "axm.h"
#include "buffers.h"

enum { AXM_STREAMS = 16, AXM_SETTINGS = 16, AXM_VENDORS = 4 };

enum axm_stream_state {
  AXM_STREAM_READY, /* not started yet */
  AXM_STREAM_RUNNING,
  AXM_STREAM_DONE,
  AXM_STREAM_FAULT,
  AXM_STREAM_TIMEOUT,
  AXM_STREAM_STOPPED
};

/* A vendor's engine at a port; the streams of its directions share it. */
struct axm_vendor_port {
  uint32_t block;
  struct axm_vendor vendor;
  struct axm_pair pair;
};

/* The transfer of a vendor's engine in parts, one descriptor each. */
struct axm_parts {
  struct axm_engine *engine; /* NULL: it is no vendor's */
  bool coherent;             /* the engine sees the processor's caches */
  bool joined;               /* all parts are one packet; else each is one */
  bool started;              /* the engine is: it has to be stopped */
  uint32_t bytes;            /* of a part; the last may have fewer */
  uint32_t count, given, ended;
  enum axm_engine_cause cause;
};

/* One direction of a DMA engine or a traffic generator. */
struct axm_stream {
  bool traffic; /* a generator's; else a DMA engine's */
  struct axm_parts parts;
  uint32_t block;
  enum axm_dma_half half;
  struct axm_dma dma;
  struct axm_traffic generator;
  struct axm_dma_config config;
  struct axm_dma_transfer transfer;
  struct axm_traffic_config pattern;
  uint32_t seed;           /* generator */
  uint32_t timeout_clocks; /* without progress; 0: never */
  struct axm_span span;    /* what it reads or writes */
  struct axm_span from;    /* copy: what is read; memory NULL: no copy */
  /* What became of it. */
  enum axm_stream_state state;
  struct axm_dma_done done;         /* DMA engine */
  struct axm_traffic_errors errors; /* generator */
  uint64_t end_ns;                  /* since the first start */
};

/* A block that is set up before the streams are. */
struct axm_setting {
  uint32_t block;
  struct axm_block_info info;
  uint32_t limit;          /* loop-back: beats */
  uint32_t seed;           /* source, sink */
  uint32_t packet_bytes;   /* source */
  uint32_t check, on, off; /* sink */
};

struct axm_job {
  struct axm_stream stream[AXM_STREAMS];
  uint32_t streams;
  struct axm_vendor_port vendor[AXM_VENDORS];
  uint32_t vendors;
  struct axm_setting setting[AXM_SETTINGS];
  uint32_t settings;
  struct axm_start start[AXM_STREAMS];
  uint32_t starts;
  bool armed;
  bool stop;                /* the host has requested the end of the run */
  bool ran;                 /* there is a result */
  uint64_t elapsed_ns;      /* from the first start to the end of the last stream */
  uint64_t elapsed_clocks;  /* the same by the counter, its reading included */
  uint64_t overhead_clocks; /* of two readings of the counter, one right after the other */
  bool counted;             /* the design has a free-running counter */
  /* Counter and time together, when armed; then from there to the end of the run. */
  uint64_t armed_clocks, armed_ns;
  struct axm_counter counter;
};

/* Forgets the job; what runs goes on. */
void axm_job_forget(struct axm_job *job);
const char *axm_stream_state_name(enum axm_stream_state state);
/* How a DMA engine's stream ended, as a word; whether that was a fault. */
const char *axm_stream_cause_name(const struct axm_stream *stream);
bool axm_stream_failed(const struct axm_stream *stream);
/* Where in memory the first fault of a stream was. */
uint64_t axm_stream_fault_address(const struct axm_stream *stream);

#endif
