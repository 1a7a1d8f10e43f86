/* Arming a job: everything is written into the registers except the words that start the
 * streams, so that `run` has nothing to do between two starts but the starts.
 */
#include "job_arm.h"

#include "registers.h"

enum { END_WAIT_NS = 5000000 };

/* All blocks of the design that watch. */
enum axm_status axm_watch(struct axm_agent *agent, bool on) {
  struct axm_device *device = NULL;
  AXM_TRY(axm_agent_device(agent, &device));
  for (uint32_t index = 1; index < device->blocks; ++index) {
    struct axm_block_info info;
    AXM_TRY(axm_device_block(device, index, &info));
    if (info.type == AXM_BLOCK_MONITOR) {
      struct axm_monitor monitor;
      AXM_TRY(axm_monitor_open(&monitor, &info));
      AXM_TRY(on ? axm_monitor_start(&monitor) : axm_monitor_stop(&monitor));
    } else if (info.type == AXM_BLOCK_SNIFFER) {
      struct axm_sniffer sniffer;
      AXM_TRY(axm_sniffer_open(&sniffer, &info));
      AXM_TRY(on ? axm_sniffer_start(&sniffer) : axm_sniffer_stop(&sniffer));
    }
  }
  return AXM_OK;
}

static enum axm_status apply(const struct axm_setting *setting) {
  if (setting->info.type == AXM_BLOCK_LOOPBACK) {
    struct axm_loopback loopback;
    AXM_TRY(axm_loopback_open(&loopback, &setting->info));
    return axm_loopback_configure(&loopback, setting->limit);
  }
  if (setting->info.type == AXM_BLOCK_SINK) {
    struct axm_sink sink;
    AXM_TRY(axm_sink_open(&sink, &setting->info));
    return axm_sink_configure(&sink, setting->check != 0, setting->seed, setting->on, setting->off);
  }
  struct axm_source source;
  AXM_TRY(axm_source_open(&source, &setting->info));
  AXM_TRY(axm_source_configure(&source, setting->seed, setting->packet_bytes));
  return axm_source_enable(&source, true);
}

/* A new start, or the bits of an earlier one that starts the same generator: both directions
 * start in one clock, and the second start does not forget what the first has counted. */
static void add_start(struct axm_job *job, const struct axm_start *start, bool traffic) {
  for (uint32_t i = 0; traffic && i < job->starts; ++i) {
    if (job->start[i].address == start->address) {
      job->start[i].value |= start->value;
      return;
    }
  }
  job->start[job->starts++] = *start;
}

/* What the processor wrote is in memory before a device reads it, and no line that it still holds
 * is written back over what a device writes. */
static enum axm_status hand_over(const struct axm_hal *hal, const struct axm_span *span,
                                 bool written) {
  AXM_TRY(hal->clean(hal->self, span->memory, span->offset, span->size));
  if (!written)
    return AXM_OK;
  return hal->invalidate(hal->self, span->memory, span->offset, span->size);
}

static enum axm_status arm_dma(const struct axm_stream *stream, struct axm_start *start) {
  const struct axm_dma *dma = &stream->dma;
  struct axm_dma_caps caps;
  struct axm_dma_done old;
  bool done = false;
  bool fault = false;
  axm_dma_describe(dma, &caps);
  AXM_TRY(axm_dma_configure(dma, stream->half, &stream->config));
  if (caps.copy)
    AXM_TRY(axm_dma_configure(dma, AXM_DMA_READ, &stream->config));
  /* Drops completions that an earlier run left. */
  enum axm_status status = AXM_OK;
  for (uint32_t i = 0; status == AXM_OK && i <= caps.queue; ++i)
    status = axm_dma_poll(dma, stream->half, &old);
  if (status != AXM_ERROR_EMPTY)
    return status == AXM_OK ? AXM_ERROR_BUSY : status;
  AXM_TRY(axm_dma_set_timeout(dma, stream->timeout_clocks));
  AXM_TRY(axm_dma_interrupts(dma, true, true, 0, 0));
  AXM_TRY(axm_dma_interrupts_take(dma, &done, &fault));
  return axm_dma_prepare(dma, stream->half, &stream->transfer, start);
}

