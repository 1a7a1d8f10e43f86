/* `run`: starts an armed job, waits for all its streams, and reports how each ended.
 *
 * Only the register writes that start are between two starts. Times are read before any other
 * register, so they include no other access.
 */
#include <string.h>

#include "agent.h"
#include "commands.h"
#include "job_arm.h"
#include "job_engine.h"
#include "registers.h"

#define SLICE_NS UINT64_C(1000000) /* longest wait without a look at the line to the host */
#define POLL_NS UINT64_C(2000)     /* between two polls where no interrupt reports an end */
#define DEFAULT_TIMEOUT_MS 10000u
#define MAX_TIMEOUT_MS 3600000u

static const char *const on_faults[] = {"stop", "wait", NULL};

/* Takes over what a stream that runs has come to; nothing if it is still at it. */
static enum axm_status look(struct axm_stream *stream, uint64_t since_start) {
  if (stream->traffic) {
    bool reading = false;
    bool writing = false;
    AXM_TRY(axm_traffic_busy(&stream->generator, &reading, &writing));
    if (stream->half == AXM_DMA_READ ? reading : writing)
      return AXM_OK;
    stream->end_ns = since_start;
    AXM_TRY(axm_traffic_read_errors(&stream->generator, stream->half, &stream->errors));
    stream->state = stream->errors.count != 0 ? AXM_STREAM_FAULT : AXM_STREAM_DONE;
    return AXM_OK;
  }
  const enum axm_status found = axm_dma_poll(&stream->dma, stream->half, &stream->done);
  if (found == AXM_ERROR_EMPTY)
    return AXM_OK;
  AXM_TRY(found);
  stream->end_ns = since_start;
  stream->state = stream->done.cause == AXM_DMA_OK ? AXM_STREAM_DONE : AXM_STREAM_FAULT;
  return AXM_OK;
}

/* Polls all streams. A DMA engine without a pending interrupt is skipped, unless `thorough`.
 * *left: streams that still run. */
static enum axm_status look_at_all(struct axm_job *job, uint64_t since_start, bool thorough,
                                   uint32_t *left) {
  uint32_t asked = UINT32_MAX; /* block whose interrupt was taken last */
  bool spoke = false;
  *left = 0;
  for (uint32_t i = 0; i < job->streams; ++i) {
    struct axm_stream *stream = &job->stream[i];
    if (stream->state != AXM_STREAM_RUNNING)
      continue;
    if (stream->parts.engine != NULL) {
      AXM_TRY(axm_engine_look(stream, since_start));
      *left += stream->state == AXM_STREAM_RUNNING ? 1 : 0;
      continue;
    }
    if (!stream->traffic && stream->block != asked) {
      bool done = false;
      bool fault = false;
      /* Cleared before looking: what ends in between raises it again. */
      AXM_TRY(axm_dma_interrupts_take(&stream->dma, &done, &fault));
      asked = stream->block;
      spoke = done || fault;
    }
    if (stream->traffic || spoke || thorough)
      AXM_TRY(look(stream, since_start));
    if (stream->state == AXM_STREAM_RUNNING)
      ++*left;
  }
  return AXM_OK;
}

/* Answers the host's lines during the run; executes only `stop`. */
static enum axm_status listen(struct axm_agent *agent) {
  const enum axm_status status = axm_line_next(&agent->line, agent->hal, 0);
  if (status == AXM_ERROR_TIMEOUT)
    return AXM_OK;
  if (status == AXM_OK || status == AXM_ERROR_OVERLONG || status == AXM_ERROR_DAMAGED)
    return agent->answer(agent, status, true);
  agent->job.stop = true; /* the host is gone: the rest has no reader */
  return AXM_OK;
}

/* Lets time pass until something may have happened; *quiet: no interrupt came. */
static enum axm_status rest(const struct axm_hal *hal, bool polled, uint64_t limit, bool *quiet) {
  const uint64_t now = hal->now_ns(hal->self);
  uint64_t wait = now < limit ? limit - now : 0;
  if (wait > SLICE_NS)
    wait = SLICE_NS;
  *quiet = true;
  enum axm_status status = AXM_ERROR_UNSUPPORTED;
  if (!polled)
    status = hal->wait_irq(hal->self, wait);
  if (status == AXM_ERROR_UNSUPPORTED) {
    hal->idle_ns(hal->self, wait < POLL_NS ? wait : POLL_NS);
    return AXM_OK;
  }
  *quiet = status != AXM_OK;
  return status == AXM_ERROR_TIMEOUT ? AXM_OK : status;
}

static bool any_fault(const struct axm_job *job) {
  for (uint32_t i = 0; i < job->streams; ++i) {
    if (job->stream[i].state == AXM_STREAM_FAULT)
      return true;
  }
  return false;
}

