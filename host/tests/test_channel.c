/* Tests of channels on the design that is not there, with a cache that loses what is not
 * maintained. */
#include <string.h>

#include "axm.h"
#include "check.h"
#include "fake.h"
#include "generated/dma.h"

enum { SLOTS = 3, ROOM = 1024, PACKETS = 200 };

static struct axm_test_target target;
static struct fake_design design;
static struct axm_dma dma;
static struct axm_own_engine sender, receiver;
static struct axm_channel out, in;

static struct axm_channel_config usual(void) {
  return (struct axm_channel_config){.wait = AXM_WAIT_BOTH,
                                     .slots = SLOTS,
                                     .slot_bytes = ROOM,
                                     .burst_beats = 16,
                                     .outstanding = 2,
                                     .timeout_ns = 10000000};
}

static void fresh(bool cached, enum axm_channel_wait wait) {
  struct axm_device device;
  struct axm_block_info info;
  CHECK_EQUAL(axm_open(&device, fake_design(&design, &target), FAKE_BASE), AXM_OK);
  target.cached = cached;
  CHECK_EQUAL(axm_device_find(&device, AXM_BLOCK_DMA, 0, 0, &info), AXM_OK);
  CHECK_EQUAL(axm_dma_open(&dma, &info), AXM_OK);
  dma.caps |= AXM_DMA_CAPS__UNALIGNED_MASK; /* packets of any length */
  CHECK_EQUAL(axm_own_engine_open(&sender, &dma, AXM_ENGINE_SEND), AXM_OK);
  CHECK_EQUAL(axm_own_engine_open(&receiver, &dma, AXM_ENGINE_RECEIVE), AXM_OK);
  struct axm_channel_config config = usual();
  config.wait = wait;
  config.coherent = !cached;
  CHECK_EQUAL(axm_channel_open(&out, &sender.engine, &config), AXM_OK);
  CHECK_EQUAL(axm_channel_open(&in, &receiver.engine, &config), AXM_OK);
}

static unsigned char byte_of(uint32_t packet, uint32_t at) {
  return (unsigned char)(packet * 13u + at * 5u + 1u);
}

static uint32_t wrong_bytes(const unsigned char *data, uint32_t bytes, uint32_t packet) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    wrong += data[i] != byte_of(packet, i);
  return wrong;
}

/* Packets of all sizes, by turns copied and in place, as many under way as there is room for. */
static void through(bool cached, enum axm_channel_wait wait) {
  static unsigned char packet[ROOM];
  struct axm_slot slot;
  uint32_t bytes = 0, sent = 0, came = 0;
  fresh(cached, wait);
  while (came < PACKETS) {
    for (; sent < PACKETS && sent < came + SLOTS; ++sent) {
      const uint32_t size = 1 + sent * 37 % ROOM;
      if (sent % 2 == 0) {
        CHECK_EQUAL(axm_channel_next(&out, &slot), AXM_OK);
        for (uint32_t i = 0; i < size; ++i)
          slot.data[i] = byte_of(sent, i);
        slot.bytes = size;
        CHECK_EQUAL(axm_channel_give(&out, &slot), AXM_OK);
      } else {
        for (uint32_t i = 0; i < size; ++i)
          packet[i] = byte_of(sent, i);
        CHECK_EQUAL(axm_send(&out, packet, size), AXM_OK);
      }
    }
    const uint32_t wanted = 1 + came * 37 % ROOM;
    if (came % 3 == 0) {
      CHECK_EQUAL(axm_channel_next(&in, &slot), AXM_OK);
      CHECK(slot.last);
      CHECK_EQUAL(slot.bytes, wanted);
      CHECK_EQUAL(wrong_bytes(slot.data, slot.bytes, came), 0);
      memset(slot.data, 0xEE, slot.bytes); /* the packet is the caller's, until it is given */
      CHECK_EQUAL(axm_channel_give(&in, &slot), AXM_OK);
    } else {
      CHECK_EQUAL(axm_receive(&in, packet, ROOM, &bytes), AXM_OK);
      CHECK_EQUAL(bytes, wanted);
      CHECK_EQUAL(wrong_bytes(packet, bytes, came), 0);
    }
    ++came;
  }
  CHECK_EQUAL(axm_channel_flush(&out), AXM_OK);
  CHECK_EQUAL(out.counts.packets, PACKETS);
  CHECK_EQUAL(in.counts.bytes, out.counts.bytes);
  if (wait == AXM_WAIT_LOOK)
    CHECK_EQUAL(in.counts.interrupts + out.counts.interrupts, 0);
  if (!cached)
    CHECK_EQUAL(target.cleaned + target.invalidated, 0);
  CHECK_EQUAL(axm_channel_close(&out), AXM_OK);
  CHECK_EQUAL(axm_channel_close(&in), AXM_OK);
  CHECK_EQUAL(target.arena.count, 0);
}

