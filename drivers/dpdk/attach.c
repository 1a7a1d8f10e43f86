/* A device of DPDK's vdev bus as these drivers see it: see attach.h. */
#include "attach.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_kvargs.h>
#include <rte_memory.h>

#include "axm.h"
#include "log.h"

enum { WINDOW_BYTES = 0x10000 };
enum { USUAL_LENGTH_BITS = 26, USUAL_ADDRESS_BITS = 32, USUAL_DATA_BYTES = 8 };

struct arguments {
  char *registers, *sim, *engine;
  uint64_t base, bytes, port, length_bits, address_bits, data_bytes;
};

static const char *const keys[] = {"registers", "sim",         "engine",       "base",       "size",
                                   "port",      "length_bits", "address_bits", "data_bytes", NULL};
enum { TEXTS = 3 }; /* the first of them */

static int keep_text(const char *key, const char *value, void *into) {
  (void)key;
  char **const text = into;
  free(*text);
  *text = value == NULL ? NULL : strdup(value);
  return *text == NULL ? -EINVAL : 0;
}

static int keep_number(const char *key, const char *value, void *into) {
  char *end = NULL;
  errno = 0;
  *(uint64_t *)into = value == NULL ? 0 : strtoull(value, &end, 0);
  if (value != NULL && end != value && *end == '\0' && errno == 0)
    return 0;
  AXM_LOG(ERR, "%s is not a number: %s", key, value == NULL ? "" : value);
  return -EINVAL;
}

static int parse(struct arguments *arguments, struct rte_vdev_device *vdev) {
  *arguments = (struct arguments){.bytes = WINDOW_BYTES};
  struct rte_kvargs *list = rte_kvargs_parse(rte_vdev_device_args(vdev), keys);
  if (list == NULL) {
    AXM_LOG(ERR, "a device's arguments are " AXM_ARGUMENTS);
    return -EINVAL;
  }
  void *const into[] = {&arguments->registers,   &arguments->sim,          &arguments->engine,
                        &arguments->base,        &arguments->bytes,        &arguments->port,
                        &arguments->length_bits, &arguments->address_bits, &arguments->data_bytes};
  int error = 0;
  for (unsigned i = 0; keys[i] != NULL && error == 0; ++i)
    error = rte_kvargs_process(list, keys[i], i < TEXTS ? keep_text : keep_number, into[i]);
  rte_kvargs_free(list);
  if (error != 0)
    return -EINVAL;
  if ((arguments->registers == NULL) == (arguments->sim == NULL) || arguments->bytes < 4) {
    AXM_LOG(ERR, "give registers=<file> or sim=<socket>");
    return -EINVAL;
  }
  return 0;
}

/* A program that was killed has left the engine running: what it moved since then was in memory
 * that may be another's by now. */
static enum axm_status end_left(const struct axm_dma *dma, enum axm_dma_half half) {
  struct axm_dma_ring left = {.dma = *dma, .half = half};
  bool busy = false;
  const enum axm_status status = axm_dma_busy(dma, half, &busy);
  if (status != AXM_OK || !busy)
    return status;
  AXM_LOG(WARNING,
          "a program that was killed left the engine %s memory; it is stopped now, and what it %s "
          "meanwhile is not known",
          half == AXM_DMA_READ ? "reading" : "writing", half == AXM_DMA_READ ? "sent" : "changed");
  return axm_dma_ring_close(&left, AXM_STOP_NS);
}

/* This project's engine, by rings. */
static enum axm_status open_own(struct axm_attached *attached, const struct arguments *arguments,
                                bool copies) {
  struct axm_own_engine *const own = attached->pair.state.own;
  const uint32_t port = (uint32_t)arguments->port;
  struct axm_device design;
  struct axm_block_info info;
  struct axm_dma dma;
  enum axm_status status = axm_open(&design, &attached->target.hal, arguments->base);
  if (status == AXM_OK)
    status = axm_device_find(&design, AXM_BLOCK_DMA, port, 0, &info);
  if (status == AXM_OK)
    status = axm_dma_open(&dma, &info);
  if (status == AXM_OK && !copies)
    status = end_left(&dma, AXM_DMA_READ);
  if (status == AXM_OK)
    status = end_left(&dma, AXM_DMA_WRITE);
  if (status == AXM_OK)
    status = axm_own_ring_open(&own[0], &dma, copies ? AXM_ENGINE_COPY : AXM_ENGINE_SEND,
                               RTE_CACHE_LINE_SIZE);
  if (status == AXM_OK && !copies)
    status = axm_own_ring_open(&own[1], &dma, AXM_ENGINE_RECEIVE, RTE_CACHE_LINE_SIZE);
  if (status != AXM_OK)
    return status;
  *(copies ? &attached->copy : &attached->send) = &own[0].engine;
  attached->receive = copies ? NULL : &own[1].engine;
  attached->loops = axm_device_find(&design, AXM_BLOCK_LOOPBACK, port, 0, &info) == AXM_OK &&
                    axm_loopback_open(&attached->loopback, &info) == AXM_OK;
  return AXM_OK;
}

