/* A DMA device of DPDK over an engine that copies memory: dma_axm.
 *
 * One virtual channel. Copies are done in the order in which they were given, so fences cost
 * nothing. A copy that fails is reported with its cause; the engine then restarts with the
 * copies behind it.
 *
 * Limits: no scatter-gather, no fill; jobs beyond the engine's queue are submitted when the program
 * polls for completions.
 */
#include <errno.h>
#include <string.h>

#include <bus_vdev_driver.h>
#include <rte_dmadev_pmd.h>
#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_malloc.h>

#include "attach.h"
#include "log.h"

enum { LEAST_JOBS = 32, MOST_JOBS = 4096 };

/* Job n is at place n modulo `jobs`. Numbers, modulo 65536, in this order: reported to the program,
 * ended, with the engine, given by the program's submit, made. */
struct channel {
  struct axm_attached attached;
  struct axm_engine *engine;
  struct axm_engine_transfer *job;
  uint16_t jobs;
  uint16_t reported, ended, with_engine, given, made;
  bool failed; /* job `ended` failed; the engine is stopped */
  bool dead;   /* the engine is stopped and does not restart */
  enum rte_dma_status_code cause;
  struct rte_dma_stats stats;
};

static uint16_t distance(uint16_t from, uint16_t to) { return (uint16_t)(to - from); }

static enum rte_dma_status_code code_of(enum axm_engine_cause cause) {
  switch (cause) {
  case AXM_ENGINE_OK:
    return RTE_DMA_STATUS_SUCCESSFUL;
  case AXM_ENGINE_DECODE:
    return RTE_DMA_STATUS_INVALID_ADDR;
  case AXM_ENGINE_SLAVE:
  case AXM_ENGINE_TIMEOUT:
    return RTE_DMA_STATUS_BUS_ERROR;
  case AXM_ENGINE_DESCRIPTOR:
    return RTE_DMA_STATUS_DESCRIPTOR_READ_ERROR;
  case AXM_ENGINE_ABORTED:
    return RTE_DMA_STATUS_USER_ABORT;
  default:
    return RTE_DMA_STATUS_ERROR_UNKNOWN;
  }
}

/* Gives the engine what it has room for; all of it with one doorbell. */
static void feed(struct channel *channel) {
  const struct axm_engine_ops *ops = channel->engine->ops;
  const uint16_t before = channel->with_engine;
  if (channel->failed || channel->dead)
    return;
  while (channel->with_engine != channel->given &&
         distance(channel->ended, channel->with_engine) < channel->engine->limits.queue &&
         ops->submit(channel->engine, &channel->job[channel->with_engine & (channel->jobs - 1)]) ==
             AXM_OK)
    ++channel->with_engine;
  if (channel->with_engine != before && ops->give(channel->engine) != AXM_OK)
    channel->dead = true;
}

/* Takes what has ended from the engine, up to a failure, and gives it more. */
static void look(struct channel *channel) {
  struct axm_engine_done done;
  while (!channel->failed && !channel->dead && channel->ended != channel->with_engine) {
    const enum axm_status status = channel->engine->ops->poll(channel->engine, &done);
    if (status == AXM_ERROR_EMPTY)
      break;
    if (likely(status == AXM_OK && done.cause == AXM_ENGINE_OK)) {
      ++channel->ended;
      continue;
    }
    channel->failed = true;
    channel->cause = status == AXM_OK ? code_of(done.cause) : RTE_DMA_STATUS_ERROR_UNKNOWN;
  }
  feed(channel);
}

static int start_engine(struct channel *channel) {
  const struct axm_engine_config config = {.queue = channel->engine->limits.queue,
                                           .coherent = true};
  const enum axm_status status = channel->engine->ops->start(channel->engine, &config);
  if (status != AXM_OK)
    AXM_LOG(ERR, "the engine does not start: %s", axm_status_text(status));
  return axm_errno(status);
}

static int stop_engine(struct channel *channel) {
  const enum axm_status status = channel->engine->ops->stop(channel->engine, AXM_STOP_NS);
  if (status != AXM_OK)
    AXM_LOG(ERR, "the engine does not stop: %s", axm_status_text(status));
  return axm_errno(status);
}

