/* Tests of the library on the design that is not there. */
#include <string.h>

#include "axm.h"
#include "check.h"
#include "fake.h"
#include "generated/dma.h"

static struct axm_test_target target;
static struct fake_design design;

static const struct axm_hal *fresh(struct axm_device *device) {
  const struct axm_hal *hal = fake_design(&design, &target);
  CHECK_EQUAL(axm_open(device, hal, FAKE_BASE), AXM_OK);
  return hal;
}

static struct axm_block_info block(const struct axm_device *device, uint32_t index) {
  struct axm_block_info info = {0};
  CHECK_EQUAL(axm_device_block(device, index, &info), AXM_OK);
  return info;
}

static enum axm_status no_bitstream(void *self) {
  (void)self;
  return AXM_ERROR_FABRIC;
}

void test_device(void) {
  struct axm_device device;
  struct axm_device_info about;
  struct axm_block_info info;
  const struct axm_hal *hal = fresh(&device);
  CHECK_EQUAL(axm_device_describe(&device, &about), AXM_OK);
  CHECK_EQUAL(about.clock_hz, 100000000);
  CHECK_EQUAL(about.minor, 2);
  CHECK_EQUAL(about.patch, 3);
  CHECK_EQUAL(about.blocks, FAKE_BLOCKS);
  CHECK_EQUAL(about.data_bytes, 8);
  CHECK_EQUAL(axm_device_find(&device, AXM_BLOCK_DMA, 1, 0, &info), AXM_OK);
  CHECK_EQUAL(info.index, fake_block(1, FAKE_DMA0));
  CHECK_EQUAL(axm_device_find(&device, AXM_BLOCK_DMA, AXM_NO_PORT, 2, &info), AXM_OK);
  CHECK_EQUAL(info.index, FAKE_COPY);
  CHECK_EQUAL(axm_device_find(&device, AXM_BLOCK_RAM, AXM_NO_PORT, 0, &info), AXM_ERROR_TYPE);
  CHECK_EQUAL(axm_device_block(&device, FAKE_BLOCKS, &info), AXM_ERROR_TYPE);
  struct axm_dma dma;
  info = block(&device, FAKE_COUNTER);
  CHECK_EQUAL(axm_dma_open(&dma, &info), AXM_ERROR_TYPE);
  info = block(&device, FAKE_DMA0);
  info.map_version = AXM_DMA_MAP_VERSION + 1;
  CHECK_EQUAL(axm_dma_open(&dma, &info), AXM_ERROR_VERSION);
  /* The window reports another block than the table. */
  design.word[FAKE_SINK][0] = AXM_BLOCK_RAM;
  CHECK_EQUAL(axm_device_block(&device, FAKE_SINK, &info), AXM_ERROR_TYPE);
  CHECK_EQUAL(axm_open(&device, hal, FAKE_BASE + 0x1000), AXM_ERROR_MAGIC);
  CHECK_EQUAL(axm_open(&device, hal, 0), AXM_ERROR_BUS);
  /* A bus error at any access comes out as one. */
  for (uint64_t at = 1; at <= 3; ++at) {
    target.fail_at = target.accesses + at;
    CHECK_EQUAL(axm_open(&device, hal, FAKE_BASE), AXM_ERROR_BUS);
  }
  target.fail_at = 0;
  /* A fabric without a bitstream is not touched. */
  const uint64_t before = target.accesses;
  target.hal.fabric = no_bitstream;
  CHECK_EQUAL(axm_open(&device, hal, FAKE_BASE), AXM_ERROR_FABRIC);
  CHECK_EQUAL(target.accesses, before);
  target.hal.fabric = NULL;
  design.word[0][6] = 65;
  CHECK_EQUAL(axm_open(&device, hal, FAKE_BASE), AXM_ERROR_MAGIC);
  for (int status = 0; status < AXM_STATUS_COUNT; ++status)
    CHECK(strlen(axm_status_name((enum axm_status)status)) > 1 &&
          strlen(axm_status_text((enum axm_status)status)) > 3);
  CHECK(strcmp(axm_status_name(AXM_STATUS_COUNT), "invalid") == 0);
}

static const struct axm_dma_config usual = {
    .burst_beats = 16, .outstanding = 8, .whole_burst = true, .cache = 3};

static struct axm_dma engine(const struct axm_device *device, uint32_t index) {
  struct axm_dma dma = {0};
  const struct axm_block_info info = block(device, index);
  CHECK_EQUAL(axm_dma_open(&dma, &info), AXM_OK);
  return dma;
}

