/* The design that is not there: see fake.h. */
#include "fake.h"

#include <string.h>

#include "generated/counter.h"
#include "generated/dma.h"
#include "generated/id.h"
#include "generated/monitor.h"
#include "generated/sniffer.h"
#include "generated/stream_loopback.h"
#include "generated/stream_sink.h"
#include "generated/stream_source.h"
#include "generated/traffic.h"

static const uint32_t types[FAKE_BLOCKS] = {
    AXM_BLOCK_ID,      AXM_BLOCK_COUNTER, AXM_BLOCK_DMA,      AXM_BLOCK_LOOPBACK, AXM_BLOCK_MONITOR,
    AXM_BLOCK_SNIFFER, AXM_BLOCK_DMA,     AXM_BLOCK_LOOPBACK, AXM_BLOCK_MONITOR,  AXM_BLOCK_SNIFFER,
    AXM_BLOCK_TRAFFIC, AXM_BLOCK_SOURCE,  AXM_BLOCK_SINK,     AXM_BLOCK_DMA};

uint32_t fake_block(uint32_t port, uint32_t of_port_0) { return of_port_0 + port * FAKE_PER_PORT; }

uint32_t *fake_word(struct fake_design *design, uint32_t block, uint32_t offset) {
  return &design->word[block][offset / 4];
}

static uint32_t read_traffic(struct fake_design *design, uint32_t offset) {
  uint32_t busy = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    if (design->traffic_due[i] != 0 &&
        (design->hang || design->target->now_ns < design->traffic_due[i]))
      busy |= 1u << i;
    if (offset == (i == 0 ? AXM_TRAFFIC_READ_ERRORS : AXM_TRAFFIC_WRITE_ERRORS))
      return design->traffic_errors[i];
  }
  if (offset == AXM_TRAFFIC_STATUS)
    return busy | (busy == 0 ? AXM_TRAFFIC_STATUS__READY_MASK : 0);
  return *fake_word(design, FAKE_TRAFFIC, offset);
}

static void write_traffic(struct fake_design *design, uint32_t offset, uint32_t value) {
  if (offset != AXM_TRAFFIC_CONTROL) {
    *fake_word(design, FAKE_TRAFFIC, offset) = value;
    return;
  }
  for (uint32_t i = 0; i < 2; ++i) {
    if ((value >> i & 1u) != 0)
      design->traffic_due[i] = design->target->now_ns + 5000;
    if ((value >> (2 + i) & 1u) != 0 && !design->never_clean)
      design->traffic_due[i] = 0;
  }
}

static uint32_t read_other(struct fake_design *design, uint32_t block, uint32_t offset) {
  const uint64_t clocks = design->target->now_ns / FAKE_CLOCK_NS;
  if (types[block] == AXM_BLOCK_COUNTER && offset == AXM_COUNTER_TIME_LO) {
    design->latched_high = (uint32_t)(clocks >> 32);
    return (uint32_t)clocks;
  }
  if (types[block] == AXM_BLOCK_COUNTER && offset == AXM_COUNTER_TIME_HI)
    return design->latched_high;
  if (types[block] == AXM_BLOCK_SNIFFER && offset == AXM_SNIFFER_STATUS)
    return *fake_word(design, block, AXM_SNIFFER_CTRL) != 0 ? AXM_SNIFFER_STATUS__ARMED_MASK : 0;
  return *fake_word(design, block, offset);
}

static void write_other(struct fake_design *design, uint32_t block, uint32_t offset,
                        uint32_t value) {
  if (types[block] == AXM_BLOCK_MONITOR && offset == AXM_MONITOR_CONTROL) {
    uint32_t *status = fake_word(design, block, AXM_MONITOR_STATUS);
    if ((value & AXM_MONITOR_CONTROL__CLEAR_MASK) != 0)
      memset(fake_word(design, block, AXM_MONITOR_COUNTERS_READ_DATA_LO), 0, 0x1a0);
    if ((value & AXM_MONITOR_CONTROL__START_MASK) != 0)
      *status |= AXM_MONITOR_STATUS__RUNNING_MASK;
    if ((value & AXM_MONITOR_CONTROL__STOP_MASK) != 0)
      *status &= ~AXM_MONITOR_STATUS__RUNNING_MASK;
    return;
  }
  if (types[block] == AXM_BLOCK_SNIFFER && offset == AXM_SNIFFER_CTRL && value != 0)
    memset(fake_word(design, block, AXM_SNIFFER_LENGTHS), 0, 0x80);
  *fake_word(design, block, offset) = value;
}

