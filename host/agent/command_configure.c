/* `configure`: collects a job, stream by stream; see docs/hosts.md. */
#include <string.h>

#include "agent.h"
#include "commands.h"
#include "configure.h"
#include "job_arm.h"
#include "registers.h"

enum {
  DEFAULT_BEATS = 16,
  DEFAULT_OUTSTANDING = 8,
  DEFAULT_CACHE = 3,
  /* The longest of a traffic generator; no working memory is silent for so long. */
  DEFAULT_TIMEOUT_CLOCKS = 65472
};
#define DEFAULT_SEED 0xC35AA500u

static const char *const halves[] = {"read", "write", NULL};
static const char *const patterns[] = {"contiguous", "strided", "random", NULL};
static const char *const stops[] = {"bursts", "bytes", "clocks", "never", NULL};

static enum axm_status number32(struct axm_arguments *arguments, const char *key, uint32_t *value) {
  return axm_arguments_option32(arguments, key, 0, UINT32_MAX, value);
}

/* Block and direction, and a new entry for them, which counts only when all is well. */
static enum axm_status begin(struct axm_agent *agent, struct axm_arguments *arguments,
                             enum axm_block_type type, struct axm_block_info *info,
                             struct axm_stream **entry) {
  struct axm_job *job = &agent->job;
  if (job->streams == AXM_STREAMS)
    return AXM_ERROR_FULL;
  AXM_TRY(axm_agent_block(agent, arguments, type, info));
  struct axm_stream *stream = &job->stream[job->streams];
  memset(stream, 0, sizeof *stream);
  uint32_t half = 2;
  AXM_TRY(axm_arguments_choice(arguments, "half", halves, &half));
  if (half == 2) {
    arguments->about = "half";
    return AXM_ERROR_ARGUMENT;
  }
  for (uint32_t i = 0; i < job->streams; ++i) {
    if (job->stream[i].block == info->index && (uint32_t)job->stream[i].half == half) {
      arguments->about = "half";
      return AXM_ERROR_REPEATED;
    }
  }
  stream->block = info->index;
  stream->half = (enum axm_dma_half)half;
  stream->timeout_clocks = DEFAULT_TIMEOUT_CLOCKS;
  *entry = stream;
  return number32(arguments, "timeout_clocks", &stream->timeout_clocks);
}

static enum axm_status finish(struct axm_agent *agent, struct axm_arguments *arguments) {
  AXM_TRY(axm_arguments_end(arguments));
  axm_reply_number(&agent->reply, "stream", agent->job.streams++);
  agent->job.armed = false;
  return AXM_OK;
}

enum axm_status axm_configure_from(struct axm_agent *agent, struct axm_arguments *arguments,
                                   struct axm_stream *stream) {
  uint64_t from = 0;
  uint64_t offset = 0;
  AXM_TRY(axm_arguments_number(arguments, "from", 0, AXM_BUFFERS - 1, &from));
  const struct axm_memory *memory = &agent->buffers.buffer[from].memory;
  AXM_TRY(axm_arguments_option(arguments, "from_offset", 0, memory->size, &offset));
  if (memory->size - offset < stream->span.size) {
    arguments->about = "from";
    return AXM_ERROR_RANGE;
  }
  stream->transfer.source = memory->bus_address + offset;
  stream->from = (struct axm_span){.memory = memory, .offset = offset, .size = stream->span.size};
  return AXM_OK;
}

