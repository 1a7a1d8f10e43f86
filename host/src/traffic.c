/* The traffic generator: see axm/traffic.h. */
#include "axm/traffic.h"

#include <stddef.h>

#include "counters.h"
#include "generated/traffic.h"
#include "registers.h"

enum { UNIT_CLOCKS = 64, AXI3_BEATS = 16 };

#define STEP (AXM_TRAFFIC_WRITE_BASE_LO - AXM_TRAFFIC_READ_BASE_LO)
#define ERROR_STEP (AXM_TRAFFIC_WRITE_ERRORS - AXM_TRAFFIC_READ_ERRORS)
_Static_assert(AXM_TRAFFIC_WRITE_USER - AXM_TRAFFIC_READ_USER == STEP, "directions differ");
_Static_assert(AXM_TRAFFIC_WRITE_ERROR_ADDRESS_HI - AXM_TRAFFIC_READ_ERROR_ADDRESS_HI == ERROR_STEP,
               "errors differ");

static uint32_t at(enum axm_dma_half half, uint32_t reading) {
  return half == AXM_DMA_WRITE ? reading + STEP : reading;
}

enum axm_status axm_traffic_open(struct axm_traffic *traffic, const struct axm_block_info *info) {
  if (info->type != AXM_TRAFFIC_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_TRAFFIC_MAP_VERSION)
    return AXM_ERROR_VERSION;
  *traffic = (struct axm_traffic){.block = info->block, .caps = info->caps};
  return AXM_OK;
}

void axm_traffic_describe(const struct axm_traffic *traffic, struct axm_traffic_caps *caps) {
  const uint32_t word = traffic->caps;
  *caps = (struct axm_traffic_caps){
      .beat_bytes = AXM_GET(word, AXM_TRAFFIC_CAPS__WIDTH_BYTES),
      .outstanding = AXM_GET(word, AXM_TRAFFIC_CAPS__OUTSTANDING),
      .address_bits = AXM_GET(word, AXM_TRAFFIC_CAPS__ADDRESS_BITS),
      .axi3 = AXM_GET(word, AXM_TRAFFIC_CAPS__AXI3) != 0,
      .user_bits = AXM_GET(word, AXM_TRAFFIC_CAPS__USER_BITS),
  };
}

static enum axm_status check(const struct axm_traffic_caps *caps,
                             const struct axm_traffic_config *config) {
  const uint32_t longest = caps->axi3 ? AXI3_BEATS : AXM_MOST(AXM_TRAFFIC_READ_SHAPE__LEN) + 1;
  if (config->burst_beats == 0 || config->burst_beats > longest)
    return AXM_ERROR_RANGE;
  if (config->outstanding == 0 || config->outstanding > caps->outstanding)
    return AXM_ERROR_RANGE;
  if (config->gap > AXM_MOST(AXM_TRAFFIC_READ_SHAPE__GAP) ||
      config->cache > AXM_MOST(AXM_TRAFFIC_READ_MODE__CACHE) ||
      config->prot > AXM_MOST(AXM_TRAFFIC_READ_MODE__PROT) ||
      config->qos > AXM_MOST(AXM_TRAFFIC_READ_MODE__QOS))
    return AXM_ERROR_RANGE;
  if (config->region == 0 || config->region > UINT64_C(1) << 32)
    return AXM_ERROR_RANGE;
  if (caps->user_bits < 32 && config->user >> caps->user_bits != 0)
    return AXM_ERROR_RANGE;
  if (caps->beat_bytes == 0 || config->base % caps->beat_bytes != 0)
    return AXM_ERROR_RANGE;
  if (!axm_reaches(caps->address_bits, config->base, config->region))
    return AXM_ERROR_RANGE;
  if ((unsigned)config->pattern > AXM_TRAFFIC_RANDOM || (unsigned)config->stop > AXM_TRAFFIC_NEVER)
    return AXM_ERROR_ARGUMENT;
  if (config->pattern == AXM_TRAFFIC_STRIDED &&
      (config->stride > config->region || config->stride % caps->beat_bytes != 0))
    return AXM_ERROR_RANGE;
  return AXM_OK;
}

