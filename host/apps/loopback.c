/* Packets through the fabric and back (axm_dma_top, MODE 0), each byte checked: copied by axm_send
 * and axm_receive, then in place. One line for each size: what was sent and what was wrong. Then
 * whether the interrupt comes.
 */
#include <string.h>

#include "app.h"
#include "axm/channel.h"
#include "axm/engines/own.h"

enum { SLOTS = 4, SLOT_BYTES = 4096, PACKETS = 32 };

static const uint32_t sizes[] = {1, 7, 64, 1500, 4096};

struct table {
  const struct axm_hal *hal;
  int failed;
};

static void text(const struct table *table, const char *words) {
  if (table->hal->write_bytes(table->hal->self, words, strlen(words)) != AXM_OK)
    return; /* nobody reads: the result says how it went */
}

static void number(const struct table *table, uint64_t value, size_t width) {
  char digits[24];
  size_t at = sizeof digits;
  digits[--at] = '\0';
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (at > 0 && sizeof digits - 1 - at < width)
    digits[--at] = ' ';
  text(table, digits + at);
}

static unsigned char byte_of(uint32_t packet, uint32_t at) {
  return (unsigned char)(packet * 31u + at * 7u + (at >> 8));
}

static uint32_t wrong_bytes(const unsigned char *data, uint32_t bytes, uint32_t packet) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    wrong += data[i] != byte_of(packet, i);
  return wrong;
}

static enum axm_status copied(struct axm_channel *out, struct axm_channel *in, uint32_t bytes,
                              uint32_t packet, uint32_t *wrong) {
  static unsigned char there[SLOT_BYTES], back[SLOT_BYTES];
  uint32_t came = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    there[i] = byte_of(packet, i);
  enum axm_status status = axm_send(out, there, bytes);
  if (status == AXM_OK)
    status = axm_receive(in, back, sizeof back, &came);
  *wrong += status != AXM_OK || came != bytes ? bytes : wrong_bytes(back, bytes, packet);
  return status;
}

static enum axm_status in_place(struct axm_channel *out, struct axm_channel *in, uint32_t bytes,
                                uint32_t packet, uint32_t *wrong) {
  struct axm_slot slot;
  enum axm_status status = axm_channel_next(out, &slot);
  if (status != AXM_OK)
    return status;
  for (uint32_t i = 0; i < bytes; ++i)
    slot.data[i] = byte_of(packet, i);
  slot.bytes = bytes;
  status = axm_channel_give(out, &slot);
  if (status == AXM_OK)
    status = axm_channel_next(in, &slot);
  if (status != AXM_OK)
    return status;
  *wrong += slot.bytes != bytes || !slot.last ? bytes : wrong_bytes(slot.data, bytes, packet);
  return axm_channel_give(in, &slot);
}

static enum axm_status row(struct table *table, struct axm_channel *out, struct axm_channel *in,
                           bool copies, uint32_t bytes) {
  uint32_t wrong = 0;
  enum axm_status status = AXM_OK;
  for (uint32_t packet = 0; packet < PACKETS && status == AXM_OK; ++packet)
    status = (copies ? copied : in_place)(out, in, bytes, packet, &wrong);
  text(table, copies ? "copied  " : "in place");
  number(table, bytes, 6);
  number(table, PACKETS, 8);
  number(table, wrong, 6);
  text(table, "  ");
  text(table, axm_status_name(status));
  text(table, "\n");
  table->failed |= status != AXM_OK || wrong != 0;
  return status;
}

/* Whether a packet that comes wakes who does not look: no cause and no interrupt is left before. */
static enum axm_status woken(struct table *table, struct axm_channel *out, struct axm_channel *in) {
  static unsigned char packet[64];
  const struct axm_hal *hal = table->hal;
  uint32_t bytes = 0;
  enum axm_status status = axm_channel_flush(out);
  if (status == AXM_OK)
    status = in->engine->ops->interrupt_take(in->engine);
  while (status == AXM_OK)
    status = hal->wait_irq(hal->self, 0);
  if (status != AXM_ERROR_TIMEOUT)
    return status;
  status = axm_send(out, packet, sizeof packet);
  if (status != AXM_OK)
    return status;
  const enum axm_status came = hal->wait_irq(hal->self, in->config.timeout_ns);
  text(table, came == AXM_OK ? "the interrupt came\n" : "no interrupt came\n");
  table->failed |= came != AXM_OK;
  return axm_receive(in, packet, sizeof packet, &bytes);
}

static enum axm_status run(struct table *table, uint64_t base) {
  struct axm_device device;
  struct axm_block_info info;
  struct axm_dma dma;
  static struct axm_own_engine sender, receiver;
  static struct axm_channel out, in;
  struct axm_channel_config config = {.wait = AXM_WAIT_INTERRUPT,
                                      .slots = SLOTS,
                                      .slot_bytes = SLOT_BYTES,
                                      .burst_beats = 16,
                                      .outstanding = 4,
                                      .timeout_ns = UINT64_C(2000000000)};
  enum axm_status status = axm_open(&device, table->hal, base);
  if (status == AXM_OK)
    status = axm_device_find(&device, AXM_BLOCK_DMA, 0, 0, &info);
  if (status == AXM_OK)
    status = axm_dma_open(&dma, &info);
  if (status == AXM_OK)
    status = axm_own_engine_open(&sender, &dma, AXM_ENGINE_SEND);
  if (status == AXM_OK)
    status = axm_own_engine_open(&receiver, &dma, AXM_ENGINE_RECEIVE);
  if (status == AXM_OK)
    status = axm_channel_open(&out, &sender.engine, &config);
  if (status != AXM_OK)
    return status;
  status = axm_channel_open(&in, &receiver.engine, &config);
  if (status != AXM_OK)
    return status;
  text(table, "how        size packets wrong  status\n");
  for (int copies = 1; copies >= 0; --copies)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && status == AXM_OK; ++i)
      status = row(table, &out, &in, copies != 0, sizes[i]);
  if (status == AXM_OK)
    status = woken(table, &out, &in);
  const enum axm_status ends[2] = {axm_channel_close(&out), axm_channel_close(&in)};
  return status != AXM_OK ? status : ends[0] != AXM_OK ? ends[0] : ends[1];
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  struct table table = {.hal = hal, .failed = 0};
  const enum axm_status status = run(&table, base);
  text(&table, status == AXM_OK && table.failed == 0 ? "done\n" : "failed: ");
  if (status != AXM_OK || table.failed != 0) {
    text(&table, axm_status_text(status));
    text(&table, "\n");
  }
  return status != AXM_OK || table.failed != 0;
}