/* Block and offset of an address; false if there is none. */
static bool locate(uint64_t address, uint32_t *block, uint32_t *offset) {
  if (address < FAKE_BASE || address >= FAKE_BASE + ((uint64_t)FAKE_BLOCKS << 12))
    return false;
  *block = (uint32_t)((address - FAKE_BASE) >> 12);
  *offset = (uint32_t)(address & 0xfff);
  return true;
}

static enum axm_status fake_read(void *self, uint64_t address, uint32_t *value) {
  struct fake_design *design = self;
  uint32_t block = 0;
  uint32_t offset = 0;
  if (!locate(address, &block, &offset))
    return AXM_ERROR_BUS;
  if (types[block] == AXM_BLOCK_DMA)
    *value = fake_read_dma(design, block, offset);
  else if (types[block] == AXM_BLOCK_TRAFFIC)
    *value = read_traffic(design, offset);
  else
    *value = read_other(design, block, offset);
  return AXM_OK;
}

static enum axm_status fake_write(void *self, uint64_t address, uint32_t value) {
  struct fake_design *design = self;
  uint32_t block = 0;
  uint32_t offset = 0;
  if (!locate(address, &block, &offset))
    return AXM_ERROR_BUS;
  if (types[block] == AXM_BLOCK_DMA)
    fake_write_dma(design, block, offset, value);
  else if (types[block] == AXM_BLOCK_TRAFFIC)
    write_traffic(design, offset, value);
  else
    write_other(design, block, offset, value);
  return AXM_OK;
}

static bool fake_irq(void *self) {
  struct fake_design *design = self;
  for (uint32_t block = 0; block < FAKE_BLOCKS; ++block) {
    if (types[block] != AXM_BLOCK_DMA)
      continue;
    fake_work(design, block, 0);
    fake_work(design, block, 1);
    if ((design->dma[fake_engine(block)].irq & *fake_word(design, block, AXM_DMA_IRQ_ENABLE)) != 0)
      return true;
  }
  return false;
}

static uint32_t port_of(uint32_t block) {
  return block >= FAKE_PORT0 && block < FAKE_TRAFFIC ? (block - FAKE_PORT0) / FAKE_PER_PORT
                                                     : AXM_NO_PORT;
}

static uint32_t version_of(uint32_t type) {
  return type == AXM_BLOCK_TRAFFIC ? AXM_TRAFFIC_MAP_VERSION
         : type == AXM_BLOCK_DMA   ? AXM_DMA_MAP_VERSION
                                   : 1;
}

const struct axm_hal *fake_design(struct fake_design *design, struct axm_test_target *target) {
  const struct axm_test_device device = {
      .self = design, .read32 = fake_read, .write32 = fake_write, .irq = fake_irq};
  memset(design, 0, sizeof *design);
  design->target = target;
  for (uint32_t block = 0; block < FAKE_BLOCKS; ++block) {
    *fake_word(design, block, AXM_ID_ID) = types[block] | version_of(types[block]) << 16;
    *fake_word(design, 0, AXM_ID_TABLE + 4 * block) =
        types[block] | port_of(block) << 16 | (port_of(block) & 0xfu) << 24;
    if (types[block] == AXM_BLOCK_DMA)
      *fake_word(design, block, AXM_DMA_CAPS) = 3u | (block == FAKE_COPY ? 0xCu : 0) | 1u << 6 |
                                                8u << 8 | (uint32_t)FAKE_QUEUE << 16 | 32u << 24;
    if (types[block] == AXM_BLOCK_LOOPBACK)
      *fake_word(design, block, AXM_STREAM_LOOPBACK_CAPS) = 512u | FAKE_BEAT << 16 | 4u << 24;
    if (types[block] == AXM_BLOCK_SNIFFER)
      *fake_word(design, block, AXM_SNIFFER_CAPS) = 2u | 4u << 8 | 32u << 16 | 32u << 24;
    if (types[block] == AXM_BLOCK_SNIFFER)
      *fake_word(design, block, AXM_SNIFFER_CAPS2) = 2u;
    if (types[block] == AXM_BLOCK_TRAFFIC)
      *fake_word(design, block, AXM_TRAFFIC_CAPS) = FAKE_BEAT | 64u << 8 | 32u << 16 | 4u << 24;
  }
  *fake_word(design, 0, AXM_ID_MAGIC) = AXM_MAGIC;
  *fake_word(design, 0, AXM_ID_VERSION) = 0x000203u;
  *fake_word(design, 0, AXM_ID_CLOCK_HZ) = 1000000000u / FAKE_CLOCK_NS;
  *fake_word(design, 0, AXM_ID_BLOCKS) = FAKE_BLOCKS;
  *fake_word(design, 0, AXM_ID_DESIGN) = 1u | (uint32_t)FAKE_PORTS << 8 | FAKE_BEAT << 16;
  return axm_hal_test(target, &device);
}