static enum axm_status wait_for_all(struct axm_agent *agent, uint64_t begin, uint64_t limit,
                                    bool go_on) {
  const struct axm_hal *hal = agent->hal;
  struct axm_job *job = &agent->job;
  bool polled = false; /* a generator has no interrupt */
  for (uint32_t i = 0; i < job->streams; ++i)
    polled = polled || job->stream[i].traffic;
  for (;;) {
    bool quiet = true;
    uint32_t left = 0;
    AXM_TRY(rest(hal, polled, limit, &quiet));
    const uint64_t now = hal->now_ns(hal->self);
    AXM_TRY(look_at_all(job, now - begin, quiet, &left));
    if (left == 0)
      return AXM_OK;
    AXM_TRY(listen(agent));
    if (job->stop || (!go_on && any_fault(job)))
      return AXM_ERROR_STOPPED;
    if (now >= limit)
      return AXM_ERROR_TIMEOUT;
  }
}

/* Ends what still runs. The stream's state reports a bus that does not become clean. */
static void end_all(struct axm_job *job, enum axm_stream_state state) {
  for (uint32_t i = 0; i < job->streams; ++i) {
    struct axm_stream *stream = &job->stream[i];
    if (stream->state == AXM_STREAM_RUNNING && axm_stream_end(stream, state) != AXM_OK)
      stream->state = AXM_STREAM_TIMEOUT;
  }
}

/* Clears the causes of all ends, so that none asserts the interrupt after the run. */
static enum axm_status silence(const struct axm_job *job) {
  for (uint32_t i = 0; i < job->streams; ++i) {
    const struct axm_stream *stream = &job->stream[i];
    bool done = false;
    bool fault = false;
    if (stream->traffic || stream->parts.engine != NULL)
      continue;
    AXM_TRY(axm_dma_interrupts(&stream->dma, false, false, 0, 0));
    AXM_TRY(axm_dma_interrupts_take(&stream->dma, &done, &fault));
  }
  return AXM_OK;
}

/* A line for each stream, and the state of the whole. */
static enum axm_status tell(struct axm_agent *agent) {
  struct axm_reply *reply = &agent->reply;
  const struct axm_job *job = &agent->job;
  enum axm_stream_state worst = AXM_STREAM_DONE;
  bool stopped = false;
  for (uint32_t i = 0; i < job->streams; ++i) {
    const struct axm_stream *stream = &job->stream[i];
    axm_reply_number(reply, "stream", i);
    axm_reply_number(reply, "block", stream->block);
    axm_reply_text(reply, "half", stream->half == AXM_DMA_READ ? "read" : "write");
    axm_reply_text(reply, "state", axm_stream_state_name(stream->state));
    if (!stream->traffic) {
      axm_reply_text(reply, "cause", axm_stream_cause_name(stream));
      axm_reply_number(reply, "bytes", stream->done.bytes);
      axm_reply_number(reply, "packet_end", stream->done.packet_end ? 1 : 0);
    } else {
      axm_reply_number(reply, "errors", stream->errors.count);
    }
    axm_reply_number(reply, "end_ns", stream->end_ns);
    AXM_TRY(axm_reply_more(reply));
    /* A fault comes before the stops that it caused. */
    if (stream->state == AXM_STREAM_FAULT ||
        (stream->state == AXM_STREAM_TIMEOUT && worst == AXM_STREAM_DONE))
      worst = stream->state;
    stopped = stopped || (stream->state != AXM_STREAM_DONE && stream->state != AXM_STREAM_FAULT &&
                          stream->state != AXM_STREAM_TIMEOUT);
  }
  if (worst == AXM_STREAM_DONE && stopped)
    worst = AXM_STREAM_STOPPED;
  axm_reply_text(reply, "state", axm_stream_state_name(worst));
  axm_reply_number(reply, "ns", agent->job.elapsed_ns);
  if (job->counted) {
    axm_reply_number(reply, "clocks", job->elapsed_clocks);
    axm_reply_number(reply, "overhead", job->overhead_clocks);
    axm_reply_number(reply, "armed_clocks", job->armed_clocks);
    axm_reply_number(reply, "armed_ns", job->armed_ns);
  }
  return AXM_OK;
}

static enum axm_status clocks(const struct axm_job *job, uint64_t *value) {
  return job->counted ? axm_counter_read(&job->counter, value) : AXM_OK;
}

/* The starts, back to back. */
static enum axm_status start_all(const struct axm_hal *hal, struct axm_job *job) {
  enum axm_status status = AXM_OK;
  hal->barrier(hal->self);
  for (uint32_t i = 0; i < job->starts && status == AXM_OK; ++i)
    status = hal->write32(hal->self, job->start[i].address, job->start[i].value);
  for (uint32_t i = 0; i < job->streams && status == AXM_OK; ++i)
    if (job->stream[i].parts.engine != NULL)
      status = axm_engine_go(&job->stream[i]);
  return status;
}

