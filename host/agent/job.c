/* What is known of a job without asking the design. */
#include "job.h"

#include <string.h>

static const char *const states[] = {"ready", "running", "done", "fault", "timeout", "stopped"};

void axm_job_forget(struct axm_job *job) { memset(job, 0, sizeof *job); }

const char *axm_stream_state_name(enum axm_stream_state state) {
  return (unsigned)state < sizeof states / sizeof states[0] ? states[state] : "invalid";
}

uint64_t axm_stream_fault_address(const struct axm_stream *stream) {
  if (stream->traffic)
    return stream->errors.address;
  const uint64_t from = stream->done.at_source ? stream->transfer.source : stream->transfer.address;
  return from + stream->done.bytes;
}
