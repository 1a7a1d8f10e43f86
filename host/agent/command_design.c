/* What concerns target and design as a whole: `hello`, `environment`, `capabilities`, `register`
 * and `reset`. */
#include <string.h>

#include "agent.h"
#include "commands.h"
#include "registers.h"

enum { END_WAIT_NS = 5000000, WINDOW_BYTES = 4096 };

enum axm_status axm_command_hello(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_reply *reply = &agent->reply;
  const bool begins = axm_arguments_has(arguments, "session");
  AXM_TRY(axm_arguments_option(arguments, "session", 0, UINT64_MAX, &agent->session));
  AXM_TRY(axm_arguments_end(arguments));
  if (begins)
    agent->last.any = false; /* another host's numbers mean nothing to this one */
  axm_reply_number(reply, "protocol", AXM_AGENT_PROTOCOL);
  axm_reply_text(reply, "agent", AXM_VERSION);
  axm_reply_text(reply, "target", agent->hal->target);
  axm_reply_number(reply, "emulated", agent->hal->emulated != 0 ? 1 : 0);
  axm_reply_number(reply, "line", AXM_LINE_MAX);
  axm_reply_number(reply, "buffers", AXM_BUFFERS);
  axm_reply_number(reply, "streams", AXM_STREAMS);
  axm_reply_hex(reply, "session", agent->session);
  return AXM_OK;
}

enum axm_status axm_command_environment(struct axm_agent *agent, struct axm_arguments *arguments) {
  const struct axm_hal *hal = agent->hal;
  AXM_TRY(axm_arguments_end(arguments));
  for (uint32_t nth = 0; hal->environment != NULL; ++nth) {
    char value[AXM_ENVIRONMENT_BYTES];
    const char *name = NULL;
    const enum axm_status status = hal->environment(hal->self, nth, &name, value);
    if (status == AXM_ERROR_RANGE)
      break;
    if (status == AXM_OK)
      axm_reply_text(&agent->reply, name, value);
  }
  return AXM_OK;
}

enum axm_status axm_command_capabilities(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_reply *reply = &agent->reply;
  struct axm_device *device = NULL;
  struct axm_device_info design;
  AXM_TRY(axm_arguments_end(arguments));
  AXM_TRY(axm_agent_device(agent, &device));
  for (uint32_t index = 0; index < device->blocks; ++index) {
    struct axm_block_info info;
    AXM_TRY(axm_device_block(device, index, &info));
    axm_reply_number(reply, "block", index);
    axm_reply_number(reply, "type", info.type);
    axm_reply_number(reply, "port", info.port);
    axm_reply_number(reply, "instance", info.instance);
    axm_reply_number(reply, "version", info.map_version);
    axm_reply_hex(reply, "caps", info.caps);
    axm_reply_hex(reply, "caps2", info.caps2);
    AXM_TRY(axm_reply_more(reply));
  }
  AXM_TRY(axm_device_describe(device, &design));
  axm_reply_number(reply, "major", design.major);
  axm_reply_number(reply, "minor", design.minor);
  axm_reply_number(reply, "patch", design.patch);
  axm_reply_number(reply, "clock_hz", design.clock_hz);
  axm_reply_number(reply, "blocks", design.blocks);
  axm_reply_number(reply, "top", design.top);
  axm_reply_number(reply, "ports", design.ports);
  axm_reply_number(reply, "data_bytes", design.data_bytes);
  axm_reply_number(reply, "variant", design.variant);
  return AXM_OK;
}

/* A register of any block, for blocks that have no command of their own. */
enum axm_status axm_command_register(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_block_info info;
  uint64_t offset = 0;
  uint64_t value = 0;
  AXM_TRY(axm_agent_block(agent, arguments, AXM_BLOCK_NONE, &info));
  AXM_TRY(axm_arguments_number(arguments, "offset", 0, WINDOW_BYTES - 4, &offset));
  if (offset % 4 != 0) {
    arguments->about = "offset";
    return AXM_ERROR_ARGUMENT;
  }
  if (strcmp(arguments->part, "write") == 0) {
    AXM_TRY(axm_arguments_number(arguments, "value", 0, UINT32_MAX, &value));
    AXM_TRY(axm_arguments_end(arguments));
    return axm_write(&info.block, (uint32_t)offset, (uint32_t)value);
  }
  if (strcmp(arguments->part, "read") != 0) {
    arguments->about = arguments->part;
    return AXM_ERROR_UNKNOWN;
  }
  uint32_t word = 0;
  AXM_TRY(axm_arguments_end(arguments));
  AXM_TRY(axm_read(&info.block, (uint32_t)offset, &word));
  axm_reply_hex(&agent->reply, "value", word);
  return AXM_OK;
}

