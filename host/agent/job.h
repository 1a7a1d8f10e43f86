/* A job: streams that are started together, in the order in which they were configured, and the
 * settings of the blocks around them.
 */
#ifndef AXM_AGENT_JOB_H
#define AXM_AGENT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "axm.h"
#include "buffers.h"
#include "words.h"

enum { AXM_STREAMS = 16, AXM_SETTINGS = 16 };

struct axm_agent;

enum axm_stream_state {
  AXM_STREAM_READY, /* not started yet */
  AXM_STREAM_RUNNING,
  AXM_STREAM_DONE,
  AXM_STREAM_FAULT,
  AXM_STREAM_TIMEOUT,
  AXM_STREAM_STOPPED
};

/* One direction of a DMA engine or a traffic generator. */
struct axm_stream {
  bool traffic; /* a generator's; else a DMA engine's */
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
  struct axm_setting setting[AXM_SETTINGS];
  uint32_t settings;
  struct axm_start start[AXM_STREAMS];
  uint32_t starts;
  bool armed;
  bool stop;                /* the desk has asked for the end of the run */
  bool ran;                 /* there is a result */
  uint64_t elapsed_ns;      /* from the first start to the end of the last stream */
  uint64_t elapsed_clocks;  /* the same by the counter, its reading included */
  uint64_t overhead_clocks; /* of two readings of the counter, one right after the other */
  bool counted;             /* the design has a free-running counter */
  struct axm_counter counter;
};

/* Forgets the job; what runs goes on. */
void axm_job_forget(struct axm_job *job);
const char *axm_stream_state_name(enum axm_stream_state state);
/* Where in memory the first fault of a stream was. */
uint64_t axm_stream_fault_address(const struct axm_stream *stream);
/* Starts and stops whatever watches: all monitors and sniffers of the design. */
enum axm_status axm_watch(struct axm_agent *agent, bool on) AXM_CHECKED;
/* Writes everything into the registers but the words that start the streams. */
enum axm_status axm_job_arm(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;
/* Ends a stream that runs; waits for a clean bus, at most some ms. */
enum axm_status axm_stream_end(struct axm_stream *stream, enum axm_stream_state state) AXM_CHECKED;

enum axm_status axm_command_configure(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;
enum axm_status axm_command_run(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;
enum axm_status axm_command_result(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;
enum axm_status axm_command_stop(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;
enum axm_status axm_command_errors(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;

#endif