static enum axm_status arm_traffic(const struct axm_stream *stream, struct axm_start *start) {
  const struct axm_traffic *generator = &stream->generator;
  AXM_TRY(axm_traffic_configure(generator, stream->half, &stream->pattern));
  AXM_TRY(axm_traffic_set_timeout(generator, stream->timeout_clocks));
  const bool reading = stream->half == AXM_DMA_READ;
  return axm_traffic_prepare(generator, reading, !reading, start);
}

enum axm_status axm_job_arm(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_job *job = &agent->job;
  AXM_TRY(axm_arguments_end(arguments));
  if (job->streams == 0)
    return AXM_ERROR_STATE;
  job->armed = false;
  job->starts = 0;
  for (uint32_t i = 0; i < job->settings; ++i) {
    const enum axm_status status = apply(&job->setting[i]);
    if (status != AXM_OK)
      axm_reply_number(&agent->reply, "block", job->setting[i].block);
    AXM_TRY(status);
  }
  /* A random sequence begins with the seed that there is when its direction is configured. */
  for (uint32_t i = 0; i < job->streams; ++i) {
    const struct axm_stream *stream = &job->stream[i];
    bool reading = false;
    bool writing = false;
    if (!stream->traffic)
      continue;
    AXM_TRY(axm_traffic_busy(&stream->generator, &reading, &writing));
    if (reading || writing)
      return AXM_ERROR_BUSY;
    AXM_TRY(axm_traffic_set_seed(&stream->generator, stream->seed));
  }
  for (uint32_t i = 0; i < job->streams; ++i) {
    struct axm_stream *stream = &job->stream[i];
    struct axm_start start = {0};
    AXM_TRY(hand_over(agent->hal, &stream->span, stream->half == AXM_DMA_WRITE));
    if (stream->from.memory != NULL)
      AXM_TRY(hand_over(agent->hal, &stream->from, false));
    if (stream->parts.engine == NULL) {
      AXM_TRY(stream->traffic ? arm_traffic(stream, &start) : arm_dma(stream, &start));
      add_start(job, &start, stream->traffic);
    }
    stream->state = AXM_STREAM_READY;
    stream->done = (struct axm_dma_done){.cause = AXM_DMA_OK};
    stream->errors = (struct axm_traffic_errors){0};
    stream->end_ns = 0;
  }
  struct axm_device *device = NULL;
  struct axm_block_info info;
  AXM_TRY(axm_agent_device(agent, &device));
  const enum axm_status found = axm_device_find(device, AXM_BLOCK_COUNTER, AXM_NO_PORT, 0, &info);
  job->counted = found == AXM_OK;
  if (job->counted) {
    AXM_TRY(axm_counter_open(&job->counter, &info));
    AXM_TRY(axm_counter_read(&job->counter, &job->armed_clocks));
    job->armed_ns = agent->hal->now_ns(agent->hal->self);
  } else if (found != AXM_ERROR_TYPE) {
    return found;
  }
  AXM_TRY(axm_watch(agent, true));
  job->armed = true;
  axm_reply_number(&agent->reply, "streams", job->streams);
  axm_reply_number(&agent->reply, "starts", job->starts);
  return AXM_OK;
}

enum axm_status axm_stream_end(struct axm_stream *stream, enum axm_stream_state state) {
  stream->state = state;
  if (stream->parts.engine != NULL)
    return AXM_OK; /* all of them are stopped together: axm_engines_end */
  if (!stream->traffic) {
    const enum axm_status status = axm_dma_abort(&stream->dma, stream->half, END_WAIT_NS);
    struct axm_dma_done done;
    /* What was moved before the end is reported with the abort. */
    const enum axm_status found = axm_dma_poll(&stream->dma, stream->half, &done);
    if (found == AXM_OK)
      stream->done = done;
    else if (found != AXM_ERROR_EMPTY)
      return found;
    return status;
  }
  const struct axm_traffic *generator = &stream->generator;
  const struct axm_hal *hal = generator->block.hal;
  const bool reading = stream->half == AXM_DMA_READ;
  AXM_TRY(axm_traffic_stop(generator, reading, !reading));
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    bool busy_reading = false;
    bool busy_writing = false;
    AXM_TRY(axm_traffic_busy(generator, &busy_reading, &busy_writing));
    if (!(reading ? busy_reading : busy_writing))
      return axm_traffic_read_errors(generator, stream->half, &stream->errors);
    if (hal->now_ns(hal->self) - begin > END_WAIT_NS)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, 1000);
  }
}
