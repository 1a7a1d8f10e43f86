/* Stream source, sink and loop-back FIFO: see axm/stream.h. */
#include "axm/stream.h"

#include "generated/stream_loopback.h"
#include "generated/stream_sink.h"
#include "generated/stream_source.h"
#include "registers.h"

uint32_t axm_stream_word(uint32_t index, uint32_t seed) {
  return index ^ index << 8 ^ index << 16 ^ index << 24 ^ seed;
}

enum axm_status axm_source_open(struct axm_source *source, const struct axm_block_info *info) {
  if (info->type != AXM_STREAM_SOURCE_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_STREAM_SOURCE_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *source = (struct axm_source){.block = info->block};
  return AXM_OK;
}

enum axm_status axm_source_configure(const struct axm_source *source, uint32_t seed,
                                     uint32_t packet_bytes) {
  if (packet_bytes > AXM_MOST(AXM_STREAM_SOURCE_PACKET_BYTES__VALUE))
    return AXM_ERROR_RANGE;
  AXM_TRY(axm_source_enable(source, false));
  AXM_TRY(axm_write(&source->block, AXM_STREAM_SOURCE_SEED, seed));
  return axm_write(&source->block, AXM_STREAM_SOURCE_PACKET_BYTES, packet_bytes);
}

enum axm_status axm_source_enable(const struct axm_source *source, bool on) {
  return axm_write(&source->block, AXM_STREAM_SOURCE_CTRL,
                   on ? AXM_STREAM_SOURCE_CTRL__ENABLE_MASK : 0);
}

enum axm_status axm_source_beats(const struct axm_source *source, uint32_t *beats) {
  return axm_read(&source->block, AXM_STREAM_SOURCE_BEATS, beats);
}

enum axm_status axm_sink_open(struct axm_sink *sink, const struct axm_block_info *info) {
  if (info->type != AXM_STREAM_SINK_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_STREAM_SINK_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *sink = (struct axm_sink){.block = info->block};
  return AXM_OK;
}

enum axm_status axm_sink_configure(const struct axm_sink *sink, bool check, uint32_t seed,
                                   uint32_t on, uint32_t off) {
  if (on == 0 || on - 1 > AXM_MOST(AXM_STREAM_SINK_THROTTLE__ON) ||
      off > AXM_MOST(AXM_STREAM_SINK_THROTTLE__OFF))
    return AXM_ERROR_RANGE;
  AXM_TRY(axm_write(&sink->block, AXM_STREAM_SINK_SEED, seed));
  AXM_TRY(axm_write(&sink->block, AXM_STREAM_SINK_THROTTLE,
                    AXM_PUT(on - 1, AXM_STREAM_SINK_THROTTLE__ON) |
                        AXM_PUT(off, AXM_STREAM_SINK_THROTTLE__OFF)));
  return axm_write(&sink->block, AXM_STREAM_SINK_CTRL,
                   AXM_STREAM_SINK_CTRL__ENABLE_MASK | AXM_STREAM_SINK_CTRL__CLEAR_MASK |
                       (check ? AXM_STREAM_SINK_CTRL__CHECK_MASK : 0));
}

enum axm_status axm_sink_read(const struct axm_sink *sink, struct axm_sink_counts *counts) {
  const struct axm_block *block = &sink->block;
  uint32_t status = 0;
  AXM_TRY(axm_read(block, AXM_STREAM_SINK_STATUS, &status));
  counts->saturated = AXM_GET(status, AXM_STREAM_SINK_STATUS__SATURATED) != 0;
  AXM_TRY(axm_read64(block, AXM_STREAM_SINK_BEATS_LO, &counts->beats));
  AXM_TRY(axm_read64(block, AXM_STREAM_SINK_BYTES_LO, &counts->bytes));
  AXM_TRY(axm_read(block, AXM_STREAM_SINK_PACKETS, &counts->packets));
  AXM_TRY(axm_read(block, AXM_STREAM_SINK_ERRORS, &counts->errors));
  AXM_TRY(axm_read64(block, AXM_STREAM_SINK_FIRST_ERROR_LO, &counts->first_error));
  return axm_read(block, AXM_STREAM_SINK_FIRST_LANES, &counts->first_lanes);
}

enum axm_status axm_loopback_open(struct axm_loopback *loopback,
                                  const struct axm_block_info *info) {
  if (info->type != AXM_STREAM_LOOPBACK_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_STREAM_LOOPBACK_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *loopback = (struct axm_loopback){
      .block = info->block,
      .depth = AXM_GET(info->caps, AXM_STREAM_LOOPBACK_CAPS__DEPTH),
      .data_bytes = AXM_GET(info->caps, AXM_STREAM_LOOPBACK_CAPS__DATA_BYTES),
  };
  return AXM_OK;
}

enum axm_status axm_loopback_configure(const struct axm_loopback *loopback, uint32_t limit) {
  if (limit == 0 || limit > loopback->depth)
    return AXM_ERROR_RANGE;
  AXM_TRY(axm_loopback_clear(loopback));
  return axm_write(&loopback->block, AXM_STREAM_LOOPBACK_LIMIT, limit);
}

enum axm_status axm_loopback_clear(const struct axm_loopback *loopback) {
  return axm_write(&loopback->block, AXM_STREAM_LOOPBACK_CTRL,
                   AXM_STREAM_LOOPBACK_CTRL__CLEAR_MASK);
}

enum axm_status axm_loopback_level(const struct axm_loopback *loopback, uint32_t *held,
                                   uint32_t *peak) {
  uint32_t word = 0;
  AXM_TRY(axm_read(&loopback->block, AXM_STREAM_LOOPBACK_LEVEL, &word));
  *held = AXM_GET(word, AXM_STREAM_LOOPBACK_LEVEL__HELD);
  *peak = AXM_GET(word, AXM_STREAM_LOOPBACK_LEVEL__PEAK);
  return AXM_OK;
}
