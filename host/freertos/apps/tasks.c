/* Tasks that share a design: one sends packets of random lengths, one receives and checks them, and
 * one of the lowest priority shows that it may run while both wait. Then what the library must
 * refuse: waiting in an interrupt's handler.
 */
#include <string.h>

#include "FreeRTOS.h"
#include "task.h"

#include "app.h"
#include "axm/channel.h"
#include "axm/engines/own.h"

enum { PACKETS = 400, SLOTS = 4, SLOT_BYTES = 4096, STACK_WORDS = 1024, LOW = 1, HIGH = 3 };

static struct {
  const struct axm_hal *hal;
  struct axm_own_engine sender, receiver;
  struct axm_channel out, in;
  TaskHandle_t starter;
  volatile enum axm_status sent, received, in_handler;
  volatile uint32_t wrong, bytes, turns;
  volatile uint32_t asked; /* whether the handler shall try what it must not */
} all;

/* Contents of a packet: Numerical Recipes' congruential generator, so that both tasks can compute
 * it. */
static uint32_t drawn(uint32_t packet) { return packet * 1664525u + 1013904223u; }
static uint32_t length(uint32_t packet) { return 1 + (drawn(packet) >> 16) % SLOT_BYTES; }
static unsigned char byte_of(uint32_t packet, uint32_t at) {
  return (unsigned char)(drawn(packet) + at * 13u + (at >> 7));
}

static void sender(void *nothing) {
  (void)nothing;
  enum axm_status status = AXM_OK;
  for (uint32_t packet = 0; packet < PACKETS && status == AXM_OK; ++packet) {
    struct axm_slot slot;
    status = axm_channel_next(&all.out, &slot);
    if (status != AXM_OK)
      break;
    slot.bytes = length(packet);
    slot.last = true;
    for (uint32_t i = 0; i < slot.bytes; ++i)
      slot.data[i] = byte_of(packet, i);
    status = axm_channel_give(&all.out, &slot);
  }
  all.sent = status;
  (void)xTaskNotifyGive(all.starter);
  vTaskSuspend(NULL);
}

static void receiver(void *nothing) {
  (void)nothing;
  enum axm_status status = AXM_OK;
  for (uint32_t packet = 0; packet < PACKETS && status == AXM_OK; ++packet) {
    struct axm_slot slot;
    status = axm_channel_next(&all.in, &slot);
    if (status != AXM_OK)
      break;
    uint32_t wrong = slot.bytes != length(packet) || !slot.last;
    for (uint32_t i = 0; i < slot.bytes; ++i)
      wrong += slot.data[i] != byte_of(packet, i);
    all.wrong += wrong;
    all.bytes += slot.bytes;
    status = axm_channel_give(&all.in, &slot);
  }
  all.received = status;
  (void)xTaskNotifyGive(all.starter);
  vTaskSuspend(NULL);
}

static void lowest(void *nothing) {
  (void)nothing;
  for (;;)
    ++all.turns;
}

/* In the handler of the kernel's tick. A tick may come while the kernel has its scheduler
 * suspended, when waiting is refused to everybody: that would say nothing of handlers. */
void axm_app_tick(void);
void axm_app_tick(void) {
  if (all.asked == 0 || xTaskGetSchedulerState() != taskSCHEDULER_RUNNING)
    return;
  all.in_handler = all.hal->wait_irq(all.hal->self, 1000000);
  all.asked = 0;
}

static void say(const char *text) {
  (void)!all.hal->write_bytes(all.hal->self, text, strlen(text));
}

static void number(uint64_t value) {
  char digits[24];
  size_t at = sizeof digits;
  digits[--at] = '\0';
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  say(digits + at);
}

static enum axm_status open(uint64_t base) {
  struct axm_device device;
  struct axm_block_info info;
  struct axm_dma dma;
  struct axm_channel_config config = {.wait = AXM_WAIT_INTERRUPT,
                                      .slots = SLOTS,
                                      .slot_bytes = SLOT_BYTES,
                                      .burst_beats = 16,
                                      .outstanding = 4,
                                      .timeout_ns = UINT64_C(5000000000)};
  enum axm_status status = axm_open(&device, all.hal, base);
  if (status == AXM_OK)
    status = axm_device_find(&device, AXM_BLOCK_DMA, 0, 0, &info);
  if (status == AXM_OK)
    status = axm_dma_open(&dma, &info);
  if (status == AXM_OK)
    status = axm_own_engine_open(&all.sender, &dma, AXM_ENGINE_SEND);
  if (status == AXM_OK)
    status = axm_own_engine_open(&all.receiver, &dma, AXM_ENGINE_RECEIVE);
  if (status == AXM_OK)
    status = axm_channel_open(&all.out, &all.sender.engine, &config);
  return status == AXM_OK ? axm_channel_open(&all.in, &all.receiver.engine, &config) : status;
}

static void begin(TaskFunction_t task, const char *name, UBaseType_t priority, int place) {
  static StackType_t stacks[3][STACK_WORDS];
  static StaticTask_t tasks[3];
  (void)xTaskCreateStatic(task, name, STACK_WORDS, NULL, priority, stacks[place], &tasks[place]);
}

int axm_app(const struct axm_hal *hal, uint64_t base) {
  all.hal = hal;
  all.starter = xTaskGetCurrentTaskHandle();
  all.in_handler = AXM_OK;
  enum axm_status status = open(base);
  if (status == AXM_OK) {
    begin(lowest, "lowest", LOW, 0);
    begin(receiver, "receiver", HIGH, 1);
    begin(sender, "sender", HIGH, 2);
    (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
    (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
    all.asked = 1;
    while (all.asked != 0)
      vTaskDelay(1);
    say("packets ");
    number(PACKETS);
    say(", bytes ");
    number(all.bytes);
    say(", wrong ");
    number(all.wrong);
    say("\nsent: ");
    say(axm_status_name(all.sent));
    say(", received: ");
    say(axm_status_name(all.received));
    say(all.turns > 0 ? "\nthe lowest task ran while both waited\n"
                      : "\nthe lowest task never ran\n");
    say("waiting in a handler: ");
    say(axm_status_name(all.in_handler));
    say("\n");
    status = all.sent != AXM_OK ? all.sent : all.received;
  }
  const int failed =
      status != AXM_OK || all.wrong != 0 || all.turns == 0 || all.in_handler != AXM_ERROR_STATE;
  say(failed ? "failed: " : "done\n");
  if (failed) {
    say(axm_status_text(status));
    say("\n");
  }
  return failed;
}
