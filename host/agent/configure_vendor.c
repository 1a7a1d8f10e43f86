/* `configure stream` of a vendor's engine: what it can is taken, what it cannot is refused with a
 * sentence that says what it can. */
#include <stddef.h>
#include <string.h>

#include "configure.h"
#include "generated/vendor.h"
#include "registers.h"

static enum axm_status refuse(struct axm_arguments *arguments, const char *about, const char *why) {
  arguments->about = about;
  arguments->why = why;
  return AXM_ERROR_UNSUPPORTED;
}

/* Refuses settings that only this project's engine has. */
static enum axm_status built_otherwise(struct axm_arguments *arguments) {
  static const char *const keys[] = {"beats", "outstanding", "whole_burst",   "cache",
                                     "prot",  "qos",         "timeout_clocks"};
  for (size_t n = 0; n < sizeof keys / sizeof keys[0]; ++n)
    if (axm_arguments_has(arguments, keys[n]))
      return refuse(
          arguments, keys[n],
          "fixed when a vendor's engine is built: leave it out; the keys are block, half, "
          "buffer, offset, bytes, from, from_offset, descriptor_bytes and last");
  return AXM_OK;
}

/* The engine at a port, opened at its first use in a job. */
static enum axm_status port_of(struct axm_job *job, const struct axm_block_info *info,
                               struct axm_vendor_port **port) {
  for (uint32_t i = 0; i < job->vendors; ++i) {
    *port = &job->vendor[i];
    if ((*port)->block == info->index)
      return AXM_OK;
  }
  if (job->vendors == AXM_VENDORS)
    return AXM_ERROR_FULL;
  *port = &job->vendor[job->vendors];
  (*port)->block = info->index;
  AXM_TRY(axm_vendor_describe(info, &(*port)->vendor));
  AXM_TRY(axm_vendor_open(&(*port)->pair, info));
  ++job->vendors;
  return AXM_OK;
}

/* Divides the stream into parts within the engine's limits. */
static enum axm_status divide(struct axm_arguments *arguments, const struct axm_vendor *vendor,
                              struct axm_stream *stream) {
  struct axm_parts *parts = &stream->parts;
  const struct axm_engine_limits *limits = &parts->engine->limits;
  const uint64_t bytes = stream->span.size;
  /* The longest part that an engine without realignment can continue from. */
  uint32_t most = limits->bytes & ~(limits->address_align - 1);
  if (bytes <= limits->bytes)
    most = (uint32_t)bytes;
  if (axm_arguments_has(arguments, "descriptor_bytes") && !vendor->chains)
    return refuse(arguments, "descriptor_bytes",
                  "this engine has no descriptors: use a design with axi-dma-sg");
  AXM_TRY(axm_arguments_option32(arguments, "descriptor_bytes", 1, most, &most));
  if (bytes > most && most % limits->address_align != 0)
    return refuse(arguments, "descriptor_bytes",
                  "the engine does not realign: give a multiple of its data width");
  const uint64_t count = (bytes + most - 1) / most;
  if (vendor->engine == AXM_VENDOR_ENGINE_AXI_TRAFFIC_GEN &&
      (count > 1 || bytes % limits->length_align != 0))
    return refuse(arguments, "bytes",
                  "the generator has 255 commands of 16 beats in each direction: give whole beats, "
                  "at most 4080");
  if (!vendor->chains && count > 1)
    return refuse(arguments, "bytes",
                  "a transfer of this engine has fewer than 2^LENGTH_BITS bytes (see its block): "
                  "give fewer, or use a design with axi-dma-sg");
  if (count > limits->queue)
    return refuse(arguments, "bytes",
                  "the engine holds 128 descriptors (msgdma: 8): give fewer bytes, or longer "
                  "descriptors");
  parts->bytes = most;
  parts->count = (uint32_t)count;
  return AXM_OK;
}

enum axm_status axm_configure_vendor(struct axm_agent *agent, struct axm_arguments *arguments,
                                     const struct axm_block_info *info, struct axm_stream *stream) {
  struct axm_vendor_port *port = NULL;
  struct axm_vendor vendor;
  uint32_t last = 1;
  AXM_TRY(axm_vendor_describe(info, &vendor));
  if (vendor.name == NULL)
    return refuse(arguments, "block",
                  "the block names an unknown engine: use agent and design of one version");
  AXM_TRY(built_otherwise(arguments));
  if (vendor.copy && stream->half != AXM_DMA_WRITE)
    return refuse(arguments, "half", "this engine copies: give half=write and from");
  AXM_TRY(port_of(&agent->job, info, &port));
  const bool sends = stream->half == AXM_DMA_READ;
  stream->parts = (struct axm_parts){
      .engine = vendor.copy ? port->pair.copy
                : sends     ? port->pair.send
                            : port->pair.receive,
      .coherent = vendor.coherent,
      .joined = vendor.joins,
  };
  AXM_TRY(divide(arguments, &vendor, stream));
  AXM_TRY(axm_arguments_option32(arguments, "last", 0, 1, &last));
  if (last == 0 && !(sends && vendor.joins))
    return refuse(arguments, "last", "each transfer of this engine ends a packet");
  stream->transfer = (struct axm_dma_transfer){
      .address = stream->span.memory->bus_address + stream->span.offset,
      .bytes = (uint32_t)stream->span.size,
      .last = last != 0,
  };
  if (vendor.copy)
    AXM_TRY(axm_configure_from(agent, arguments, stream));
  const struct axm_engine_transfer all = {
      .address = stream->transfer.address,
      .source = stream->transfer.source,
      .bytes = stream->parts.bytes,
      .last = true,
  };
  const enum axm_status status = axm_engine_check(stream->parts.engine, &all);
  if (status == AXM_ERROR_RANGE)
    return refuse(arguments, "offset",
                  "the engine does not realign, or has too few address bits for the buffer: give "
                  "multiples of its data width, and memory that it reaches");
  return status;
}