/* The registers' values for a requested configuration. */
struct plan {
  uint32_t step, final_offset, limit, tail_beats, stop, gap;
};

enum { STOP_AT_ONCE = 1 }; /* MODE.STOP: nothing to do */

static enum axm_status plan_of(const struct axm_traffic_caps *caps, enum axm_dma_half half,
                               const struct axm_traffic_config *config, struct plan *plan) {
  const bool stepping = config->pattern != AXM_TRAFFIC_RANDOM;
  const bool contiguous = config->pattern == AXM_TRAFFIC_CONTIGUOUS;
  uint64_t bursts = config->limit;
  *plan =
      (struct plan){.step = contiguous ? config->burst_beats * caps->beat_bytes : config->stride,
                    .tail_beats = config->burst_beats,
                    .stop = (uint32_t)config->stop,
                    .gap = config->gap};
  if (stepping && plan->step != 0)
    plan->final_offset = (uint32_t)((config->region - 1) / plan->step * plan->step);
  if (config->stop == AXM_TRAFFIC_BYTES && bursts != 0) {
    const uint64_t beats = (bursts + caps->beat_bytes - 1) / caps->beat_bytes;
    bursts = (beats + config->burst_beats - 1) / config->burst_beats;
    plan->tail_beats = (uint32_t)(beats - (bursts - 1) * config->burst_beats);
    plan->stop = AXM_TRAFFIC_BURSTS;
  }
  if (bursts == 0 && config->stop != AXM_TRAFFIC_NEVER)
    plan->stop = STOP_AT_ONCE;
  plan->limit = bursts == 0 ? 0 : (uint32_t)(bursts - 1);
  /* A read's gap is counted from its address. */
  if (half == AXM_DMA_READ && config->gap != 0)
    plan->gap += config->burst_beats - 1;
  return plan->gap > AXM_MOST(AXM_TRAFFIC_READ_SHAPE__GAP) ? AXM_ERROR_RANGE : AXM_OK;
}

/* Bytes from the base to the end of the furthest beat that the direction can reach. */
static uint64_t reach_of(const struct axm_traffic_caps *caps,
                         const struct axm_traffic_config *config, const struct plan *plan) {
  const uint64_t whole = (uint64_t)config->burst_beats * caps->beat_bytes;
  const uint64_t tail = (uint64_t)plan->tail_beats * caps->beat_bytes;
  const bool counted = plan->stop == AXM_TRAFFIC_BURSTS;
  if (plan->stop == STOP_AT_ONCE)
    return 0;
  if (config->pattern == AXM_TRAFFIC_RANDOM) {
    /* Offsets are masked, not wrapped; the bits below a beat are none of theirs. */
    const uint64_t most = config->stride - config->stride % caps->beat_bytes;
    return most + (counted && plan->limit == 0 ? tail : whole);
  }
  /* Bursts begin at 0, step, ... and after `final_offset` at 0 again; a step of 0 stays there. */
  const uint64_t places = plan->step == 0 ? 0 : plan->final_offset / plan->step;
  if (!counted || plan->limit > places)
    return plan->final_offset + whole;
  const uint64_t last = (uint64_t)plan->limit * plan->step;
  const uint64_t before = plan->limit == 0 ? 0 : last - plan->step + whole;
  return last + tail > before ? last + tail : before;
}

static enum axm_status examine(const struct axm_traffic *traffic, enum axm_dma_half half,
                               const struct axm_traffic_config *config, struct plan *plan) {
  struct axm_traffic_caps caps;
  axm_traffic_describe(traffic, &caps);
  AXM_TRY(check(&caps, config));
  AXM_TRY(plan_of(&caps, half, config, plan));
  /* Beats are moved whole: what does not fit would be written behind the region. */
  return reach_of(&caps, config, plan) > config->region ? AXM_ERROR_RANGE : AXM_OK;
}

enum axm_status axm_traffic_check(const struct axm_traffic *traffic, enum axm_dma_half half,
                                  const struct axm_traffic_config *config) {
  struct plan plan;
  return examine(traffic, half, config, &plan);
}

