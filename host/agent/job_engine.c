/* Streams of vendors' engines: see job_engine.h. */
#include "job_engine.h"

#include <stddef.h>

#include "registers.h"

#define END_WAIT_NS UINT64_C(5000000)

static struct axm_engine_transfer part(const struct axm_stream *stream, uint32_t number) {
  const struct axm_parts *parts = &stream->parts;
  const uint64_t offset = (uint64_t)number * parts->bytes;
  const bool last = number + 1 == parts->count;
  return (struct axm_engine_transfer){
      .address = stream->transfer.address + offset,
      .source = stream->transfer.source + offset,
      .bytes = last ? stream->transfer.bytes - (uint32_t)offset : parts->bytes,
      .last = parts->joined ? last && stream->transfer.last : true,
  };
}

static enum axm_status submit(struct axm_stream *stream) {
  struct axm_parts *parts = &stream->parts;
  for (; parts->given < parts->count; ++parts->given) {
    const struct axm_engine_transfer one = part(stream, parts->given);
    AXM_TRY(parts->engine->ops->submit(parts->engine, &one));
  }
  return AXM_OK;
}

static enum axm_status begin(struct axm_stream *stream) {
  struct axm_parts *parts = &stream->parts;
  const struct axm_engine_config config = {.queue = parts->count, .coherent = parts->coherent};
  parts->given = parts->ended = 0;
  parts->cause = AXM_ENGINE_OK;
  AXM_TRY(parts->engine->ops->start(parts->engine, &config));
  parts->started = true;
  AXM_TRY(parts->engine->ops->interrupt_enable(parts->engine, true));
  return parts->engine->limits.at_once ? AXM_OK : submit(stream);
}

enum axm_status axm_engines_begin(struct axm_job *job) {
  enum axm_status status = AXM_OK;
  for (uint32_t i = 0; i < job->streams && status == AXM_OK; ++i)
    if (job->stream[i].parts.engine != NULL)
      status = begin(&job->stream[i]);
  const enum axm_status ended = status != AXM_OK ? axm_engines_end(job) : AXM_OK;
  return ended != AXM_OK ? ended : status;
}

enum axm_status axm_engine_go(struct axm_stream *stream) {
  AXM_TRY(submit(stream));
  return stream->parts.engine->ops->give(stream->parts.engine);
}

/* Whether the part that has just ended was the last that will. */
static bool whole(const struct axm_stream *stream, const struct axm_engine_done *done) {
  const struct axm_parts *parts = &stream->parts;
  return parts->ended == parts->count ||
         (parts->joined && parts->engine->direction == AXM_ENGINE_RECEIVE && done->last);
}

enum axm_status axm_engine_look(struct axm_stream *stream, uint64_t since_start) {
  struct axm_parts *parts = &stream->parts;
  /* Cleared before looking: what ends in between raises it again. */
  AXM_TRY(parts->engine->ops->interrupt_take(parts->engine));
  for (;;) {
    struct axm_engine_done done;
    const enum axm_status found = parts->engine->ops->poll(parts->engine, &done);
    if (found == AXM_ERROR_EMPTY)
      return AXM_OK;
    AXM_TRY(found);
    ++parts->ended;
    parts->cause = done.cause;
    stream->done.bytes += done.bytes;
    stream->done.packet_end = done.last;
    if (done.cause == AXM_ENGINE_OK && !whole(stream, &done))
      continue;
    stream->end_ns = since_start;
    stream->state = done.cause == AXM_ENGINE_OK ? AXM_STREAM_DONE : AXM_STREAM_FAULT;
    return AXM_OK;
  }
}

enum axm_status axm_engines_end(struct axm_job *job) {
  enum axm_status result = AXM_OK;
  /* A half that does not halt is reset when the other half was asked to stop, too: a second turn.
   */
  for (int turn = 0; turn < 2; ++turn) {
    result = AXM_OK;
    for (uint32_t i = 0; i < job->streams; ++i) {
      struct axm_stream *stream = &job->stream[i];
      if (!stream->parts.started)
        continue;
      const enum axm_status status =
          stream->parts.engine->ops->stop(stream->parts.engine, END_WAIT_NS);
      stream->parts.started = status != AXM_OK;
      if (status == AXM_OK)
        continue;
      result = status;
      if (turn == 1)
        stream->state = AXM_STREAM_TIMEOUT;
    }
  }
  return result;
}