/* Waits until a generator has completed what it had begun. */
static enum axm_status rest(const struct axm_traffic *traffic) {
  const struct axm_hal *hal = traffic->block.hal;
  const uint64_t begin = hal->now_ns(hal->self);
  for (;;) {
    bool reading = false;
    bool writing = false;
    AXM_TRY(axm_traffic_busy(traffic, &reading, &writing));
    if (!reading && !writing)
      return AXM_OK;
    if (hal->now_ns(hal->self) - begin > END_WAIT_NS)
      return AXM_ERROR_TIMEOUT;
    hal->idle_ns(hal->self, 1000);
  }
}

/* Starts a vendor's engine with nothing to do, which ends what another program has left in it, and
 * stops it. */
static enum axm_status quieten_vendor(const struct axm_block_info *info) {
  static struct axm_pair pair; /* static: too large for the stack of a small target */
  struct axm_vendor vendor;
  const struct axm_engine_config config = {.queue = 1};
  AXM_TRY(axm_vendor_describe(info, &vendor));
  if (vendor.name == NULL)
    return AXM_OK; /* nothing here can have used it */
  AXM_TRY(axm_vendor_open(&pair, info));
  struct axm_engine *const engines[] = {pair.copy, pair.send, pair.receive};
  enum axm_status result = AXM_OK;
  for (size_t n = 0; n < sizeof engines / sizeof engines[0]; ++n) {
    if (engines[n] == NULL)
      continue;
    enum axm_status status = engines[n]->ops->start(engines[n], &config);
    if (status == AXM_OK)
      status = engines[n]->ops->stop(engines[n], END_WAIT_NS);
    if (status != AXM_OK)
      result = status;
  }
  return result;
}

/* Ends what a block does; with `force`, forgets what a dead slave still owes. */
static enum axm_status quieten(const struct axm_block_info *info, bool force) {
  if (info->type == AXM_BLOCK_SOURCE) {
    struct axm_source source;
    AXM_TRY(axm_source_open(&source, info));
    return axm_source_enable(&source, false);
  }
  if (info->type == AXM_BLOCK_LOOPBACK) { /* after its engines, whose blocks come before */
    struct axm_loopback loopback;
    AXM_TRY(axm_loopback_open(&loopback, info));
    return axm_loopback_clear(&loopback);
  }
  if (info->type == AXM_BLOCK_TRAFFIC) {
    struct axm_traffic traffic;
    AXM_TRY(axm_traffic_open(&traffic, info));
    AXM_TRY(axm_traffic_stop(&traffic, true, true));
    const enum axm_status status = rest(&traffic);
    return force ? axm_traffic_forget(&traffic) : status;
  }
  if (info->type == AXM_BLOCK_VENDOR)
    return quieten_vendor(info);
  if (info->type != AXM_BLOCK_DMA)
    return AXM_OK;
  struct axm_dma dma;
  AXM_TRY(axm_dma_open(&dma, info));
  enum axm_status result = AXM_OK;
  for (int half = AXM_DMA_READ; half <= AXM_DMA_WRITE; ++half) {
    enum axm_status status = axm_dma_abort(&dma, (enum axm_dma_half)half, END_WAIT_NS);
    if (force && (status == AXM_OK || status == AXM_ERROR_TIMEOUT))
      status = axm_dma_forget(&dma, (enum axm_dma_half)half);
    if (status != AXM_OK && status != AXM_ERROR_UNSUPPORTED)
      result = status;
  }
  return result;
}

enum axm_status axm_command_reset(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_device *device = NULL;
  uint64_t force = 0;
  AXM_TRY(axm_arguments_option(arguments, "force", 0, 1, &force));
  AXM_TRY(axm_arguments_end(arguments));
  axm_job_forget(&agent->job);
  agent->found = false; /* the design may have been reloaded */
  AXM_TRY(axm_agent_device(agent, &device));
  enum axm_status result = AXM_OK;
  for (uint32_t index = 1; index < device->blocks; ++index) {
    struct axm_block_info info;
    AXM_TRY(axm_device_block(device, index, &info));
    const enum axm_status status = quieten(&info, force != 0);
    if (status == AXM_OK)
      continue;
    result = status;
    axm_reply_number(&agent->reply, "block", index);
  }
  /* While a bus is not clean, its buffers may still be written: keep them. */
  if (result != AXM_OK)
    return result;
  return axm_buffers_release(&agent->buffers, agent->hal);
}