/* A packet that is not there yet: who sleeps is woken, who looks looks often. */
static void waiting(enum axm_channel_wait wait) {
  static unsigned char packet[ROOM];
  uint32_t bytes = 0;
  fresh(true, wait);
  for (int i = 0; i < 4; ++i) {
    CHECK_EQUAL(axm_send(&out, packet, ROOM), AXM_OK);
    CHECK_EQUAL(axm_receive(&in, packet, ROOM, &bytes), AXM_OK);
  }
  CHECK_EQUAL(in.counts.interrupts != 0, wait == AXM_WAIT_INTERRUPT);
  CHECK_EQUAL(in.counts.looks > 12, wait != AXM_WAIT_INTERRUPT);
}

static void what_goes_wrong(void) {
  static unsigned char packet[ROOM];
  struct axm_slot slot;
  uint32_t bytes = 0;
  struct axm_engine_done failed = {0};
  uint64_t address = 0;
  fresh(true, AXM_WAIT_BOTH);
  CHECK_EQUAL(axm_channel_next(&in, &slot), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(in.counts.timeouts, 1);
  CHECK_EQUAL(axm_channel_give(&in, &slot), AXM_ERROR_STATE);
  CHECK_EQUAL(axm_send(&in, packet, 1), AXM_ERROR_STATE);
  CHECK_EQUAL(axm_receive(&out, packet, 1, &bytes), AXM_ERROR_STATE);
  CHECK_EQUAL(axm_send(&out, packet, 0), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_send(&out, packet, ROOM + 1), AXM_ERROR_ARGUMENT);
  /* After a time-out the channel goes on; what has no room is dropped and counted. */
  CHECK_EQUAL(axm_send(&out, packet, 100), AXM_OK);
  CHECK_EQUAL(axm_receive(&in, packet, 60, &bytes), AXM_ERROR_RANGE);
  CHECK_EQUAL(bytes, 60);
  CHECK_EQUAL(in.counts.dropped, 40);
  CHECK_EQUAL(axm_channel_next(&out, &slot), AXM_OK);
  CHECK_EQUAL(axm_channel_next(&out, &slot), AXM_ERROR_STATE);
  CHECK_EQUAL(axm_channel_flush(&out), AXM_ERROR_STATE);
  slot.bytes = ROOM + 1;
  CHECK_EQUAL(axm_channel_give(&out, &slot), AXM_ERROR_ARGUMENT);
  sender.engine.limits.length_align = FAKE_BEAT;
  slot.bytes = 7; /* an engine that cannot: the buffer stays with the caller */
  CHECK_EQUAL(axm_channel_give(&out, &slot), AXM_ERROR_RANGE);
  slot.bytes = 8;
  CHECK_EQUAL(axm_channel_give(&out, &slot), AXM_OK);
  CHECK_EQUAL(axm_channel_fault(&out, &failed, &address), AXM_ERROR_EMPTY);
  design.fault_block = fake_block(0, FAKE_DMA0);
  design.fault_half = AXM_DMA_READ;
  design.fault_code = AXM_DMA_SLVERR;
  design.fault_bytes = 3;
  CHECK_EQUAL(axm_channel_flush(&out), AXM_ERROR_FAULT);
  CHECK_EQUAL(axm_channel_fault(&out, &failed, &address), AXM_OK);
  CHECK_EQUAL(failed.cause, AXM_ENGINE_SLAVE);
  CHECK_EQUAL(failed.code, AXM_DMA_SLVERR);
  CHECK_EQUAL(address, out.memory.bus_address + ROOM + 3); /* the second slot */
  CHECK_EQUAL(axm_send(&out, packet, 1), AXM_ERROR_FAULT);
  CHECK_EQUAL(axm_channel_close(&in), AXM_OK);
  design.never_clean = true;
  design.hang = true;
  struct axm_channel_config config = usual();
  CHECK_EQUAL(axm_channel_open(&in, &receiver.engine, &config), AXM_OK);
  CHECK_EQUAL(axm_channel_close(&in), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(target.arena.count, 2); /* the engine may still write into it */
  config.slots = FAKE_QUEUE + 1;
  CHECK_EQUAL(axm_channel_open(&in, &receiver.engine, &config), AXM_ERROR_RANGE);
  config.slots = 0;
  CHECK_EQUAL(axm_channel_open(&in, &receiver.engine, &config), AXM_ERROR_ARGUMENT);
}

void test_channel(void) {
  through(false, AXM_WAIT_LOOK);
  through(true, AXM_WAIT_LOOK);
  through(true, AXM_WAIT_INTERRUPT);
  through(true, AXM_WAIT_BOTH);
  waiting(AXM_WAIT_LOOK);
  waiting(AXM_WAIT_INTERRUPT);
  waiting(AXM_WAIT_BOTH);
  what_goes_wrong();
}