enum axm_status axm_traffic_configure(const struct axm_traffic *traffic, enum axm_dma_half half,
                                      const struct axm_traffic_config *config) {
  const struct axm_block *block = &traffic->block;
  struct plan plan;
  AXM_TRY(examine(traffic, half, config, &plan));
  bool reading = false;
  bool writing = false;
  AXM_TRY(axm_traffic_busy(traffic, &reading, &writing));
  if (half == AXM_DMA_WRITE ? writing : reading)
    return AXM_ERROR_BUSY;
  AXM_TRY(axm_write64(block, at(half, AXM_TRAFFIC_READ_BASE_LO), config->base));
  AXM_TRY(axm_write(block, at(half, AXM_TRAFFIC_READ_FINAL), plan.final_offset));
  AXM_TRY(axm_write(block, at(half, AXM_TRAFFIC_READ_STEP), plan.step));
  AXM_TRY(axm_write(block, at(half, AXM_TRAFFIC_READ_LIMIT), plan.limit));
  AXM_TRY(axm_write(block, at(half, AXM_TRAFFIC_READ_SHAPE),
                    AXM_PUT(config->burst_beats - 1, AXM_TRAFFIC_READ_SHAPE__LEN) |
                        AXM_PUT(plan.gap, AXM_TRAFFIC_READ_SHAPE__GAP) |
                        AXM_PUT(config->outstanding, AXM_TRAFFIC_READ_SHAPE__OUTSTANDING)));
  const uint32_t checked = config->check && half == AXM_DMA_READ ? 1 : 0;
  AXM_TRY(axm_write(
      block, at(half, AXM_TRAFFIC_READ_MODE),
      AXM_PUT(config->pattern == AXM_TRAFFIC_RANDOM ? 1u : 0u, AXM_TRAFFIC_READ_MODE__RANDOM) |
          AXM_PUT(plan.stop, AXM_TRAFFIC_READ_MODE__STOP) |
          AXM_PUT(plan.tail_beats - 1, AXM_TRAFFIC_READ_MODE__TAIL) |
          AXM_PUT(checked, AXM_TRAFFIC_READ_MODE__CHECK) |
          AXM_PUT(config->cache, AXM_TRAFFIC_READ_MODE__CACHE) |
          AXM_PUT(config->prot, AXM_TRAFFIC_READ_MODE__PROT) |
          AXM_PUT(config->qos, AXM_TRAFFIC_READ_MODE__QOS)));
  return axm_write(block, at(half, AXM_TRAFFIC_READ_USER), config->user);
}

enum axm_status axm_traffic_set_seed(const struct axm_traffic *traffic, uint32_t seed) {
  return axm_write(&traffic->block, AXM_TRAFFIC_SEED, seed);
}

enum axm_status axm_traffic_set_timeout(const struct axm_traffic *traffic, uint32_t clocks) {
  const uint32_t units = clocks / UNIT_CLOCKS + (clocks % UNIT_CLOCKS != 0 ? 1 : 0);
  if (units > AXM_MOST(AXM_TRAFFIC_TIMEOUT__VALUE))
    return AXM_ERROR_RANGE;
  return axm_write(&traffic->block, AXM_TRAFFIC_TIMEOUT, units);
}

enum axm_status axm_traffic_busy(const struct axm_traffic *traffic, bool *read, bool *write) {
  uint32_t word = 0;
  AXM_TRY(axm_read(&traffic->block, AXM_TRAFFIC_STATUS, &word));
  *read = AXM_GET(word, AXM_TRAFFIC_STATUS__READ_BUSY) != 0;
  *write = AXM_GET(word, AXM_TRAFFIC_STATUS__WRITE_BUSY) != 0;
  return AXM_OK;
}

enum axm_status axm_traffic_prepare(const struct axm_traffic *traffic, bool read, bool write,
                                    struct axm_start *start) {
  bool reading = false;
  bool writing = false;
  AXM_TRY(axm_traffic_busy(traffic, &reading, &writing));
  if ((read && reading) || (write && writing))
    return AXM_ERROR_BUSY;
  /* So that the start acts in the clock in which it is written. */
  uint32_t word = 0;
  if (!reading && !writing)
    AXM_TRY(axm_settle(&traffic->block, AXM_TRAFFIC_STATUS, AXM_TRAFFIC_STATUS__READY_MASK,
                       AXM_TRAFFIC_STATUS__READY_MASK, &word));
  *start = (struct axm_start){.address = traffic->block.base + AXM_TRAFFIC_CONTROL,
                              .value = (read ? AXM_TRAFFIC_CONTROL__START_READ_MASK : 0) |
                                       (write ? AXM_TRAFFIC_CONTROL__START_WRITE_MASK : 0)};
  return AXM_OK;
}