/* After the failed job was reported: the engine restarts behind it. */
static void go_on(struct channel *channel) {
  channel->failed = false;
  channel->with_engine = channel->ended;
  channel->dead = stop_engine(channel) != 0 || start_engine(channel) != 0;
  feed(channel);
}

/* ---- what programs call ---------------------------------------------------------------------- */

static int submit(void *of, uint16_t vchan) {
  struct channel *channel = of;
  (void)vchan;
  channel->stats.submitted += distance(channel->given, channel->made);
  channel->given = channel->made;
  feed(channel);
  return channel->dead ? -EIO : 0;
}

static int copy(void *of, uint16_t vchan, rte_iova_t source, rte_iova_t destination, uint32_t bytes,
                uint64_t flags) {
  struct channel *channel = of;
  const struct axm_engine_transfer job = {
      .address = destination, .source = source, .bytes = bytes, .last = true};
  if (unlikely(distance(channel->reported, channel->made) == channel->jobs))
    return -ENOSPC;
  if (unlikely(axm_engine_check(channel->engine, &job) != AXM_OK))
    return -EINVAL;
  const uint16_t id = channel->made++;
  channel->job[id & (channel->jobs - 1)] = job;
  if ((flags & RTE_DMA_OP_FLAG_SUBMIT) != 0)
    (void)submit(channel, vchan);
  return id;
}

static uint16_t report(struct channel *channel, uint16_t most) {
  look(channel);
  const uint16_t count = RTE_MIN(most, distance(channel->reported, channel->ended));
  channel->reported += count;
  channel->stats.completed += count;
  return count;
}

static uint16_t completed(void *of, uint16_t vchan, uint16_t most, uint16_t *last, bool *error) {
  struct channel *channel = of;
  (void)vchan;
  const uint16_t count = report(channel, most);
  *last = channel->reported - 1;
  if (channel->failed && channel->reported == channel->ended)
    *error = true;
  return count;
}

static uint16_t completed_status(void *of, uint16_t vchan, uint16_t most, uint16_t *last,
                                 enum rte_dma_status_code *status) {
  struct channel *channel = of;
  (void)vchan;
  uint16_t count = report(channel, most);
  for (uint16_t i = 0; i < count; ++i)
    status[i] = RTE_DMA_STATUS_SUCCESSFUL;
  if (channel->failed && count < most) {
    status[count++] = channel->cause;
    ++channel->reported;
    ++channel->ended;
    ++channel->stats.completed;
    ++channel->stats.errors;
    go_on(channel);
  }
  *last = channel->reported - 1;
  return count;
}

static uint16_t burst_capacity(const void *of, uint16_t vchan) {
  const struct channel *channel = of;
  (void)vchan;
  return channel->jobs - distance(channel->reported, channel->made);
}

/* ---- the device ------------------------------------------------------------------------------ */

static int info_get(const struct rte_dma_dev *dev, struct rte_dma_info *info, uint32_t bytes) {
  (void)dev, (void)bytes;
  info->dev_capa = RTE_DMA_CAPA_MEM_TO_MEM | RTE_DMA_CAPA_OPS_COPY | RTE_DMA_CAPA_HANDLES_ERRORS;
  info->max_vchans = 1;
  info->min_desc = LEAST_JOBS;
  info->max_desc = MOST_JOBS;
  return 0;
}

static int configure(struct rte_dma_dev *dev, const struct rte_dma_conf *config, uint32_t bytes) {
  (void)dev, (void)config, (void)bytes;
  return 0;
}

static int vchan_setup(struct rte_dma_dev *dev, uint16_t vchan,
                       const struct rte_dma_vchan_conf *config, uint32_t bytes) {
  struct channel *channel = dev->data->dev_private;
  (void)vchan, (void)bytes;
  const uint16_t jobs = (uint16_t)rte_align32pow2(config->nb_desc);
  struct axm_engine_transfer *job = rte_zmalloc(NULL, jobs * sizeof *job, 0);
  if (job == NULL)
    return -ENOMEM;
  rte_free(channel->job);
  channel->job = job;
  channel->jobs = jobs;
  return 0;
}

