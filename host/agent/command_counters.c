/* `counters` and `records`: what the monitors, sniffers and stream blocks have counted. */
#include <string.h>

#include "agent.h"
#include "commands.h"
#include "registers.h"

static void name(struct axm_reply *reply, const struct axm_block_info *info, const char *kind) {
  axm_reply_number(reply, "block", info->index);
  axm_reply_text(reply, "kind", kind);
  axm_reply_number(reply, "port", info->port);
}

static enum axm_status tell_direction(struct axm_reply *reply, const struct axm_block_info *info,
                                      const char *half, const struct axm_counters *counters,
                                      const struct axm_direction_counters *one) {
  name(reply, info, "monitor");
  axm_reply_text(reply, "half", half);
  axm_reply_number(reply, "bursts", one->bursts);
  axm_reply_number(reply, "beats", one->beats);
  axm_reply_number(reply, "bytes", one->bytes);
  axm_reply_number(reply, "cycles", one->cycles);
  axm_reply_number(reply, "idle", one->idle);
  axm_reply_number(reply, "address", one->address);
  axm_reply_number(reply, "wait", one->wait);
  axm_reply_number(reply, "stall", one->stall);
  axm_reply_number(reply, "response", one->response);
  axm_reply_number(reply, "latency_sum", one->latency_sum);
  axm_reply_number(reply, "latency_min", one->latency_min);
  axm_reply_number(reply, "latency_max", one->latency_max);
  axm_reply_number(reply, "inactivity", one->longest_inactivity);
  axm_reply_number(reply, "saturated", counters->saturated ? 1 : 0);
  axm_reply_number(reply, "out_of_order", counters->out_of_order ? 1 : 0);
  axm_reply_number(reply, "overrun", counters->overrun ? 1 : 0);
  axm_reply_list(reply, "histogram", one->histogram, AXM_HISTOGRAM_BINS);
  return axm_reply_more(reply);
}

static enum axm_status tell_counters(struct axm_reply *reply, const struct axm_block_info *info) {
  struct axm_counters counters;
  if (info->type == AXM_BLOCK_TRAFFIC) {
    struct axm_traffic traffic;
    AXM_TRY(axm_traffic_open(&traffic, info));
    AXM_TRY(axm_traffic_counters(&traffic, &counters));
  } else {
    struct axm_monitor monitor;
    AXM_TRY(axm_monitor_open(&monitor, info));
    AXM_TRY(axm_monitor_read(&monitor, &counters));
  }
  AXM_TRY(tell_direction(reply, info, "read", &counters, &counters.read));
  return tell_direction(reply, info, "write", &counters, &counters.write);
}

static enum axm_status tell_bins(struct axm_reply *reply, const struct axm_block_info *info,
                                 uint32_t slot, const char *what,
                                 const uint32_t bins[AXM_SNIFFER_BINS]) {
  uint64_t wide[AXM_SNIFFER_BINS];
  for (uint32_t i = 0; i < AXM_SNIFFER_BINS; ++i)
    wide[i] = bins[i];
  name(reply, info, "sniffer");
  axm_reply_number(reply, "slot", slot);
  axm_reply_text(reply, "of", what);
  axm_reply_list(reply, "histogram", wide, AXM_SNIFFER_BINS);
  return axm_reply_more(reply);
}

static enum axm_status tell_sniffer(struct axm_reply *reply, const struct axm_block_info *info) {
  struct axm_sniffer sniffer;
  struct axm_sniffer_status status;
  AXM_TRY(axm_sniffer_open(&sniffer, info));
  AXM_TRY(axm_sniffer_stop(&sniffer));
  AXM_TRY(axm_sniffer_read(&sniffer, &status));
  for (uint32_t slot = 0; slot < sniffer.slots; ++slot) {
    struct axm_sniffer_slot seen;
    AXM_TRY(axm_sniffer_read_slot(&sniffer, slot, &seen));
    name(reply, info, "sniffer");
    axm_reply_number(reply, "slot", slot);
    axm_reply_text(reply, "half", (sniffer.writes >> slot & 1u) != 0 ? "write" : "read");
    axm_reply_number(reply, "bursts", seen.bursts);
    axm_reply_number(reply, "beats", seen.beats);
    axm_reply_number(reply, "recorded", seen.recorded);
    axm_reply_number(reply, "clocks", status.clocks);
    axm_reply_number(reply, "saturated", status.saturated ? 1 : 0);
    if (seen.beat_min <= seen.beat_max) {
      axm_reply_number(reply, "beat_min", seen.beat_min);
      axm_reply_number(reply, "beat_typical", seen.beat_typical);
      axm_reply_number(reply, "beat_max", seen.beat_max);
    }
    if (seen.gap_min <= seen.gap_max) {
      axm_reply_number(reply, "gap_min", seen.gap_min);
      axm_reply_number(reply, "gap_max", seen.gap_max);
    }
    AXM_TRY(axm_reply_more(reply));
    AXM_TRY(tell_bins(reply, info, slot, "lengths", seen.lengths));
    AXM_TRY(tell_bins(reply, info, slot, "beats", seen.beat_gaps));
    AXM_TRY(tell_bins(reply, info, slot, "gaps", seen.burst_gaps));
  }
  return AXM_OK;
}