static void test_dma_faults(const struct axm_dma *dma) {
  const struct axm_dma_transfer small = {.address = AXM_TEST_MEMORY_ADDRESS, .bytes = 64};
  struct axm_dma_done done;
  design.fault_block = FAKE_DMA0;
  design.fault_code = AXM_DMA_CODE_DECERR;
  design.fault_bytes = 40;
  CHECK_EQUAL(axm_dma_submit(dma, AXM_DMA_READ, &small), AXM_OK);
  CHECK_EQUAL(axm_dma_wait(dma, AXM_DMA_READ, 1000000, &done), AXM_OK);
  CHECK_EQUAL(done.cause, AXM_DMA_DECERR);
  CHECK_EQUAL(done.bytes, 40);
  design.fault_block = 0;
  design.hang = true;
  CHECK_EQUAL(axm_dma_submit(dma, AXM_DMA_READ, &small), AXM_OK);
  CHECK_EQUAL(axm_dma_configure(dma, AXM_DMA_READ, &usual), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_dma_wait(dma, AXM_DMA_READ, 50000, &done), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(axm_dma_abort(dma, AXM_DMA_READ, 10000), AXM_OK);
  CHECK_EQUAL(axm_dma_poll(dma, AXM_DMA_READ, &done), AXM_OK);
  CHECK_EQUAL(done.cause, AXM_DMA_ABORTED);
  design.never_clean = true;
  CHECK_EQUAL(axm_dma_submit(dma, AXM_DMA_READ, &small), AXM_OK);
  CHECK_EQUAL(axm_dma_abort(dma, AXM_DMA_READ, 10000), AXM_ERROR_TIMEOUT);
  target.hal_dead = true;
  CHECK_EQUAL(axm_dma_wait(dma, AXM_DMA_READ, 50000, &done), AXM_ERROR_DEAD);
  CHECK(strcmp(axm_dma_cause_name(AXM_DMA_TIMEOUT_DATA), "timeout_data") == 0);
  CHECK(strcmp(axm_dma_cause_name((enum axm_dma_cause)15), "invalid") == 0);
}

void test_dma(void) {
  struct axm_device device;
  const struct axm_hal *hal = fresh(&device);
  const struct axm_dma dma = engine(&device, FAKE_DMA0);
  struct axm_dma_caps caps;
  axm_dma_describe(&dma, &caps);
  CHECK(caps.has_read && caps.has_write && !caps.copy && !caps.unaligned);
  CHECK_EQUAL(caps.width_bits, 64);
  CHECK_EQUAL(caps.queue, FAKE_QUEUE);
  struct axm_dma_config bad = usual;
  bad.outstanding = 9;
  CHECK_EQUAL(axm_dma_configure(&dma, AXM_DMA_READ, &bad), AXM_ERROR_RANGE);
  bad = usual;
  bad.burst_beats = 257;
  CHECK_EQUAL(axm_dma_configure(&dma, AXM_DMA_READ, &bad), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_dma_configure(&dma, AXM_DMA_WRITE, &usual), AXM_OK);
  CHECK_EQUAL(design.word[FAKE_DMA0][AXM_DMA_WR_CONFIG / 4], 0x3080F);
  CHECK_EQUAL(design.word[FAKE_DMA0][AXM_DMA_WR_CONTROL / 4], 4);
  CHECK_EQUAL(axm_dma_set_timeout(&dma, 65), AXM_OK);
  CHECK_EQUAL(design.word[FAKE_DMA0][AXM_DMA_TIMEOUT / 4], 2);
  CHECK_EQUAL(axm_dma_set_timeout(&dma, 1u << 22), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_dma_interrupts(&dma, true, true, 256, 0), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_dma_interrupts(&dma, true, true, 3, 100), AXM_OK);
  CHECK_EQUAL(design.word[FAKE_DMA0][AXM_DMA_COALESCE / 4], 0x203);

  struct axm_memory memory;
  CHECK_EQUAL(hal->alloc(hal->self, 8192, 4096, AXM_ANY_ADDRESS, &memory), AXM_OK);
  memset(memory.memory, 0x5A, 4096);
  const struct axm_dma_transfer there = {.address = memory.bus_address, .bytes = 4096};
  const struct axm_dma_transfer back = {.address = memory.bus_address + 4096, .bytes = 4096};
  struct axm_dma_done done;
  CHECK_EQUAL(axm_dma_poll(&dma, AXM_DMA_WRITE, &done), AXM_ERROR_EMPTY);
  CHECK_EQUAL(axm_dma_submit(&dma, AXM_DMA_WRITE, &back), AXM_OK);
  CHECK_EQUAL(axm_dma_submit(&dma, AXM_DMA_READ, &there), AXM_OK);
  CHECK_EQUAL(axm_dma_wait(&dma, AXM_DMA_WRITE, 10000000, &done), AXM_OK);
  CHECK_EQUAL(done.cause, AXM_DMA_OK);
  CHECK_EQUAL(done.bytes, 4096);
  CHECK_EQUAL(axm_dma_poll(&dma, AXM_DMA_READ, &done), AXM_OK);
  CHECK(memcmp(memory.memory, (unsigned char *)memory.memory + 4096, 4096) == 0);
  CHECK(target.barriers >= 2);

  const struct axm_dma_transfer odd = {.address = memory.bus_address + 4, .bytes = 64};
  const struct axm_dma_transfer none = {.address = memory.bus_address, .bytes = 0};
  CHECK_EQUAL(axm_dma_submit(&dma, AXM_DMA_READ, &odd), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_dma_submit(&dma, AXM_DMA_READ, &none), AXM_ERROR_ARGUMENT);
  for (int i = 0; i < FAKE_QUEUE; ++i)
    CHECK_EQUAL(axm_dma_submit(&dma, AXM_DMA_WRITE, &back), AXM_OK);
  CHECK_EQUAL(axm_dma_submit(&dma, AXM_DMA_WRITE, &back), AXM_ERROR_FULL);
  test_dma_faults(&dma);
}

void test_ring(void) {
  struct axm_device device;
  const struct axm_hal *hal = fresh(&device);
  const struct axm_dma dma = engine(&device, FAKE_COPY);
  const struct axm_dma plain = engine(&device, FAKE_DMA0);
  struct axm_dma_ring ring;
  struct axm_dma_done done;
  struct axm_memory memory, data;
  CHECK_EQUAL(hal->alloc(hal->self, 128, 128, AXM_ANY_ADDRESS, &memory), AXM_OK);
  CHECK_EQUAL(hal->alloc(hal->self, 1024, 64, AXM_ANY_ADDRESS, &data), AXM_OK);
  CHECK_EQUAL(axm_dma_ring_open(&ring, &plain, AXM_DMA_WRITE, &memory), AXM_ERROR_UNSUPPORTED);
  CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_READ, &memory), AXM_ERROR_UNSUPPORTED);
  struct axm_memory bad = memory;
  bad.size = 96;
  CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &bad), AXM_ERROR_ARGUMENT);
  bad.size = 32;
  CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &bad), AXM_ERROR_ARGUMENT);
  bad = memory;
  bad.bus_address += 64;
  CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &bad), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &memory), AXM_OK);
  /* Twice around the ring and more. */
  unsigned char *bytes = data.memory;
  for (uint32_t round = 0; round < 5; ++round) {
    memset(bytes, (int)round + 1, 512);
    const struct axm_dma_transfer copy = {
        .address = data.bus_address + 512, .source = data.bus_address, .bytes = 128};
    for (int i = 0; i < 4; ++i)
      CHECK_EQUAL(axm_dma_ring_push(&ring, &copy, i != 3), AXM_OK);
    CHECK_EQUAL(axm_dma_ring_push(&ring, &copy, false), AXM_ERROR_FULL);
    CHECK_EQUAL(axm_dma_ring_take(&ring, &done), AXM_ERROR_EMPTY);
    CHECK_EQUAL(axm_dma_ring_give(&ring), AXM_OK);
    for (int i = 0; i < 4; ++i) {
      CHECK_EQUAL(axm_dma_ring_take(&ring, &done), AXM_OK);
      CHECK_EQUAL(done.bytes, 128);
    }
    CHECK_EQUAL(bytes[512], round + 1);
  }
  design.word[FAKE_COPY][AXM_DMA_WR_RING_STATUS / 4] = AXM_DMA_CODE_SLVERR;
  CHECK_EQUAL(axm_dma_ring_take(&ring, &done), AXM_ERROR_FAULT);
  CHECK_EQUAL(done.cause, AXM_DMA_SLVERR);
  CHECK_EQUAL(axm_dma_ring_close(&ring, 1000), AXM_OK);
  CHECK_EQUAL(design.word[FAKE_COPY][AXM_DMA_WR_RING_CONTROL / 4], 0);
  /* Descriptors stay under way, then end, but the ring does not restart. */
  const struct axm_dma_transfer copy = {
      .address = data.bus_address + 512, .source = data.bus_address, .bytes = 128};
  for (int hangs = 1; hangs >= 0; --hangs) {
    CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &memory), AXM_OK);
    CHECK_EQUAL(axm_dma_ring_push(&ring, &copy, false), AXM_OK);
    design.hang = hangs != 0;
    design.never_clean = true;
    CHECK_EQUAL(axm_dma_ring_give(&ring), AXM_OK);
    CHECK_EQUAL(axm_dma_ring_close(&ring, 1000), hangs ? AXM_ERROR_TIMEOUT : AXM_ERROR_BUSY);
    CHECK_EQUAL(axm_dma_ring_open(&ring, &dma, AXM_DMA_WRITE, &memory), AXM_ERROR_BUSY);
    design.never_clean = false;
    CHECK_EQUAL(axm_dma_ring_close(&ring, 1000), AXM_OK);
  }
}