static int device_start(struct rte_dma_dev *dev) {
  struct channel *channel = dev->data->dev_private;
  if (channel->job == NULL)
    return -EINVAL;
  channel->reported = channel->ended = channel->with_engine = channel->given = channel->made = 0;
  channel->failed = channel->dead = false;
  return start_engine(channel);
}

static int device_stop(struct rte_dma_dev *dev) { return stop_engine(dev->data->dev_private); }

static int device_close(struct rte_dma_dev *dev) {
  struct channel *channel = dev->data->dev_private;
  rte_free(channel->job);
  axm_detach(&channel->attached);
  return 0;
}

static int stats_get(const struct rte_dma_dev *dev, uint16_t vchan, struct rte_dma_stats *stats,
                     uint32_t bytes) {
  const struct channel *channel = dev->data->dev_private;
  (void)vchan, (void)bytes;
  *stats = channel->stats;
  return 0;
}

static int stats_reset(struct rte_dma_dev *dev, uint16_t vchan) {
  struct channel *channel = dev->data->dev_private;
  (void)vchan;
  channel->stats = (struct rte_dma_stats){0};
  return 0;
}

static int vchan_status(const struct rte_dma_dev *dev, uint16_t vchan,
                        enum rte_dma_vchan_status *status) {
  struct channel *channel = dev->data->dev_private;
  (void)vchan;
  look(channel);
  *status = channel->failed || channel->dead         ? RTE_DMA_VCHAN_HALTED_ERROR
            : channel->ended == channel->with_engine ? RTE_DMA_VCHAN_IDLE
                                                     : RTE_DMA_VCHAN_ACTIVE;
  return 0;
}

static int dump(const struct rte_dma_dev *dev, FILE *file) {
  const struct channel *channel = dev->data->dev_private;
  fprintf(file, "engine %s: %u jobs made, %u given, %u with the engine, %u ended, %u reported%s\n",
          channel->engine->ops->name, channel->made, channel->given, channel->with_engine,
          channel->ended, channel->reported,
          channel->dead     ? "; it is stuck"
          : channel->failed ? "; the next job failed"
                            : "");
  return 0;
}

static const struct rte_dma_dev_ops ops = {
    .dev_info_get = info_get,
    .dev_configure = configure,
    .dev_start = device_start,
    .dev_stop = device_stop,
    .dev_close = device_close,
    .vchan_setup = vchan_setup,
    .vchan_status = vchan_status,
    .stats_get = stats_get,
    .stats_reset = stats_reset,
    .dev_dump = dump,
};

static int probe(struct rte_vdev_device *vdev) {
  const char *const name = rte_vdev_device_name(vdev);
  if (rte_eal_process_type() != RTE_PROC_PRIMARY)
    return -ENOTSUP;
  struct rte_dma_dev *dev =
      rte_dma_pmd_allocate(name, (int)rte_socket_id(), sizeof(struct channel));
  if (dev == NULL)
    return -ENOMEM;
  struct channel *channel = dev->data->dev_private;
  const int error = axm_attach(&channel->attached, vdev, true);
  if (error != 0) {
    rte_dma_pmd_release(name);
    return error;
  }
  channel->engine = channel->attached.copy;
  dev->device = &vdev->device;
  dev->dev_ops = &ops;
  dev->fp_obj->dev_private = channel;
  dev->fp_obj->copy = copy;
  dev->fp_obj->submit = submit;
  dev->fp_obj->completed = completed;
  dev->fp_obj->completed_status = completed_status;
  dev->fp_obj->burst_capacity = burst_capacity;
  dev->state = RTE_DMA_DEV_READY;
  return 0;
}

static int take_away(struct rte_vdev_device *vdev) {
  const char *const name = rte_vdev_device_name(vdev);
  const int id = rte_dma_get_dev_id_by_name(name);
  const int error = id < 0 ? 0 : rte_dma_stop((int16_t)id);
  return error != 0 ? error : rte_dma_pmd_release(name);
}

static struct rte_vdev_driver driver = {.probe = probe, .remove = take_away};

RTE_PMD_REGISTER_VDEV(dma_axm, driver);
RTE_PMD_REGISTER_PARAM_STRING(dma_axm, AXM_ARGUMENTS);