static enum axm_status configure_stream(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_block_info info;
  struct axm_stream *stream = NULL;
  struct axm_span span;
  AXM_TRY(begin(agent, arguments, AXM_BLOCK_NONE, &info, &stream));
  if (info.type != AXM_BLOCK_DMA && info.type != AXM_BLOCK_VENDOR) {
    arguments->about = "block";
    return AXM_ERROR_TYPE;
  }
  AXM_TRY(axm_buffers_span(&agent->buffers, arguments, &span));
  stream->span = span;
  if (span.size > UINT32_MAX) {
    arguments->about = "bytes";
    return AXM_ERROR_RANGE;
  }
  if (info.type == AXM_BLOCK_VENDOR) {
    AXM_TRY(axm_configure_vendor(agent, arguments, &info, stream));
    return finish(agent, arguments);
  }
  AXM_TRY(axm_dma_open(&stream->dma, &info));
  struct axm_dma_caps caps;
  axm_dma_describe(&stream->dma, &caps);
  struct axm_dma_config *config = &stream->config;
  const uint32_t most =
      caps.outstanding < DEFAULT_OUTSTANDING ? caps.outstanding : DEFAULT_OUTSTANDING;
  *config = (struct axm_dma_config){
      .burst_beats = DEFAULT_BEATS, .outstanding = most, .cache = DEFAULT_CACHE};
  uint32_t whole = 1;
  uint32_t last = 1;
  AXM_TRY(axm_arguments_option32(arguments, "beats", 1, 256, &config->burst_beats));
  AXM_TRY(
      axm_arguments_option32(arguments, "outstanding", 1, caps.outstanding, &config->outstanding));
  AXM_TRY(axm_arguments_option32(arguments, "whole_burst", 0, 1, &whole));
  AXM_TRY(axm_arguments_option32(arguments, "last", 0, 1, &last));
  AXM_TRY(axm_arguments_option32(arguments, "cache", 0, 15, &config->cache));
  AXM_TRY(axm_arguments_option32(arguments, "prot", 0, 7, &config->prot));
  AXM_TRY(axm_arguments_option32(arguments, "qos", 0, 15, &config->qos));
  config->whole_burst = whole != 0;
  stream->transfer = (struct axm_dma_transfer){.address = span.memory->bus_address + span.offset,
                                               .bytes = (uint32_t)span.size,
                                               .last = last != 0};
  if (caps.copy)
    AXM_TRY(axm_configure_from(agent, arguments, stream));
  return finish(agent, arguments);
}

static enum axm_status configure_traffic(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_block_info info;
  struct axm_stream *stream = NULL;
  struct axm_span span;
  AXM_TRY(begin(agent, arguments, AXM_BLOCK_TRAFFIC, &info, &stream));
  AXM_TRY(axm_traffic_open(&stream->generator, &info));
  AXM_TRY(axm_buffers_span(&agent->buffers, arguments, &span));
  stream->span = span;
  struct axm_traffic_caps caps;
  axm_traffic_describe(&stream->generator, &caps);
  stream->traffic = true;
  stream->seed = 1;
  struct axm_traffic_config *config = &stream->pattern;
  const uint32_t most =
      caps.outstanding < DEFAULT_OUTSTANDING ? caps.outstanding : DEFAULT_OUTSTANDING;
  *config = (struct axm_traffic_config){.base = span.memory->bus_address + span.offset,
                                        .region = span.size,
                                        .burst_beats = DEFAULT_BEATS,
                                        .outstanding = most,
                                        .cache = DEFAULT_CACHE};
  uint32_t pattern = AXM_TRAFFIC_CONTIGUOUS;
  uint32_t stop = AXM_TRAFFIC_BYTES;
  uint32_t check = 0;
  config->limit = span.size > UINT32_MAX ? UINT32_MAX : (uint32_t)span.size;
  AXM_TRY(axm_arguments_choice(arguments, "pattern", patterns, &pattern));
  AXM_TRY(axm_arguments_choice(arguments, "stop", stops, &stop));
  AXM_TRY(number32(arguments, "stride", &config->stride));
  AXM_TRY(number32(arguments, "limit", &config->limit));
  AXM_TRY(axm_arguments_option32(arguments, "beats", 1, 256, &config->burst_beats));
  AXM_TRY(
      axm_arguments_option32(arguments, "outstanding", 1, caps.outstanding, &config->outstanding));
  AXM_TRY(axm_arguments_option32(arguments, "gap", 0, 65535, &config->gap));
  AXM_TRY(axm_arguments_option32(arguments, "check", 0, 1, &check));
  AXM_TRY(axm_arguments_option32(arguments, "cache", 0, 15, &config->cache));
  AXM_TRY(axm_arguments_option32(arguments, "prot", 0, 7, &config->prot));
  AXM_TRY(axm_arguments_option32(arguments, "qos", 0, 15, &config->qos));
  AXM_TRY(number32(arguments, "user", &config->user));
  AXM_TRY(number32(arguments, "seed", &stream->seed));
  config->pattern = (enum axm_traffic_pattern)pattern;
  config->stop = (enum axm_traffic_stop)stop;
  config->check = check != 0;
  /* What would leave the buffer is refused here, before anything is armed. */
  if (axm_traffic_check(&stream->generator, stream->half, config) != AXM_OK) {
    arguments->about = pattern == AXM_TRAFFIC_CONTIGUOUS ? "beats" : "stride";
    return AXM_ERROR_RANGE;
  }
  return finish(agent, arguments);
}