static enum axm_status open_pair(struct axm_attached *attached, const struct axm_pair_spec *spec) {
  const enum axm_status status = axm_pair_open(&attached->pair, spec);
  attached->send = attached->pair.send;
  attached->receive = attached->pair.receive;
  return status;
}

/* Another's engine that copies. */
static enum axm_status open_copy(struct axm_attached *attached, const struct axm_pair_spec *spec) {
  struct axm_axi_dma *const dma = &attached->pair.state.axi.dma;
  const bool chained = strcmp(spec->engine, "axi-cdma-sg") == 0;
  if (!chained && strcmp(spec->engine, "axi-cdma") != 0)
    return AXM_ERROR_UNKNOWN;
  *dma = (struct axm_axi_dma){
      .hal = spec->hal,
      .base = spec->base,
      .central = true,
      .scatter_gather = chained,
      .unaligned = true,
      .length_bits = spec->length_bits != 0 ? spec->length_bits : USUAL_LENGTH_BITS,
      .address_bits = spec->address_bits != 0 ? spec->address_bits : USUAL_ADDRESS_BITS,
      .data_bytes = spec->data_bytes != 0 ? spec->data_bytes : USUAL_DATA_BYTES,
  };
  attached->copy = &attached->pair.state.axi.half[0].engine;
  return axm_axi_dma_open(&attached->pair.state.axi.half[0], dma, AXM_ENGINE_COPY);
}

static int open_engines(struct axm_attached *attached, const struct arguments *arguments,
                        bool copies) {
  const bool own = arguments->engine == NULL || strcmp(arguments->engine, "axm") == 0;
  const struct axm_pair_spec spec = {
      .engine = own ? "axm" : arguments->engine,
      .hal = &attached->target.hal,
      .base = arguments->base,
      .length_bits = (uint32_t)arguments->length_bits,
      .address_bits = (uint32_t)arguments->address_bits,
      .data_bytes = (uint32_t)arguments->data_bytes,
      .line_bytes = RTE_CACHE_LINE_SIZE,
  };
  const enum axm_status status = own      ? open_own(attached, arguments, copies)
                                 : copies ? open_copy(attached, &spec)
                                          : open_pair(attached, &spec);
  if (status != AXM_OK)
    AXM_LOG(ERR, "no engine %s at %#" PRIx64 ": %s", spec.engine, spec.base,
            axm_status_text(status));
  return axm_errno(status);
}

static int beyond(const struct rte_memseg_list *list, const struct rte_memseg *segment, void *arg) {
  const uint32_t bits = *(const uint32_t *)arg;
  (void)list;
  return segment->iova == RTE_BAD_IOVA || (segment->iova + segment->len - 1) >> bits != 0;
}

/* Whether the engine reaches DPDK's memory. */
static int check_memory(const struct axm_engine *engine) {
  uint32_t bits = engine->limits.address_bits;
  if (bits >= 64 || rte_memseg_walk_thread_unsafe(beyond, &bits) == 0)
    return 0;
  AXM_LOG(ERR,
          "the engine has %u address bits, and DPDK's memory is beyond them: reserve memory lower, "
          "or run with --base-virtaddr=0x10000000 where bus addresses are virtual",
          bits);
  return -EFAULT;
}

int axm_attach(struct axm_attached *attached, struct rte_vdev_device *vdev, bool copies) {
  struct arguments arguments;
  int error = parse(&arguments, vdev);
  if (error == 0)
    error = axm_target_open(&attached->target, rte_vdev_device_name(vdev), arguments.registers,
                            arguments.sim, arguments.base, arguments.bytes);
  if (error == 0) {
    error = open_engines(attached, &arguments, copies);
    if (error == 0)
      error = check_memory(copies ? attached->copy : attached->receive);
    if (error != 0)
      axm_target_close(&attached->target);
  }
  free(arguments.registers);
  free(arguments.sim);
  free(arguments.engine);
  return error;
}

void axm_detach(struct axm_attached *attached) { axm_target_close(&attached->target); }

int axm_errno(enum axm_status status) {
  switch (status) {
  case AXM_OK:
    return 0;
  case AXM_ERROR_ARGUMENT:
  case AXM_ERROR_RANGE:
    return -EINVAL;
  case AXM_ERROR_TIMEOUT:
    return -ETIMEDOUT;
  case AXM_ERROR_MEMORY:
    return -ENOMEM;
  case AXM_ERROR_BUSY:
    return -EBUSY;
  case AXM_ERROR_FULL:
    return -ENOSPC;
  case AXM_ERROR_UNSUPPORTED:
    return -ENOTSUP;
  case AXM_ERROR_MAGIC:
  case AXM_ERROR_VERSION:
  case AXM_ERROR_TYPE:
  case AXM_ERROR_DEAD:
    return -ENODEV;
  default:
    return -EIO;
  }
}