enum axm_status axm_command_run(struct axm_agent *agent, struct axm_arguments *arguments) {
  const struct axm_hal *hal = agent->hal;
  struct axm_job *job = &agent->job;
  const uint32_t number = agent->reply.number;
  uint64_t timeout_ms = DEFAULT_TIMEOUT_MS;
  uint32_t on_fault = 0;
  AXM_TRY(axm_arguments_choice(arguments, "on_fault", on_faults, &on_fault));
  AXM_TRY(axm_arguments_option(arguments, "timeout_ms", 1, MAX_TIMEOUT_MS, &timeout_ms));
  AXM_TRY(axm_arguments_end(arguments));
  if (!job->armed)
    return AXM_ERROR_STATE;
  job->armed = false;
  job->stop = false;
  uint64_t before = 0;
  uint64_t first = 0;
  uint64_t last = 0;
  AXM_TRY(axm_engines_begin(job));
  enum axm_status status = clocks(job, &before);
  if (status == AXM_OK)
    status = clocks(job, &first);
  for (uint32_t i = 0; i < job->streams; ++i)
    job->stream[i].state = AXM_STREAM_RUNNING;
  const uint64_t begin = hal->now_ns(hal->self);
  if (status == AXM_OK)
    status = start_all(hal, job);
  if (status == AXM_OK)
    status = wait_for_all(agent, begin, begin + timeout_ms * 1000000u, on_fault != 0);
  enum axm_status read = clocks(job, &last);
  job->armed_ns = hal->now_ns(hal->self) - job->armed_ns;
  job->armed_clocks = last - job->armed_clocks;
  if (read == AXM_OK && (first < before || last < first))
    read = AXM_ERROR_BUS; /* a free-running counter does not go back: nothing answers there */
  job->elapsed_ns = 0;
  for (uint32_t i = 0; i < job->streams; ++i) {
    if (job->stream[i].end_ns > job->elapsed_ns)
      job->elapsed_ns = job->stream[i].end_ns;
  }
  end_all(job, status == AXM_ERROR_TIMEOUT ? AXM_STREAM_TIMEOUT : AXM_STREAM_STOPPED);
  (void)!axm_engines_end(job); /* the stream's state reports what did not stop */
  job->elapsed_clocks = last - first;
  job->overhead_clocks = first - before;
  /* `stop` was answered in between: the answer to `run` has its own number. */
  axm_reply_begin(&agent->reply, hal);
  agent->reply.number = number;
  agent->reply.numbered = true;
  arguments->about = NULL;
  if (status != AXM_OK && status != AXM_ERROR_TIMEOUT && status != AXM_ERROR_STOPPED)
    return status;
  AXM_TRY(read);
  AXM_TRY(silence(job));
  AXM_TRY(axm_watch(agent, false));
  job->ran = true;
  return tell(agent);
}

enum axm_status axm_command_result(struct axm_agent *agent, struct axm_arguments *arguments) {
  AXM_TRY(axm_arguments_end(arguments));
  return agent->job.ran ? tell(agent) : AXM_ERROR_STATE;
}

enum axm_status axm_command_stop(struct axm_agent *agent, struct axm_arguments *arguments) {
  AXM_TRY(axm_arguments_end(arguments));
  agent->job.stop = true;
  return AXM_OK;
}

enum axm_status axm_command_errors(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_reply *reply = &agent->reply;
  uint32_t faults = 0;
  AXM_TRY(axm_arguments_end(arguments));
  for (uint32_t i = 0; i < agent->job.streams; ++i) {
    const struct axm_stream *stream = &agent->job.stream[i];
    if (!axm_stream_failed(stream))
      continue;
    ++faults;
    axm_reply_number(reply, "stream", i);
    axm_reply_number(reply, "block", stream->block);
    axm_reply_text(reply, "half", stream->half == AXM_DMA_READ ? "read" : "write");
    axm_reply_hex(reply, "address", axm_stream_fault_address(stream));
    if (!stream->traffic) {
      axm_reply_text(reply, "cause", axm_stream_cause_name(stream));
      axm_reply_number(reply, "bytes", stream->done.bytes);
      axm_reply_number(reply, "source", stream->done.at_source ? 1 : 0);
    } else {
      const char *name = NULL;
      axm_reply_number(reply, "errors", stream->errors.count);
      axm_reply_text(reply, "cause", "");
      for (uint32_t nth = 0; (name = axm_traffic_error_name(stream->errors.kinds, nth)) != NULL;
           ++nth)
        axm_reply_append(reply, nth == 0 ? "" : ",", name);
    }
    AXM_TRY(axm_reply_more(reply));
  }
  axm_reply_number(reply, "faults", faults);
  return AXM_OK;
}