enum axm_status axm_traffic_stop(const struct axm_traffic *traffic, bool read, bool write) {
  return axm_write(&traffic->block, AXM_TRAFFIC_CONTROL,
                   (read ? AXM_TRAFFIC_CONTROL__STOP_READ_MASK : 0) |
                       (write ? AXM_TRAFFIC_CONTROL__STOP_WRITE_MASK : 0));
}

enum axm_status axm_traffic_forget(const struct axm_traffic *traffic) {
  return axm_write(&traffic->block, AXM_TRAFFIC_CONTROL, AXM_TRAFFIC_CONTROL__RESET_MASK);
}

enum axm_status axm_traffic_read_errors(const struct axm_traffic *traffic, enum axm_dma_half half,
                                        struct axm_traffic_errors *errors) {
  const uint32_t step = half == AXM_DMA_WRITE ? ERROR_STEP : 0;
  uint32_t word = 0;
  AXM_TRY(axm_read(&traffic->block, AXM_TRAFFIC_READ_ERRORS + step, &word));
  errors->count = AXM_GET(word, AXM_TRAFFIC_READ_ERRORS__COUNT);
  errors->kinds = word & ~AXM_TRAFFIC_READ_ERRORS__COUNT_MASK;
  return axm_read64(&traffic->block, AXM_TRAFFIC_READ_ERROR_ADDRESS_LO + step, &errors->address);
}

const char *axm_traffic_error_name(uint32_t kinds, uint32_t nth) {
  static const struct {
    uint32_t mask;
    const char *name;
  } names[] = {
      {AXM_TRAFFIC_READ_ERRORS__SLVERR_MASK, "slverr"},
      {AXM_TRAFFIC_READ_ERRORS__DECERR_MASK, "decerr"},
      {AXM_TRAFFIC_READ_ERRORS__LAST_EARLY_MASK, "last_early"},
      {AXM_TRAFFIC_READ_ERRORS__LAST_MISSING_MASK, "last_missing"},
      {AXM_TRAFFIC_READ_ERRORS__WRONG_ID_MASK, "bad_id"},
      {AXM_TRAFFIC_READ_ERRORS__DATA_MASK, "data"},
      {AXM_TRAFFIC_READ_ERRORS__UNEXPECTED_MASK, "unexpected"},
      {AXM_TRAFFIC_READ_ERRORS__REFUSED_MASK, "refused"},
      {AXM_TRAFFIC_READ_ERRORS__TIMEOUT_ADDRESS_MASK, "timeout_address"},
      {AXM_TRAFFIC_READ_ERRORS__TIMEOUT_DATA_MASK, "timeout_data"},
      {AXM_TRAFFIC_READ_ERRORS__TIMEOUT_RESPONSE_MASK, "timeout_response"},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if ((kinds & names[i].mask) != 0 && nth-- == 0)
      return names[i].name;
  }
  return NULL;
}

enum axm_status axm_traffic_counters(const struct axm_traffic *traffic,
                                     struct axm_counters *counters) {
  const struct axm_block *block = &traffic->block;
  uint32_t word = 0;
  AXM_TRY(axm_write(block, AXM_TRAFFIC_CONTROL, AXM_TRAFFIC_CONTROL__SNAPSHOT_MASK));
  AXM_TRY(
      axm_settle(block, AXM_TRAFFIC_STATUS, AXM_TRAFFIC_STATUS__SNAPSHOT_PENDING_MASK, 0, &word));
  counters->saturated = AXM_GET(word, AXM_TRAFFIC_STATUS__SATURATED) != 0;
  counters->out_of_order = false;
  counters->overrun = AXM_GET(word, AXM_TRAFFIC_STATUS__OVERRUN) != 0;
  return axm_counters_read(block, counters);
}
