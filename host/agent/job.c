/* Properties of a job that need no access to the design. */
#include "job.h"

#include <string.h>

static const char *const states[] = {"ready", "running", "done", "fault", "timeout", "stopped"};

void axm_job_forget(struct axm_job *job) { memset(job, 0, sizeof *job); }

const char *axm_stream_state_name(enum axm_stream_state state) {
  return (unsigned)state < sizeof states / sizeof states[0] ? states[state] : "invalid";
}

const char *axm_stream_cause_name(const struct axm_stream *stream) {
  return stream->parts.engine != NULL ? axm_engine_cause_name(stream->parts.cause)
                                      : axm_dma_cause_name(stream->done.cause);
}

bool axm_stream_failed(const struct axm_stream *stream) {
  if (stream->traffic)
    return stream->errors.count != 0;
  return stream->parts.engine != NULL ? stream->parts.cause != AXM_ENGINE_OK
                                      : stream->done.cause != AXM_DMA_OK;
}

uint64_t axm_stream_fault_address(const struct axm_stream *stream) {
  if (stream->traffic)
    return stream->errors.address;
  const uint64_t from = stream->done.at_source ? stream->transfer.source : stream->transfer.address;
  return from + stream->done.bytes;
}