static enum axm_status tell_stream(struct axm_reply *reply, const struct axm_block_info *info) {
  if (info->type == AXM_BLOCK_SOURCE) {
    struct axm_source source;
    uint32_t beats = 0;
    AXM_TRY(axm_source_open(&source, info));
    AXM_TRY(axm_source_beats(&source, &beats));
    name(reply, info, "source");
    axm_reply_number(reply, "beats", beats);
  } else if (info->type == AXM_BLOCK_LOOPBACK) {
    struct axm_loopback loopback;
    uint32_t held = 0;
    uint32_t peak = 0;
    AXM_TRY(axm_loopback_open(&loopback, info));
    AXM_TRY(axm_loopback_level(&loopback, &held, &peak));
    name(reply, info, "loopback");
    axm_reply_number(reply, "held", held);
    axm_reply_number(reply, "peak", peak);
  } else {
    struct axm_sink sink;
    struct axm_sink_counts counts;
    AXM_TRY(axm_sink_open(&sink, info));
    AXM_TRY(axm_sink_read(&sink, &counts));
    name(reply, info, "sink");
    axm_reply_number(reply, "beats", counts.beats);
    axm_reply_number(reply, "bytes", counts.bytes);
    axm_reply_number(reply, "packets", counts.packets);
    axm_reply_number(reply, "errors", counts.errors);
    axm_reply_number(reply, "first_error", counts.first_error);
    axm_reply_hex(reply, "first_lanes", counts.first_lanes);
    axm_reply_number(reply, "saturated", counts.saturated ? 1 : 0);
  }
  return axm_reply_more(reply);
}

static enum axm_status tell_block(struct axm_reply *reply, const struct axm_block_info *info) {
  switch (info->type) {
  case AXM_BLOCK_TRAFFIC:
  case AXM_BLOCK_MONITOR:
    return tell_counters(reply, info);
  case AXM_BLOCK_SNIFFER:
    return tell_sniffer(reply, info);
  case AXM_BLOCK_SOURCE:
  case AXM_BLOCK_SINK:
  case AXM_BLOCK_LOOPBACK:
    return tell_stream(reply, info);
  default:
    return AXM_OK;
  }
}

enum axm_status axm_command_counters(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_device *device = NULL;
  struct axm_block_info info;
  if (axm_arguments_has(arguments, "block")) {
    AXM_TRY(axm_agent_block(agent, arguments, AXM_BLOCK_NONE, &info));
    AXM_TRY(axm_arguments_end(arguments));
    return tell_block(&agent->reply, &info);
  }
  AXM_TRY(axm_arguments_end(arguments));
  AXM_TRY(axm_agent_device(agent, &device));
  for (uint32_t index = 1; index < device->blocks; ++index) {
    AXM_TRY(axm_device_block(device, index, &info));
    AXM_TRY(tell_block(&agent->reply, &info));
  }
  return AXM_OK;
}

enum axm_status axm_command_records(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_block_info info;
  struct axm_sniffer sniffer;
  uint64_t slot = 0;
  AXM_TRY(axm_agent_block(agent, arguments, AXM_BLOCK_SNIFFER, &info));
  AXM_TRY(axm_sniffer_open(&sniffer, &info));
  AXM_TRY(axm_arguments_number(arguments, "slot", 0, sniffer.slots - 1, &slot));
  AXM_TRY(axm_arguments_end(arguments));
  for (uint32_t index = 0; index < sniffer.records; ++index) {
    struct axm_sniffer_record record;
    const enum axm_status status =
        axm_sniffer_read_record(&sniffer, (uint32_t)slot, index, &record);
    if (status == AXM_ERROR_EMPTY)
      return AXM_OK;
    AXM_TRY(status);
    axm_reply_number(&agent->reply, "record", index);
    axm_reply_hex(&agent->reply, "address", record.address);
    axm_reply_number(&agent->reply, "beats", record.beats);
    axm_reply_number(&agent->reply, "time", record.time);
    AXM_TRY(axm_reply_more(&agent->reply));
  }
  return AXM_OK;
}