static enum axm_status configure_block(struct axm_agent *agent, struct axm_arguments *arguments,
                                       enum axm_block_type type) {
  struct axm_job *job = &agent->job;
  if (job->settings == AXM_SETTINGS)
    return AXM_ERROR_FULL;
  struct axm_setting *setting = &job->setting[job->settings];
  *setting = (struct axm_setting){.seed = DEFAULT_SEED, .on = 1};
  AXM_TRY(axm_agent_block(agent, arguments, type, &setting->info));
  setting->block = setting->info.index;
  if (type == AXM_BLOCK_LOOPBACK) {
    struct axm_loopback loopback;
    AXM_TRY(axm_loopback_open(&loopback, &setting->info));
    setting->limit = loopback.depth;
    AXM_TRY(axm_arguments_option32(arguments, "limit", 1, loopback.depth, &setting->limit));
    return axm_arguments_end(arguments);
  }
  AXM_TRY(number32(arguments, "seed", &setting->seed));
  if (type == AXM_BLOCK_SOURCE)
    AXM_TRY(number32(arguments, "packet_bytes", &setting->packet_bytes));
  if (type == AXM_BLOCK_SINK) {
    AXM_TRY(axm_arguments_option32(arguments, "check", 0, 1, &setting->check));
    AXM_TRY(axm_arguments_option32(arguments, "on", 1, 256, &setting->on));
    AXM_TRY(axm_arguments_option32(arguments, "off", 0, 255, &setting->off));
  }
  return axm_arguments_end(arguments);
}

/* A block that is configured again takes its new setting. */
static enum axm_status keep_setting(struct axm_job *job) {
  const struct axm_setting latest = job->setting[job->settings];
  uint32_t i = 0;
  while (i < job->settings && job->setting[i].block != latest.block)
    ++i;
  job->setting[i] = latest;
  if (i == job->settings)
    ++job->settings;
  job->armed = false;
  return AXM_OK;
}

enum axm_status axm_command_configure(struct axm_agent *agent, struct axm_arguments *arguments) {
  static const struct {
    const char *part;
    enum axm_block_type type;
  } settings[] = {
      {"loopback", AXM_BLOCK_LOOPBACK}, {"source", AXM_BLOCK_SOURCE}, {"sink", AXM_BLOCK_SINK}};
  if (strcmp(arguments->part, "new") == 0) {
    AXM_TRY(axm_arguments_end(arguments));
    axm_job_forget(&agent->job);
    return AXM_OK;
  }
  if (strcmp(arguments->part, "stream") == 0)
    return configure_stream(agent, arguments);
  if (strcmp(arguments->part, "traffic") == 0)
    return configure_traffic(agent, arguments);
  if (strcmp(arguments->part, "arm") == 0)
    return axm_job_arm(agent, arguments);
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
    if (strcmp(arguments->part, settings[i].part) == 0) {
      AXM_TRY(configure_block(agent, arguments, settings[i].type));
      return keep_setting(&agent->job);
    }
  }
  arguments->about = arguments->part;
  return AXM_ERROR_UNKNOWN;
}
